/*
 * Names that another task changes between a call's entry and the kernel's look at them, where nothing that comes back
 * tells what the kernel found: no access then, but the reason. And the same calls with names that stay: an access.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/memory.h"
#include "tests/live/stage.h"

TestSuite(decode_changed, .timeout = 60);

/* What calls are made with. A change makes another name or address of it, where the same things are. */
static char name[] = "d/f", name2[] = "d/n";
static struct sockaddr_un at_path, at_abstract, elsewhere;
static struct sockaddr_in at_port;
static struct mmsghdr message;
static struct iovec one_byte = {name, 1};
static struct open_how how;

static void change_name(void)
{
	name[0] = 'e';
}

static void change_name2(void)
{
	name2[0] = 'e';
}

static void change_path(void)
{
	at_path.sun_path[0] = 'e';
}

static void change_abstract(void)
{
	at_abstract.sun_path[1] = 'e';
}

static void change_port(void)
{
	at_port.sin_port ^= htons(1);
}

/* The address is as it was, but the message points to another one. */
static void change_message(void)
{
	message.msg_hdr.msg_name = &elsewhere;
}

static void change_how(void)
{
	how.flags = O_WRONLY;
}

/* Which arguments a call takes. */
enum with { NAME, NAMES, FLAGS, HOW, ADDRESS, SEND, MESSAGE };

#define CONNECTED "use type=socket path=$D/d/s rights=resolve_unix asked=yes call="
static const struct change {
	int number;
	enum with with;
	char kind; /* of what the name leads to: its last letter */
	const void *address;
	void (*change)(void);
	int error; /* the kernel's, with either name */
	const char *line;
} changes[] = {
	{SYS_truncate, NAME, 'f', NULL, change_name, 0,
	 "use type=file path=$D/d/f rights=truncate asked=yes call=truncate\n"},
	{SYS_unlink, NAME, 'f', NULL, change_name, 0, "remove type=file path=$D/d/f asked=yes call=unlink\n"},
	{SYS_rename, NAMES, 'f', NULL, change_name, 0,
	 "rename type=file path=$D/d/f path2=$D/d/n asked=yes call=rename\n"},
	{SYS_rename, NAMES, 'f', NULL, change_name2, 0,
	 "rename type=file path=$D/d/f path2=$D/d/n asked=yes call=rename\n"},
	{SYS_link, NAMES, 'f', NULL, change_name, 0, "link type=file path=$D/d/f path2=$D/d/n asked=yes call=link\n"},
	{SYS_link, NAMES, 'f', NULL, change_name2, 0, "link type=file path=$D/d/f path2=$D/d/n asked=yes call=link\n"},
	{SYS_symlink, NAMES, 'f', NULL, change_name2, 0, "create type=symlink path=$D/d/n asked=yes call=symlink\n"},
	{SYS_mkdir, NAME, 'm', NULL, change_name, 0, "create type=directory path=$D/d/m asked=yes call=mkdir\n"},
	{SYS_unlink, NAME, 'x', NULL, change_name, EISDIR,
	 "remove type=file path=$D/d/x asked=yes error=EISDIR call=unlink\n"},
	{SYS_rmdir, NAME, 'x', NULL, change_name, ENOTEMPTY,
	 "remove type=directory path=$D/d/x asked=yes error=ENOTEMPTY call=rmdir\n"},
	{SYS_mkdir, NAME, 'x', NULL, change_name, EEXIST,
	 "use type=directory path=$D/d/x absent=make_dir error=EEXIST call=mkdir\n"},
	{SYS_open, FLAGS, 'p', NULL, change_name, ENXIO,
	 "use type=fifo path=$D/d/p rights=write_file asked=yes error=ENXIO call=open\n"},
	{SYS_execve, NAME, 'f', NULL, change_name, ENOEXEC,
	 "use type=file path=$D/d/f rights=execute,read_file asked=yes error=ENOEXEC call=execve\n"},
	{SYS_openat2, HOW, 'f', NULL, change_how, 0,
	 "use type=file path=$D/d/f rights=read_file asked=yes call=openat2\n"},
	{SYS_connect, ADDRESS, 's', &at_path, change_path, 0, CONNECTED "connect\n"},
	{SYS_sendto, SEND, 's', &at_path, change_path, 0, CONNECTED "sendto\n"},
	{SYS_sendmsg, MESSAGE, 's', &at_path, change_path, 0, CONNECTED "sendmsg\n"},
	{SYS_sendmsg, MESSAGE, 's', &at_path, change_message, 0, CONNECTED "sendmsg\n"},
	{SYS_sendmmsg, MESSAGE, 's', &at_path, change_path, 0, CONNECTED "sendmmsg\n"},
	{SYS_bind, ADDRESS, 'b', &at_path, change_path, 0, ""}, /* the stage leaves out what is bound */
	{SYS_sendto, SEND, 'a', &at_abstract, change_abstract, 0,
	 "scope rights=abstract_unix_socket asked=yes call=sendto\n"},
	{SYS_connect, ADDRESS, '\0', &at_port, change_port, 0,
	 "port port=0 rights=bind_udp asked=yes call=connect\n"
	 "port port=9 rights=connect_send_udp asked=yes call=connect\n"},
};

static int make_socket(int family)
{
	int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	cr_assert_geq(fd, 0);
	return fd;
}

/* The same in d and e: f a file, p a pipe, x a full directory, s and an abstract name a socket of nobody's. */
static void make_both(const char *directory)
{
	struct sockaddr_un path = {.sun_family = AF_UNIX}, abstract = {.sun_family = AF_UNIX};
	static int count; /* they stay open */

	cr_assert_eq(mkdir(directory, 0700) | chdir(directory) | mkdir("x", 0700) | mkdir("x/y", 0700), 0);
	cr_assert_eq(mkfifo("p", 0600) | close(open("f", O_CREAT | O_WRONLY | O_CLOEXEC, 0700)) | chdir(".."), 0);
	path.sun_path[0] = abstract.sun_path[1] = *directory;
	memcpy(path.sun_path + 1, "/s", 2);
	snprintf(abstract.sun_path + 2, sizeof abstract.sun_path - 2, "trace-learn changed %d %d", (int)getpid(),
		 count++ / 2);
	cr_assert_eq(bind(make_socket(AF_UNIX), (struct sockaddr *)&path, sizeof path), 0);
	cr_assert_eq(bind(make_socket(AF_UNIX), (struct sockaddr *)&abstract, sizeof abstract), 0);
	if (*directory == 'd')
		at_path = path, at_abstract = abstract;
	else
		elsewhere = path;
}

static void prepare(const struct change *change)
{
	stage_set_up();
	make_both("e");
	make_both("d");
	name[0] = name2[0] = 'd';
	name[2] = at_path.sun_path[2] = change->kind;
	at_port = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	how = (struct open_how){.flags = O_RDONLY};
	message.msg_hdr = (struct msghdr){
		.msg_name = &at_path, .msg_namelen = sizeof at_path, .msg_iov = &one_byte, .msg_iovlen = 1};
	stage_start_client();
}

#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

static void fill(const struct change *change, uint64_t arguments[6])
{
	bool port = change->address == &at_port;
	uint64_t size = port ? sizeof at_port : sizeof at_path;
	uint64_t fd = change->address ? (uint64_t)make_socket(port ? AF_INET : AF_UNIX) : 0;
	const uint64_t all[][6] = {
		[NAME] = {WORD(name)},
		[NAMES] = {WORD(name), WORD(name2)},
		[FLAGS] = {WORD(name), O_WRONLY | O_NONBLOCK},
		[HOW] = {(uint64_t)AT_FDCWD, WORD(name), WORD(&how), sizeof how},
		[ADDRESS] = {fd, WORD(change->address), size},
		[SEND] = {fd, WORD(name), 1, 0, WORD(change->address), size},
		[MESSAGE] = {fd, WORD(&message), change->number == SYS_sendmmsg},
	};

	memcpy(arguments, all[change->with], sizeof all[0]);
}

static void make_call(const struct change *change, bool changes_it)
{
	uint64_t arguments[6];
	long result;

	fill(change, arguments);
	stage_enters(stage.server, change->number, arguments);
	if (changes_it)
		change->change();
	result = syscall(change->number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
			 arguments[5]);
	cr_assert_eq(result < 0 ? errno : 0, change->error, "call %d: %s", change->number, strerror(errno));
	stage_leaves(stage.server, result < 0 ? -change->error : result);
}

Test(decode_changed, names_that_stay)
{
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		prepare(&changes[i]);
		make_call(&changes[i], false);
		stage_expect(changes[i].line);
		cr_expect_str_eq(buffer_text(&stage.incomplete), "");
		stage_tear_down();
	}
}

Test(decode_changed, names_that_change)
{
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		prepare(&changes[i]);
		make_call(&changes[i], true);
		stage_expect("");
		cr_expect(strstr(buffer_text(&stage.incomplete), " could not be told ("), "%zu, for %s", i,
			  changes[i].line);
		stage_tear_down();
	}
}

/* bpf(2) has its name in a structure. (It is told here alone: only root may make the call.) */
static void pin(bool changes_it)
{
	union bpf_attr pinned = {.pathname = WORD(name2)};

	prepare(&changes[0]);
	ENTERS(stage.server, SYS_bpf, BPF_OBJ_PIN, WORD(&pinned), sizeof pinned);
	if (changes_it)
		pinned.pathname = WORD(name);
	stage_leaves(stage.server, 0);
}

Test(decode_changed, pinned_name_that_stays)
{
	pin(false);
	stage_expect("call path=bpf call=bpf\ncreate type=file path=$D/d/n asked=yes call=bpf\n");
	cr_expect_str_eq(buffer_text(&stage.incomplete), "");
	stage_tear_down();
}

Test(decode_changed, pinned_name_that_changes)
{
	pin(true);
	stage_expect("call path=bpf call=bpf\n");
	cr_expect_str_eq(buffer_text(&stage.incomplete), "the path of a call could not be told (bpf)\n");
	stage_tear_down();
}

/* What clone(2) is told, as its stop has it. */
static void share_descriptors(void)
{
	const struct event event = {.kind = EVENT_SYSCALL_ENTRY,
				    .tid = stage.server->tid,
				    .architecture = architecture_native(),
				    .number = SYS_clone,
				    .arguments = {CLONE_FILES | SIGCHLD}};

	decoder_entry(stage.decoder, stage.server, &event);
}

/*
 * Opens d/f; before that is told, another process puts d/g in its descriptor's place, or only closes it. It is told of
 * the client, which has one thread.
 */
static void open_and_exchange(bool shares, bool closes)
{
	static char other_name[] = "d/g";
	int fd, other;

	prepare(&changes[0]);
	if (shares)
		share_descriptors();
	other = open(other_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ENTERS(stage.client, SYS_open, WORD(name), O_RDONLY);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	cr_assert(fd >= 0 && other >= 0 && dup2(other, fd) == fd);
	if (closes)
		close(fd);
	stage_leaves(stage.client, fd);
}

Test(decode_changed, descriptor_exchanged)
{
	open_and_exchange(true, false);
	stage_expect("use type=file path=$D/d/f rights=read_file asked=yes call=open\n");
	stage_tear_down();
}

Test(decode_changed, descriptor_closed)
{
	open_and_exchange(true, true);
	stage_expect("use type=file path=$D/d/f rights=read_file asked=yes call=open\n");
	stage_tear_down();
}

/* Where nobody can do that, the descriptor is believed: another name may lead to the same. */
Test(decode_changed, descriptor_of_ones_own)
{
	open_and_exchange(false, false);
	stage_expect("use type=file path=$D/d/g rights=read_file asked=yes call=open\n");
	stage_tear_down();
}
