/* Socket addresses, as connect(2), bind(2) and sendto(2) take them. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum address_kind {
	ADDRESS_NONE,	  /* of another family, or malformed */
	ADDRESS_PORT,	  /* IPv4, IPv6 */
	ADDRESS_PATH,	  /* AF_UNIX, with a path */
	ADDRESS_ABSTRACT, /* AF_UNIX, with a name of the kernel's own */
	ADDRESS_UNNAMED,  /* AF_UNIX, without: bind chooses an abstract name */
};

#define ADDRESS_NAME 108 /* unix(7): sun_path */

struct address {
	enum address_kind kind;
	int port;
	char name[ADDRESS_NAME + 1]; /* of AF_UNIX; a path ends with a NUL, an abstract name begins with one */
	size_t length;		     /* of the name */
};

/* `data` is what the caller passed, `length` what it said of its length. */
void address_parse(const void *data, size_t length, struct address *address);
