/* Where a decoder may go wrong: other roots, long and bad names, closed memory, other ABIs. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tests/live/calls.h"

TestSuite(decode_edges, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

static int changed_root(void)
{
	if (getuid() != 0 && unshare(CLONE_NEWUSER) != 0)
		return errno; /* then there is nobody to be root for */
	if (chroot("d") != 0 || chdir("/") != 0)
		return errno;
	opens("/g", O_RDONLY);
	opens("/../n", O_WRONLY | O_CREAT);
	opens("/no", O_RDONLY);
	mkdir("../m", 0700);
	rename("n", "/e/n");
	return 0;
}

static int in_another_root(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(changed_root());
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

/* Stored as it is named from outside. */
Test(decode_edges, another_root)
{
	struct recording recording;

	record(&recording, in_another_root, TRACE_CALLS_ALL);
	if (recording.result != 0)
		cr_skip_test("this user cannot change its root: %s", strerror(recording.result));
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "use type=file path=$D/d/g rights=read_file asked=yes call=openat\n"
			 "create type=file path=$D/d/n rights=write_file asked=yes call=openat\n"
			 "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
			 "create type=directory path=$D/d/m asked=yes call=mkdir\n"
			 "rename type=file path=$D/d/n path2=$D/d/e/n asked=yes call=rename\n",
			 "\n%s%s", buffer_text(&recording.accesses), buffer_text(&recording.incomplete));
	recording_finish(&recording);
}

static int with_long_names(void)
{
	char name[5000];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	opens(name, O_RDONLY);
	mkdir(name, 0700);
	name[200] = '\0';
	opens(name, O_WRONLY | O_CREAT);
	return errno == EINVAL;
}

Test(decode_edges, long_names)
{
	struct recording recording;

	record(&recording, with_long_names, TRACE_CALLS_ENFORCED);
	cr_expect_eq(strncmp(buffer_text(&recording.accesses), "create type=file path=$D/xxxx", 29), 0);
	cr_expect_eq(buffer_text(&recording.incomplete)[0], '\0');
	recording_finish(&recording);
}

#define Y20 "yyyyyyyyyyyyyyyyyyyy"
static const char deep_name[] = Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20 Y20;

/* Deeper than PATH_MAX, one step at a time. */
static int go_deep(void)
{
	for (int i = 0; i < 25; i++)
		if (mkdir(deep_name, 0700) != 0 || chdir(deep_name) != 0)
			return errno;
	return 0;
}

/* What is told of the deepest directory, $DEEP, and beneath. */
static char *deep_lines(const struct recording *recording)
{
	scoped_buffer deep = {0}, text = {0};
	const char *at = buffer_text(&recording->accesses), *first;

	buffer_add_text(&deep, "$D");
	for (int i = 0; i < 25; i++)
		buffer_format(&deep, "/%s", deep_name);
	for (const char *found = at; (found = strstr(at, deep.data)); at = found + deep.length) {
		buffer_add(&text, at, (size_t)(found - at));
		buffer_add_text(&text, "$DEEP");
	}
	buffer_add_text(&text, at);
	first = strstr(text.data, "create type=file");
	return duplicate(first ? first : text.data);
}

static int in_the_deep(void)
{
	int fd, result = go_deep();
	struct stat status;

	if (result)
		return result;
	fd = open("f", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (ftruncate(fd, 2) != 0 || mkdir("d", 0700) != 0 || rename("f", "d/g") != 0 || ftruncate(fd, 1) != 0 ||
	    truncate("d/g", 0) != 0)
		return errno;
	ignore(syscall(SYS_newfstatat, AT_FDCWD, "d/g", &status, 0));
	return shut(fd) | opens("d/../d/g", O_RDONLY) | opens(".", O_RDONLY) | opens("d", O_RDONLY) | unlink("d/g") |
	       (opens("none", O_RDONLY) != ENOENT);
}

/* The kernel tells no path there, which is found from above. */
Test(decode_edges, beyond_path_max)
{
	struct recording recording;
	scoped_free char *lines = NULL;

	record_with(&recording, in_the_deep, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true});
	cr_expect_eq(recording.result, 0);
	lines = deep_lines(&recording);
	cr_expect_str_eq(lines,
			 "create type=file path=$DEEP/f rights=write_file asked=yes call=openat\n"
			 "use type=file path=$DEEP/f rights=truncate asked=yes call=ftruncate\n"
			 "create type=directory path=$DEEP/d asked=yes call=mkdir\n"
			 "rename type=file path=$DEEP/f path2=$DEEP/d/g asked=yes call=rename\n"
			 "use type=file path=$DEEP/d/g rights=truncate asked=yes call=truncate\n"
			 "look path=$DEEP/d/g unanswered=yes call=newfstatat\n"
			 "use type=file path=$DEEP/d/g rights=read_file asked=yes call=openat\n"
			 "use type=directory path=$DEEP rights=read_dir asked=yes call=openat\n"
			 "use type=directory path=$DEEP/d rights=read_dir asked=yes call=openat\n"
			 "remove type=file path=$DEEP/d/g asked=yes call=unlink\n"
			 "missing path=$DEEP/none rights=read_file error=ENOENT call=openat\n",
			 "%s", lines);
	/* Of a file that was moved since it was opened, the descriptor alone is there. */
	cr_expect_str_eq(buffer_text(&recording.incomplete), "the path of a call could not be told (ftruncate)\n");
	recording_finish(&recording);
}

static int bad_addresses(void)
{
	syscall(SYS_openat, AT_FDCWD, 1, O_RDONLY);
	syscall(SYS_openat, AT_FDCWD, NULL, O_WRONLY | O_CREAT, 0600);
	syscall(SYS_rename, 1, "x");
	syscall(SYS_execve, 1, NULL, NULL);
	syscall(SYS_openat2, AT_FDCWD, "f", 1, 24);
	syscall(SYS_connect, 0, 1, 16);
	return 0;
}

Test(decode_edges, bad_addresses)
{
	struct recording recording;

	record(&recording, bad_addresses, TRACE_CALLS_ALL);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	cr_expect_str_eq(buffer_text(&recording.notices), "");
	recording_finish(&recording);
}

static int closed_memory(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	return opens("f", O_RDONLY);
}

/* Nothing is seen of a process that closed itself to us: no path rather than a wrong one. */
Test(decode_edges, unreadable)
{
	struct recording recording;

	record(&recording, closed_memory, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	if (getuid() == 0) {
		cr_expect_neq(buffer_text(&recording.accesses)[0], '\0'); /* nothing is closed to root */
	} else {
		cr_expect_str_eq(buffer_text(&recording.accesses), "");
		cr_expect_neq(buffer_text(&recording.incomplete)[0], '\0');
	}
	recording_finish(&recording);
}

/* What leads around the tracer. */
static int ring(void)
{
	char parameters[120] = "";

	return syscall(SYS_io_uring_setup, 4, parameters) == -1 ? errno : 0;
}

Test(decode_edges, io_uring_is_refused)
{
	struct recording recording;

	record(&recording, ring, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, ENOSYS);
	cr_expect_str_eq(buffer_text(&recording.incomplete), "io_uring was refused while learning\n");
	recording_finish(&recording);
}

static int mounting(void)
{
	return mount("none", "d", "tmpfs", 0, NULL) != 0 ? errno : umount("d");
}

Test(decode_edges, mounting_is_said)
{
	struct recording recording;

	record(&recording, mounting, TRACE_CALLS_ENFORCED);
	cr_expect(strstr(buffer_text(&recording.incomplete), "mount was called, which does not work under Landlock\n"));
	recording_finish(&recording);
}

#define NOBODY 65534

/* As who may not mount: then each is refused, as under Landlock. The first one finds nothing, which comes before. */
static int mount_in_each_way(void)
{
	if (getuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return errno;
	ignore(umount2("/nothing", 0));
	ignore(mount("none", "/", "tmpfs", 0, NULL));
	ignore(umount2("/", MNT_DETACH));
	ignore(syscall(SYS_pivot_root, "/", "/"));
	ignore(syscall(SYS_move_mount, AT_FDCWD, "/", AT_FDCWD, "/", 0));
	return 0;
}

#define BARRED(call) call " was called, which does not work under Landlock\n"

Test(decode_edges, each_way_to_mount_is_said)
{
	struct recording recording;

	record(&recording, mount_in_each_way, TRACE_CALLS_ENFORCED);
	cr_expect_eq(recording.result, 0);
	cr_expect_str_eq(buffer_text(&recording.incomplete),
			 BARRED("mount") BARRED("umount2") BARRED("pivot_root") BARRED("move_mount"));
	recording_finish(&recording);
}

/* It lies on a mount of the kernel's own. */
static int make_queue(void)
{
	char name[64];
	mqd_t queue;

	snprintf(name, sizeof name, "/trace-learn-%d", (int)getpid());
	queue = mq_open(name, O_RDONLY | O_CREAT | O_EXCL, 0600, NULL);
	if (queue == (mqd_t)-1)
		return errno;
	mq_close(queue);
	return mq_unlink(name) == 0 ? 0 : errno;
}

Test(decode_edges, message_queues_are_said)
{
	struct recording recording;

	record(&recording, make_queue, TRACE_CALLS_ENFORCED);
	if (recording.result)
		cr_skip_test("%s: there are no message queues here", strerrorname_np(recording.result));
	cr_expect_str_eq(buffer_text(&recording.incomplete), BARRED("mq_open"));
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	recording_finish(&recording);
}

#ifdef __x86_64__
static int other_abi(void)
{
	return syscall(0x40000000 | SYS_openat, AT_FDCWD, "f", O_RDONLY) == -1 ? errno : 0;
}

/* x32 on a kernel without it: as natively, and no word. With it: said. */
Test(decode_edges, x32)
{
	struct recording recording;

	record(&recording, other_abi, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.incomplete),
			 recording.result == ENOSYS ? "" : "calls of an unknown ABI were made, and not seen\n");
	recording_finish(&recording);
}

static long call_i386(long number, long first, long second, long third)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
	return result;
}

/* 5 is open there, and fstat here. */
static int i386_calls(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long fd;

	strcpy(low, "link");
	fd = call_i386(5, (long)low, O_RDONLY, 0);
	if (fd == -ENOSYS)
		return ENOSYS;
	close((int)fd);
	strcpy(low, "n");
	call_i386(39, (long)low, 0700, 0);	/* mkdir */
	call_i386(8, (long)low, 0, 0);		/* creat: it is a directory */
	call_i386(20, 0, 0, 0);			/* getpid does not stop */
	call_i386(463, AT_FDCWD, (long)low, 0); /* setxattrat, which libseccomp has no name of */
	return 0;
}

Test(decode_edges, i386)
{
	struct recording recording;

	record(&recording, i386_calls, TRACE_CALLS_ENFORCED);
	if (recording.result == ENOSYS)
		cr_skip_test("this kernel runs no 32-bit programs");
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "use type=file path=$D/d/g rights=read_file asked=yes call=open\n"
			 "create type=directory path=$D/n asked=yes call=mkdir\n"
			 "use type=directory path=$D/n rights=write_file error=EISDIR call=creat\n",
			 "\n%s", buffer_text(&recording.accesses));
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	cr_expect(strstr(buffer_text(&recording.calls), "call path=metadata") &&
			  strstr(buffer_text(&recording.calls), "call=setxattrat"),
		  "%s", buffer_text(&recording.calls));
	recording_finish(&recording);
}
#endif
