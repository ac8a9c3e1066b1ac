/*
 * Calls of two tasks whose exit stops are handled in another order than the calls were done: a call that is in
 * progress, as far as the decoder knows, may have done its work. The stops are told to it here; the calls are real.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/stage.h"

TestSuite(decode_turns, .init = stage_set_up, .fini = stage_tear_down, .timeout = 60);

struct at {
	union {
		struct sockaddr any;
		struct sockaddr_un name;
		struct sockaddr_in port;
	};
	socklen_t length;
};

static struct at at_name(const char *name, size_t length)
{
	struct at at = {.name.sun_family = AF_UNIX};

	memcpy(at.name.sun_path, name, length);
	at.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	return at;
}

static struct at at_port_of(int fd)
{
	struct at at = {.length = sizeof at.port};

	cr_assert_eq(getsockname(fd, &at.any, &at.length), 0);
	return at;
}

static void enters(struct task *task, int number, int fd, const struct at *at)
{
	if (number == SYS_sendto)
		ENTERS(task, number, (uint64_t)fd, 0, 0, 0, (uintptr_t)at, at->length);
	else
		ENTERS(task, number, (uint64_t)fd, (uintptr_t)at, at->length);
}

static void enters_open(struct task *task, const char *path, int flags)
{
	ENTERS(task, SYS_openat, (uint64_t)AT_FDCWD, (uintptr_t)path, (uint64_t)flags, 0600);
}

/* The whole call of the client, done by ourselves. */
static void client_calls(int number, int fd, const struct at *at, int error)
{
	long result = number == SYS_sendto ? sendto(fd, "x", 1, 0, &at->any, at->length)
					   : syscall(number, fd, &at->any, at->length);

	cr_assert_eq(result < 0 ? errno : 0, error, "%s", strerror(errno));
	enters(stage.client, number, fd, at);
	stage_leaves(stage.client, -error);
}

static int make_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	cr_assert_geq(fd, 0);
	return fd;
}

/* Between bind(2) and listen(2) a client is refused, after Landlock was asked about the session's own socket. */
Test(decode_turns, bound_and_deaf)
{
	struct at at = at_name("s", 2);
	int bound = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_leaves(stage.server, 0);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_expect("");
}

/* One of somebody else, in whose place the session's own call in progress cannot put one. */
Test(decode_turns, bound_by_another)
{
	struct at at = at_name("s", 2);
	int other = make_socket(AF_UNIX, SOCK_STREAM), bound = make_socket(AF_UNIX, SOCK_STREAM);
	int fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	cr_assert_eq(bind(other, &at.any, at.length), 0);
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), -1);
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_leaves(stage.server, -EADDRINUSE);
	stage_expect("use type=socket path=$D/s rights=resolve_unix asked=yes error=ECONNREFUSED call=connect\n");
}

/* No hook is reached where nothing is bound any more. */
Test(decode_turns, left_behind)
{
	struct at at = at_name("s", 2);
	int other = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	cr_assert_eq(bind(other, &at.any, at.length), 0);
	close(other);
	stage_start_client();
	client_calls(SYS_connect, fd, &at, ECONNREFUSED);
	stage_expect("");
}

/* Datagrams need nobody who listens. */
Test(decode_turns, datagrams)
{
	struct at at = at_name("s", 2);
	int bound = make_socket(AF_UNIX, SOCK_DGRAM), fd = make_socket(AF_UNIX, SOCK_DGRAM);
	int stream = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_sendto, fd, &at, 0);
	client_calls(SYS_connect, fd, &at, 0);
	client_calls(SYS_connect, stream, &at, EPROTOTYPE);
	stage_leaves(stage.server, 0);
	stage_expect("");
}

Test(decode_turns, abstract_names)
{
	static const char own[] = "\0trace-learn turns own", others[] = "\0trace-learn turns others";
	struct at at = at_name(own, sizeof own), outside = at_name(others, sizeof others);
	int bound = make_socket(AF_UNIX, SOCK_DGRAM), fd = make_socket(AF_UNIX, SOCK_DGRAM);
	int other = make_socket(AF_UNIX, SOCK_DGRAM);

	stage_start_client();
	cr_assert_eq(bind(other, &outside.any, outside.length), 0);
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	client_calls(SYS_sendto, fd, &at, 0);
	stage_expect("");
	client_calls(SYS_sendto, fd, &outside, 0);
	stage_expect("scope rights=abstract_unix_socket asked=yes call=sendto\n");
	stage_leaves(stage.server, 0);
}

/* A socket keeps its inode when its name is another one. */
Test(decode_turns, renamed)
{
	struct at at = at_name("s", 2), moved = at_name("t", 2);
	int bound = make_socket(AF_UNIX, SOCK_STREAM), fd = make_socket(AF_UNIX, SOCK_STREAM);

	stage_start_client();
	enters(stage.server, SYS_bind, bound, &at);
	cr_assert_eq(bind(bound, &at.any, at.length), 0);
	stage_leaves(stage.server, 0);
	cr_assert_eq(listen(bound, 1), 0);
	cr_assert_eq(rename("s", "t"), 0);
	client_calls(SYS_connect, fd, &moved, 0);
	stage_expect("");
}

static struct at loopback(void)
{
	return (struct at){.port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
			   .length = sizeof(struct sockaddr_in)};
}

/* The kernel has chosen a port for a datagram that is being sent, and its answer comes first. */
Test(decode_turns, port_of_a_datagram)
{
	struct at at = loopback(), sender, receiver;
	int fd = make_socket(AF_INET, SOCK_DGRAM), sending = make_socket(AF_INET, SOCK_DGRAM);

	cr_assert_eq(bind(fd, &at.any, at.length), 0);
	receiver = at_port_of(fd);
	enters(stage.server, SYS_bind, fd, &at);
	stage_leaves(stage.server, 0);
	enters(stage.server, SYS_sendto, sending, &receiver);
	cr_assert_eq(sendto(sending, "x", 1, 0, &receiver.any, receiver.length), 1);
	sender = at_port_of(sending);
	sender.port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	stage_start_client();
	client_calls(SYS_sendto, fd, &sender, 0);
	stage_leaves(stage.server, 1);
	stage_expect("port port=0 rights=bind_udp asked=yes call=bind\n"
		     "port port=-1 rights=connect_send_udp asked=yes call=sendto\n"
		     "port port=0 rights=bind_udp asked=yes call=sendto\n"
		     "port port=-1 rights=connect_send_udp asked=yes call=sendto\n");
}

#define OPENS "type=file path=$D/new"

/* Two that found nothing: one makes the file, the other one truncates it, and is heard of first. */
Test(decode_turns, file_made_by_another)
{
	static const char path[] = "new";
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

	stage_start_client();
	enters_open(stage.server, path, flags);
	enters_open(stage.client, path, flags);
	stage_leaves(stage.client, open(path, flags, 0600));
	stage_leaves(stage.server, open(path, flags, 0600));
	stage_expect("create " OPENS " rights=write_file again=truncate asked=yes call=openat\n"
		     "use " OPENS " rights=truncate,write_file absent=make_reg asked=yes call=openat\n");
}

/* One after the other, each makes its own, also where the inode is used again. */
Test(decode_turns, file_made_again)
{
	static const char path[] = "new";
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

	stage_start_client();
	for (int i = 0; i < 2; i++) {
		enters_open(i ? stage.server : stage.client, path, flags);
		stage_leaves(i ? stage.server : stage.client, open(path, flags, 0600));
		cr_assert_eq(unlink(path), 0);
	}
	stage_expect("create " OPENS " rights=write_file again=truncate asked=yes call=openat\n"
		     "create " OPENS " rights=write_file again=truncate asked=yes call=openat\n");
}

/* Directories a and b, with a/f and b/f, and names that nobody has yet. */
static char first[] = "a/f", second[] = "b/f", made[] = "t";

static void furnish(void)
{
	cr_assert_eq(mkdir("a", 0700) | mkdir("b", 0700), 0);
	cr_assert_eq(close(open(first, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	cr_assert_eq(close(open(second, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	stage_start_client();
}

#define ENTERS_NAMES(task, number, path, path2) ENTERS(task, number, (uintptr_t)(path), (uintptr_t)(path2))
#define RENAMED(from)				"rename type=file path=$D/" from " path2=$D/t"

/* Both found nothing: one has replaced what the other one brought, whichever is heard of first. */
static void rename_both(bool in_order)
{
	furnish();
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	ENTERS_NAMES(stage.client, SYS_rename, second, made);
	cr_assert_eq(rename(first, made) | rename(second, made), 0);
	stage_leaves(in_order ? stage.server : stage.client, 0);
	stage_leaves(in_order ? stage.client : stage.server, 0);
}

Test(decode_turns, renamed_onto_one_name)
{
	rename_both(true);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" RENAMED("b/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_turns, renamed_onto_one_name_and_heard_later)
{
	rename_both(false);
	stage_expect(RENAMED("b/f") " asked=yes call=rename\n" RENAMED("a/f") " replaced=file asked=yes call=rename\n");
}

/* One after the other, with nobody who came between. */
Test(decode_turns, renamed_one_after_the_other)
{
	furnish();
	for (int i = 0; i < 2; i++) {
		ENTERS_NAMES(i ? stage.server : stage.client, SYS_rename, i ? second : first, made);
		cr_assert_eq(rename(i ? second : first, made), 0);
		stage_leaves(i ? stage.server : stage.client, 0);
		cr_assert_eq(unlink(made), 0);
	}
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" RENAMED("b/f") " asked=yes call=rename\n");
}

#define REMOVED "remove type=file path=$D/t asked=yes call=rename\n"

/* What is made first is replaced by a rename, which is heard of first or last. */
static void replace(int number, const void *path, const void *path2, uint64_t flags, bool in_order)
{
	long result;

	furnish();
	ENTERS(stage.client, number, (uintptr_t)path, path2 ? (uintptr_t)path2 : flags, flags ? 0600 : 0);
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	result = syscall(number, path, path2 ? (uintptr_t)path2 : flags, flags ? 0600 : 0);
	cr_assert_geq(result, 0);
	cr_assert_eq(rename(first, made), 0);
	stage_leaves(in_order ? stage.client : stage.server, in_order ? result : 0);
	stage_leaves(in_order ? stage.server : stage.client, in_order ? 0 : result);
}

Test(decode_turns, linked_and_replaced)
{
	replace(SYS_link, second, made, 0, true);
	stage_expect("link type=file path=$D/b/f path2=$D/t asked=yes call=link\n" RENAMED(
		"a/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_turns, linked_and_replaced_before)
{
	replace(SYS_link, second, made, 0, false);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" REMOVED
				    "link type=file path=$D/b/f path2=$D/t asked=yes call=link\n");
}

Test(decode_turns, node_made_and_replaced_before)
{
	replace(SYS_mknod, made, NULL, S_IFIFO | 0600, false);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n"
				    "create type=fifo path=$D/t asked=yes call=mknod\n" REMOVED);
}

Test(decode_turns, file_made_and_replaced)
{
	replace(SYS_open, made, NULL, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, true);
	stage_expect("create type=file path=$D/t rights=write_file again=truncate asked=yes call=open\n" RENAMED(
		"a/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_turns, file_made_and_replaced_before)
{
	replace(SYS_open, made, NULL, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, false);
	stage_expect(RENAMED(
		"a/f") " asked=yes call=rename\n"
		       "create type=file path=$D/t rights=write_file again=truncate asked=yes call=open\n" REMOVED);
}

/* The rename came first, and what it brought was truncated. */
static void truncate_renamed(bool in_order)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	int fd;

	furnish();
	ENTERS(stage.client, SYS_open, (uintptr_t)made, (uint64_t)flags, 0600);
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	cr_assert_eq(rename(first, made), 0);
	fd = open(made, flags, 0600);
	stage_leaves(in_order ? stage.server : stage.client, in_order ? 0 : fd);
	stage_leaves(in_order ? stage.client : stage.server, in_order ? fd : 0);
}

#define TRUNCATED "use type=file path=$D/t rights=truncate,write_file absent=make_reg asked=yes call=open\n"

Test(decode_turns, file_renamed_and_truncated)
{
	truncate_renamed(true);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" TRUNCATED);
}

Test(decode_turns, file_renamed_and_truncated_before)
{
	truncate_renamed(false);
	stage_expect(TRUNCATED RENAMED("a/f") " asked=yes call=rename\n");
}

/* What is moved or linked was made since the entry. */
static void move_late(int number, bool is_directory)
{
	static char late[] = "a/late";

	furnish();
	ENTERS_NAMES(stage.server, number, late, made);
	cr_assert_eq(is_directory ? mkdir(late, 0700) : close(open(late, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	cr_assert_eq(syscall(number, late, made), 0);
	stage_leaves(stage.server, 0);
}

Test(decode_turns, directory_made_and_renamed)
{
	move_late(SYS_rename, true);
	stage_expect("rename type=directory path=$D/a/late path2=$D/t asked=yes call=rename\n");
}

Test(decode_turns, file_made_and_linked)
{
	move_late(SYS_link, false);
	stage_expect("link type=file path=$D/a/late path2=$D/t asked=yes call=link\n");
}

/* Of mkdir(2) and rmdir(2), and of unlink(2), each tells by itself what it was asked for. */
Test(decode_turns, made_and_removed)
{
	furnish();
	for (int i = 0; i < 2; i++) {
		ENTERS_NAMES(stage.client, SYS_rmdir, made, NULL);
		ENTERS(stage.server, SYS_mkdir, (uintptr_t)made, 0700);
		cr_assert_eq(mkdir(made, 0700) | rmdir(made), 0);
		stage_leaves(i ? stage.client : stage.server, 0);
		stage_leaves(i ? stage.server : stage.client, 0);
	}
	ENTERS_NAMES(stage.client, SYS_unlink, made, NULL);
	cr_assert_eq(symlink("x", made) | unlink(made), 0);
	stage_leaves(stage.client, 0);
	stage_expect("create type=directory path=$D/t asked=yes call=mkdir\n"
		     "remove type=directory path=$D/t asked=yes call=rmdir\n"
		     "remove type=directory path=$D/t asked=yes call=rmdir\n"
		     "create type=directory path=$D/t asked=yes call=mkdir\n"
		     "remove type=file path=$D/t asked=yes call=unlink\n");
}
