/* What only looks at names, and what changes metadata: told as named or as found, and no grant comes of it. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/live/calls.h"

TestSuite(decode_look, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

#define LOOK(path, call) "look path=" path " unanswered=yes call=" call "\n"

static struct stat status;
static struct statx statx_status;

static int directory(void)
{
	return open("d", O_PATH | O_CLOEXEC);
}

LOOKS(decode_look, relative, ignore(syscall(SYS_newfstatat, AT_FDCWD, "to-d/../link", &status, 0)),
      LOOK("$D/to-d/../link", "newfstatat"))
LOOKS(decode_look, absolute, ignore(syscall(SYS_newfstatat, AT_FDCWD, "//usr/./lib//", &status, 0)),
      LOOK("/usr/lib", "newfstatat"))
LOOKS(decode_look, root, ignore(syscall(SYS_newfstatat, AT_FDCWD, "/", &status, 0)), LOOK("/", "newfstatat"))
LOOKS(decode_look, here, ignore(syscall(SYS_newfstatat, AT_FDCWD, ".", &status, 0)), LOOK("$D", "newfstatat"))
LOOKS(decode_look, by_descriptor, ignore(syscall(SYS_statx, directory(), "g", 0, STATX_TYPE, &statx_status)),
      LOOK("$D/d/g", "statx"))
LOOKS(decode_look, after_chdir, ignore(chdir("d"));
      ignore(syscall(SYS_readlinkat, AT_FDCWD, "e/no", "", 1)), LOOK("$D/d", "chdir") LOOK("$D/d/e/no", "readlinkat"))
LOOKS(decode_look, others, ignore(statfs("f", &(struct statfs){0})); ignore(getxattr("f", "user.x", NULL, 0));
      ignore(inotify_add_watch(-1, "d", IN_CREATE)),
      LOOK("$D/f", "statfs") LOOK("$D/f", "getxattr") LOOK("$D/d", "inotify_add_watch"))
LOOKS(decode_look, what_is_not_there_or_no_name, ignore(syscall(SYS_newfstatat, AT_FDCWD, "no", &status, 0));
      ignore(syscall(SYS_newfstatat, AT_FDCWD, "", &status, 0));
      ignore(syscall(SYS_newfstatat, AT_FDCWD, NULL, &status, 0));
      ignore(syscall(SYS_newfstatat, AT_FDCWD, (char *)1, &status, 0));
      ignore(syscall(SYS_newfstatat, 900, "f", &status, 0)), LOOK("$D/no", "newfstatat"))
LOOKS(decode_look, deleted_directory, ignore(chdir("d/e")); ignore(rmdir("../e"));
      ignore(syscall(SYS_newfstatat, AT_FDCWD, "x", &status, 0)),
      LOOK("$D/d/e", "chdir") "remove type=directory path=$D/d/e asked=yes call=rmdir\n")
LOOKS(decode_look, own_process, ignore(chdir("/proc/self"));
      ignore(syscall(SYS_newfstatat, AT_FDCWD, "maps", &status, 0)),
      LOOK("/proc/self", "chdir") LOOK("/proc/self/maps", "newfstatat"))

static void look(int at, const char *name)
{
	ignore(syscall(SYS_newfstatat, at, name, &status, 0));
}

/* As often as it takes for the tool to keep where they start. */
static void look_often(int at, const char *name)
{
	for (int i = 0; i < 12; i++)
		look(at, name);
}

static void replace(int fd, const char *path)
{
	dup3(open(path, O_PATH | O_CLOEXEC), fd, O_CLOEXEC);
}

#define OFTEN(line) line line line line line line line line line line line line

LOOKS(decode_look, often_from_directories_that_change, look_often(AT_FDCWD, "f"); ignore(chdir("d"));
      look_often(AT_FDCWD, "g"); ignore(rename("../d", "../moved"));
      look(AT_FDCWD, "g"),
      OFTEN(LOOK("$D/f", "newfstatat")) LOOK("$D/d", "chdir")
	      OFTEN(LOOK("$D/d/g", "newfstatat")) "rename type=directory path=$D/d path2=$D/moved asked=yes "
						  "call=rename\n" LOOK("$D/moved/g", "newfstatat"))
LOOKS(decode_look, often_from_descriptors_that_change, int at = directory(); look_often(at, "g"); replace(at, "d/e");
      look(at, "x"); close(at); look(at, "y"), OFTEN(LOOK("$D/d/g", "newfstatat")) LOOK("$D/d/e/x", "newfstatat"))

/* Without anybody who keeps them. */
CALLS(decode_look, nobody_keeps_looks, ignore(syscall(SYS_newfstatat, AT_FDCWD, "f", &status, 0));
      ignore(access("f", R_OK)); ignore(access("no", F_OK)); ignore(chmod("f", 0600)); ignore(chdir("d")), "")

#define CHECKED(name, mode) ignore(syscall(SYS_faccessat, AT_FDCWD, name, mode))

LOOKS(decode_look, checked_for_being_there, CHECKED("f", F_OK);
      CHECKED("no", F_OK), LOOK("$D/f", "faccessat") LOOK("$D/no", "faccessat"))
LOOKS(decode_look, checked_and_there, CHECKED("to-d/g", R_OK);
      CHECKED("f/x", R_OK), "look path=$D/to-d/g call=faccessat\nlook path=$D/f/x error=ENOTDIR call=faccessat\n")
#define MISSED                                                                                                         \
	CHECKED("no", R_OK);                                                                                           \
	CHECKED("to-d/no", W_OK | R_OK);                                                                               \
	CHECKED("dangling", X_OK);                                                                                     \
	CHECKED("", R_OK)
#define MISSING(path, rights) "missing path=" path " rights=" rights " error=ENOENT call=faccessat\n"
#define MISSED_LINES                                                                                                   \
	MISSING("$D/no", "read_file")                                                                                  \
	MISSING("$D/d/no", "read_file,write_file") MISSING("$D/absent", "execute,read_file")
LOOKS(decode_look, checked_and_missing, MISSED, MISSED_LINES)
CALLS(decode_look, checked_and_missing_for_nobody, MISSED, MISSED_LINES)
LOOKS(decode_look, checked_without_following,
      ignore(syscall(SYS_faccessat2, AT_FDCWD, "dangling", R_OK, AT_SYMLINK_NOFOLLOW)),
      "look path=$D/dangling call=faccessat2\n")

static void look_from_directory(void)
{
	int at = directory();

	look(at, "g");
	ignore(syscall(SYS_readlinkat, at, "g", "", 1));
	ignore(syscall(SYS_faccessat, at, "g", F_OK));
	ignore(syscall(SYS_faccessat2, at, "g", F_OK, 0));
	ignore(syscall(SYS_faccessat, at, "no", R_OK));
	close(at);
}

LOOKS(decode_look, from_a_directory, look_from_directory(),
      LOOK("$D/d/g", "newfstatat") LOOK("$D/d/g", "readlinkat") LOOK("$D/d/g", "faccessat") LOOK("$D/d/g", "faccessat2")
	      MISSING("$D/d/no", "read_file"))

#define METADATA(type, path, call) "metadata type=" type " path=" path " call=" call "\n"

LOOKS(decode_look, mode, ignore(syscall(SYS_fchmodat, AT_FDCWD, "link", 0600)), METADATA("file", "$D/d/g", "fchmodat"))
LOOKS(decode_look, mode_of_nothing, ignore(syscall(SYS_fchmodat, AT_FDCWD, "no", 0600)),
      "metadata path=$D/no error=ENOENT call=fchmodat\n")
LOOKS(decode_look, owner, ignore(syscall(SYS_fchownat, AT_FDCWD, "link", -1, -1, 0));
      ignore(syscall(SYS_fchownat, AT_FDCWD, "link", -1, -1, AT_SYMLINK_NOFOLLOW));
      ignore(syscall(SYS_fchownat, directory(), "", -1, -1, AT_EMPTY_PATH));
      ignore(syscall(SYS_fchownat, AT_FDCWD, "", -1, -1, AT_EMPTY_PATH));
      ignore(syscall(SYS_fchownat, directory(), "", -1, -1, 0)),
      METADATA("file", "$D/d/g", "fchownat") METADATA("symlink", "$D/link", "fchownat")
	      METADATA("directory", "$D/d", "fchownat") METADATA("directory", "$D", "fchownat"))
LOOKS(decode_look, times, ignore(utimensat(AT_FDCWD, "f", NULL, AT_SYMLINK_NOFOLLOW));
      ignore(futimens(directory(), NULL)), METADATA("file", "$D/f", "utimensat"))
LOOKS(decode_look, attributes, ignore(lremovexattr("link", "user.x")),
      "metadata type=symlink path=$D/link error=EPERM call=lremovexattr\n")

static void change_from_directory(void)
{
	int at = directory();

	ignore(syscall(SYS_fchmodat, at, "g", 0600));
	ignore(syscall(SYS_fchownat, at, "g", -1, -1, 0));
	ignore(syscall(SYS_utimensat, at, "g", NULL, 0));
	close(at);
}

LOOKS(decode_look, changed_from_a_directory, change_from_directory(),
      METADATA("file", "$D/d/g", "fchmodat") METADATA("file", "$D/d/g", "fchownat")
	      METADATA("file", "$D/d/g", "utimensat"))

/* No file system has attributes of this name. */
#define NO_NAME			  "none"
#define UNNAMED(type, path, call) "metadata type=" type " path=" path " error=EOPNOTSUPP call=" call "\n"

LOOKS(decode_look, attributes_of_each_kind, ignore(setxattr("link", NO_NAME, "", 0, 0));
      ignore(lsetxattr("link", NO_NAME, "", 0, 0)); ignore(removexattr("link", NO_NAME));
      ignore(lremovexattr("link", NO_NAME)); ignore(getxattr("link", NO_NAME, NULL, 0));
      ignore(lgetxattr("link", NO_NAME, NULL, 0)); ignore(listxattr("link", NULL, 0));
      ignore(llistxattr("link", NULL, 0)),
      UNNAMED("file", "$D/d/g", "setxattr") UNNAMED("symlink", "$D/link", "lsetxattr")
	      UNNAMED("file", "$D/d/g", "removexattr") UNNAMED("symlink", "$D/link", "lremovexattr")
		      LOOK("$D/link", "getxattr") LOOK("$D/link", "lgetxattr") LOOK("$D/link", "listxattr")
			      LOOK("$D/link", "llistxattr"))

static const struct trace_options enforced = {.calls = TRACE_CALLS_ENFORCED, .looks = true};

/* By their numbers, which the C library has no names for yet; ENOSYS where the kernel has none either. */
static int numbered_calls(void)
{
	const char empty[16] = {0};

	ignore(syscall(452, AT_FDCWD, "link", 0600, 0));		       /* fchmodat2 */
	ignore(syscall(463, AT_FDCWD, "f", 0, "user.x", empty, sizeof empty)); /* setxattrat */
	ignore(syscall(464, AT_FDCWD, "d/g", 0, "user.x", empty, 0));	       /* getxattrat */
	ignore(syscall(465, AT_FDCWD, "d/g", 0, NULL, 0));		       /* listxattrat */
	ignore(syscall(466, AT_FDCWD, "d/e", 0, "user.x"));		       /* removexattrat */
	ignore(syscall(468, AT_FDCWD, "d/g", NULL, 0, 0));		       /* file_getattr */
	ignore(syscall(469, AT_FDCWD, "other", NULL, 0, 0));		       /* file_setattr */
	return 0;
}

Test(decode_look, calls_without_names)
{
	struct recording recording;
	const char *lines;

	record_with(&recording, numbered_calls, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true});
	lines = buffer_text(&recording.accesses);
	cr_expect(strstr(lines, "metadata type=file path=$D/d/g "), "%s", lines);
	cr_expect(strstr(lines, " call=fchmodat2\n"), "%s", lines);
	cr_expect(strstr(lines, "metadata type=file path=$D/f "), "%s", lines);
	cr_expect(strstr(lines, " call=setxattrat\n"), "%s", lines);
	cr_expect(strstr(lines, LOOK("$D/d/g", "getxattrat")), "%s", lines);
	cr_expect(strstr(lines, LOOK("$D/d/g", "listxattrat")), "%s", lines);
	cr_expect(strstr(lines, "metadata type=directory path=$D/d/e "), "%s", lines);
	cr_expect(strstr(lines, " call=removexattrat\n"), "%s", lines);
	cr_expect(strstr(lines, LOOK("$D/d/g", "file_getattr")), "%s", lines);
	cr_expect(strstr(lines, "metadata type=directory path=$D/other "), "%s", lines);
	cr_expect(strstr(lines, " call=file_setattr\n"), "%s", lines);
	recording_finish(&recording);
}

/* A name becomes a handle, and the handle a descriptor, which has a name again. */
static int by_handle(void)
{
	struct {
		struct file_handle head;
		unsigned char room[MAX_HANDLE_SZ];
	} handle = {.head.handle_bytes = MAX_HANDLE_SZ};
	int mount;

	if (name_to_handle_at(AT_FDCWD, "link", &handle.head, &mount, AT_SYMLINK_FOLLOW) != 0)
		return errno;
	mount = open_by_handle_at(AT_FDCWD, &handle.head, O_RDONLY | O_CLOEXEC);
	return mount < 0 ? errno : 0;
}

Test(decode_look, handles)
{
	struct recording recording;

	record_with(&recording, by_handle, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true});
	if (recording.result)
		cr_skip_test("%s: open_by_handle_at(2) is for root, and some file systems have no handles",
			     strerrorname_np(recording.result));
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 LOOK("$D/link", "name_to_handle_at") "use type=file path=$D/d/g rights=read_file asked=yes "
							      "call=open_by_handle_at\n");
	recording_finish(&recording);
}

/* They stop for the word of their group anyway. */
Test(decode_look, metadata_with_enforced_alone)
{
	struct recording recording;

	record_with(&recording, mode_calls, &enforced);
	cr_expect_str_eq(buffer_text(&recording.accesses), METADATA("file", "$D/d/g", "fchmodat"));
	recording_finish(&recording);
}

Test(decode_look, no_looks_with_enforced)
{
	struct recording recording;

	record_with(&recording, relative_calls, &enforced);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	recording_finish(&recording);
}

/* A name is a path outside, whatever "/" is to the task. */
static int looks_within(void)
{
	pid_t child = fork();
	int ended;

	if (child == 0) {
		if ((unshare(CLONE_NEWUSER) != 0 && geteuid() != 0) || chroot("d") != 0)
			_exit(1);
		ignore(syscall(SYS_newfstatat, AT_FDCWD, "/e", &status, 0));
		ignore(chdir("/e"));
		_exit(0);
	}
	return waitpid(child, &ended, 0) == child ? ended : -1;
}

Test(decode_look, another_root)
{
	struct recording recording;

	record_with(&recording, looks_within, &(struct trace_options){.calls = TRACE_CALLS_ALL, .looks = true});
	if (recording.result)
		cr_skip_test("chroot(2) is not allowed here");
	cr_expect_str_eq(buffer_text(&recording.accesses), LOOK("$D/d/e", "newfstatat") LOOK("$D/d/e", "chdir"));
	recording_finish(&recording);
}
