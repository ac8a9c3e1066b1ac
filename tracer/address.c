#include "tracer/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define IPV6_LEAST offsetof(struct sockaddr_in6, sin6_scope_id) /* RFC 2133, and the kernel, do without the scope */

static void parse_unix(const char *name, size_t length, struct address *address)
{
	if (length > ADDRESS_NAME)
		return;
	memcpy(address->name, name, length);
	address->name[length] = '\0';
	address->length = length;
	if (!length) {
		address->kind = ADDRESS_UNNAMED;
	} else if (!name[0]) {
		address->kind = ADDRESS_ABSTRACT;
	} else {
		address->kind = ADDRESS_PATH;
		address->length = strlen(address->name);
	}
}

void address_parse(const void *data, size_t length, struct address *address)
{
	const size_t family_length = offsetof(struct sockaddr_un, sun_path);
	struct sockaddr_storage storage = {0};

	*address = (struct address){.kind = ADDRESS_NONE};
	if (length < family_length || length > sizeof storage)
		return;
	memcpy(&storage, data, length);
	if (storage.ss_family == AF_UNIX) {
		parse_unix((const char *)&storage + family_length, length - family_length, address);
	} else if (storage.ss_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
		address->kind = ADDRESS_PORT;
		address->port = ntohs(((const struct sockaddr_in *)&storage)->sin_port);
	} else if (storage.ss_family == AF_INET6 && length >= IPV6_LEAST) {
		address->kind = ADDRESS_PORT;
		address->port = ntohs(((const struct sockaddr_in6 *)&storage)->sin6_port);
	}
}
