/* Socket addresses of every family that matters, and of the lengths that programs pass. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tracer/address.h"

#define NAME_AT offsetof(struct sockaddr_un, sun_path)

static struct address parse_unix(const char *name, size_t length)
{
	struct sockaddr_un socket = {.sun_family = AF_UNIX};
	struct address address;

	memcpy(socket.sun_path, name, length);
	address_parse(&socket, NAME_AT + length, &address);
	return address;
}

Test(address, ports)
{
	struct sockaddr_in internet = {.sin_family = AF_INET, .sin_port = htons(443)};
	struct sockaddr_in6 internet6 = {.sin6_family = AF_INET6, .sin6_port = htons(8080)};
	struct address address;

	address_parse(&internet, sizeof internet, &address);
	cr_expect(address.kind == ADDRESS_PORT && address.port == 443);
	address_parse(&internet, sizeof internet - 1, &address);
	cr_expect_eq(address.kind, ADDRESS_NONE);
	address_parse(&internet6, sizeof internet6, &address);
	cr_expect(address.kind == ADDRESS_PORT && address.port == 8080);
	address_parse(&internet6, 24, &address); /* RFC 2133 */
	cr_expect_eq(address.kind, ADDRESS_PORT);
	address_parse(&internet6, 23, &address);
	cr_expect_eq(address.kind, ADDRESS_NONE);
}

Test(address, socket_paths)
{
	char longest[ADDRESS_NAME];
	struct address address = parse_unix("/run/x\0rest", 11);

	cr_expect_eq(address.kind, ADDRESS_PATH);
	cr_expect_str_eq(address.name, "/run/x");
	cr_expect_eq(address.length, 6);
	address = parse_unix("relative", 8); /* without a NUL */
	cr_expect(address.kind == ADDRESS_PATH && strcmp(address.name, "relative") == 0);
	memset(longest, 'x', sizeof longest);
	address = parse_unix(longest, sizeof longest);
	cr_expect(address.kind == ADDRESS_PATH && address.length == ADDRESS_NAME);
}

Test(address, abstract_and_unnamed)
{
	struct address address = parse_unix("\0name\0", 6);

	cr_expect_eq(address.kind, ADDRESS_ABSTRACT);
	cr_expect(address.length == 6 && memcmp(address.name, "\0name\0", 6) == 0);
	cr_expect_eq(parse_unix("", 0).kind, ADDRESS_UNNAMED);
}

Test(address, nothing)
{
	struct sockaddr_storage storage = {.ss_family = AF_NETLINK};
	struct address address;

	address_parse(&storage, sizeof storage, &address);
	cr_expect_eq(address.kind, ADDRESS_NONE);
	address_parse(&storage, 1, &address);
	cr_expect_eq(address.kind, ADDRESS_NONE);
	address_parse(&storage, sizeof storage + 1, &address);
	cr_expect_eq(address.kind, ADDRESS_NONE);
}
