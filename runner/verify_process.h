/* Proving what /proc/self tells of the controls, and the lines below /proc/self. */
#pragma once

#include <stdbool.h>

#include "profile/reach.h"
#include "runner/verify_sheet.h"

struct verify_process {
	int status_fd; /* of /proc/self/status, opened before the process is restricted */
	char *outside; /* what was in it then */
	bool drop_caps, supervised;
	const char *granted, *refused; /* own entries; NULL for none */
	int entry_outside;
};

/* In the probe, before it is restricted. */
void verify_process_look_outside(struct verify_process *process, const struct reach *reach);
void verify_process_look_inside(const struct verify_process *process, struct verify_sheet *sheet);
