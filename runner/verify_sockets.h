/* Proving ports and scopes: with sockets on this machine's own loopback, and with signals that do nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/reach.h"
#include "runner/ruleset.h"
#include "runner/verify_sheet.h"

#define VERIFY_PORT_PROBES 4

struct verify_port {
	const struct right *right; /* NULL: this kernel does not have it, or it is open to any port */
	uint16_t granted, refused; /* 0: no socket could be made */
	int outside;
};

struct verify_sockets {
	struct verify_port ports[VERIFY_PORT_PROBES];
	rights_t scopes; /* in force */
	pid_t outsider;	 /* a process that is not confined */
	int signal_outside, abstract_outside;
	int client; /* an abstract socket's, made outside as a closed group of [seccomp] lets none be made */
	char name[128];
	size_t name_size; /* of the socket's address; 0: none could be made */
};

/* In the process that stays outside: holds ports, and adds the rules on the granted ones to the ruleset. */
void verify_sockets_make(struct verify_sockets *sockets, struct ruleset *ruleset);

void verify_sockets_try_outside(struct verify_sockets *sockets); /* in the probe, before it is restricted */
void verify_sockets_try_inside(const struct verify_sockets *sockets, struct verify_sheet *sheet);
