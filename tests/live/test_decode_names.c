/* What calls say that make, remove and move names, or truncate. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/live/calls.h"

TestSuite(decode_names, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

/* In the fresh directory. */
static const char *absolute(const char *name)
{
	static char text[PATH_MAX * 2];
	char directory[PATH_MAX];

	snprintf(text, sizeof text, "%s/%s", getcwd(directory, sizeof directory), name);
	return text;
}

CALLS(decode_names, absolute_ones, opens(absolute("no"), O_RDONLY); opens(absolute("no/such/one"), O_RDONLY);
      opens(absolute("f"), O_WRONLY | O_CREAT); opens(absolute("f/x"), O_RDONLY); unlink(absolute("link"));
      opens(absolute("to-d"), O_WRONLY | O_CREAT | O_EXCL);
      ignore(truncate(absolute("d/g"), 0)),
      "missing path=$D/no rights=read_file error=ENOENT call=openat\n"
      "missing path=$D/no/such/one rights=read_file error=ENOENT call=openat\n"
      "use type=file path=$D/f rights=write_file absent=make_reg asked=yes call=openat\n"
      "remove type=symlink path=$D/link asked=yes call=unlink\n"
      "use type=symlink path=$D/to-d rights=write_file error=EEXIST call=openat\n"
      "use type=file path=$D/d/g rights=truncate asked=yes call=truncate\n")
CALLS(decode_names, absolute_ones_over_links, opens(absolute("to-d/no"), O_RDONLY);
      opens(absolute("to-d/no/such"), O_RDONLY); opens(absolute("dangling"), O_RDONLY);
      opens(absolute("dangling/no"), O_RDONLY); opens(absolute("to-d/e/../no"), O_RDONLY);
      ignore(truncate(absolute("link"), 0));
      unlink(absolute("to-d/g")), "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
				  "missing path=$D/d/no/such rights=read_file error=ENOENT call=openat\n"
				  "missing path=$D/absent rights=read_file error=ENOENT call=openat\n"
				  "missing path=$D/absent/no rights=read_file error=ENOENT call=openat\n"
				  "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n"
				  "use type=file path=$D/d/g rights=truncate asked=yes call=truncate\n"
				  "remove type=file path=$D/d/g asked=yes call=unlink\n")
CALLS(decode_names, absolute_ones_with_dots, opens(absolute("./no"), O_RDONLY); opens(absolute("no/../f"), O_RDONLY);
      opens(absolute("d/../no"), O_RDONLY);
      opens(absolute("d//no/"), O_RDONLY), "missing path=$D/no rights=read_file error=ENOENT call=openat\n"
					   "missing path=$D/no rights=read_file error=ENOENT call=openat\n"
					   "missing path=$D/d/no rights=read_file error=ENOENT call=openat\n")
CALLS(decode_names, make_directory, mkdir("n", 0700); mkdir("d", 0700); mkdir("f", 0700); mkdir("dangling", 0700);
      mkdir("x/y", 0700), "create type=directory path=$D/n asked=yes call=mkdir\n"
			  "use type=directory path=$D/d absent=make_dir error=EEXIST call=mkdir\n")
CALLS(decode_names, make_nodes, mknod("n", S_IFREG | 0600, 0); mkfifo("p", 0600); mkfifo("fifo", 0600);
      ignore(symlink("any/where", "s")); ignore(symlinkat("x", AT_FDCWD, "link")),
					 "create type=file path=$D/n asked=yes call=mknodat\n"
					 "create type=fifo path=$D/p asked=yes call=mknodat\n"
					 "use type=fifo path=$D/fifo absent=make_fifo error=EEXIST call=mknodat\n"
					 "create type=symlink path=$D/s asked=yes call=symlink\n"
					 "use type=symlink path=$D/link absent=make_sym error=EEXIST call=symlinkat\n")
CALLS(decode_names, remove_names, unlink("link"); unlink("f"); rmdir("other/"); unlinkat(AT_FDCWD, "d/e", AT_REMOVEDIR);
      rmdir("d"), "remove type=symlink path=$D/link asked=yes call=unlink\n"
		  "remove type=file path=$D/f asked=yes call=unlink\n"
		  "remove type=directory path=$D/other asked=yes call=rmdir\n"
		  "remove type=directory path=$D/d/e asked=yes call=unlinkat\n"
		  "remove type=directory path=$D/d asked=yes error=ENOTEMPTY call=rmdir\n")
CALLS(decode_names, remove_with_the_wrong_call, unlink("d");
      rmdir("f"), "remove type=file path=$D/d asked=yes error=EISDIR call=unlink\n"
		  "remove type=directory path=$D/f asked=yes error=ENOTDIR call=rmdir\n")
CALLS(decode_names, rename_names, rename("f", "to-d/n"); rename("to-d/n", "d/g"); rename("d", "moved/");
      rename("no", "x"), "rename type=file path=$D/f path2=$D/d/n asked=yes call=rename\n"
			 "rename type=file path=$D/d/n path2=$D/d/g replaced=file asked=yes call=rename\n"
			 "rename type=directory path=$D/d path2=$D/moved asked=yes call=rename\n")
CALLS(decode_names, rename_links, rename("link", "dangling"),
      "rename type=symlink path=$D/link path2=$D/dangling replaced=symlink asked=yes call=rename\n")
CALLS(decode_names, exchange, renameat2(AT_FDCWD, "f", AT_FDCWD, "d/e", RENAME_EXCHANGE),
      "exchange type=file path=$D/f path2=$D/d/e replaced=directory asked=yes call=renameat2\n")
CALLS(decode_names, rename_onto_nothing_only, renameat2(AT_FDCWD, "f", AT_FDCWD, "d/g", RENAME_NOREPLACE);
      renameat2(AT_FDCWD, "f", AT_FDCWD, "d/n", RENAME_NOREPLACE),
      "rename type=file path=$D/f path2=$D/d/n asked=yes call=renameat2\n")
CALLS(decode_names, link_names, ignore(link("f", "d/n")); ignore(link("link", "n"));
      ignore(linkat(AT_FDCWD, "link", AT_FDCWD, "m", AT_SYMLINK_FOLLOW)),
      "link type=file path=$D/f path2=$D/d/n asked=yes call=link\n"
      "link type=symlink path=$D/link path2=$D/n asked=yes call=link\n"
      "link type=file path=$D/d/g path2=$D/m asked=yes call=linkat\n")

/* Each form that takes a directory, with two that are not the present one. */
static void use_directories(void)
{
	struct open_how how = {.flags = O_RDONLY};
	int from = open("d", O_PATH | O_CLOEXEC), to = open("other", O_PATH | O_CLOEXEC);

	shut((int)syscall(SYS_openat2, from, "g", &how, sizeof how));
	ignore(mkdirat(from, "m", 0700));
	ignore(mknodat(from, "n", S_IFIFO | 0600, 0));
	ignore(symlinkat("x", from, "s"));
	ignore(linkat(from, "g", to, "l", 0));
	ignore(renameat(from, "g", to, "r"));
	ignore(renameat2(to, "r", from, "t", RENAME_NOREPLACE));
	ignore(unlinkat(from, "s", 0));
	ignore(unlinkat(from, "m", AT_REMOVEDIR));
	close(from);
	close(to);
}

CALLS(decode_names, with_directories, use_directories(),
      "use type=file path=$D/d/g rights=read_file asked=yes call=openat2\n"
      "create type=directory path=$D/d/m asked=yes call=mkdirat\n"
      "create type=fifo path=$D/d/n asked=yes call=mknodat\n"
      "create type=symlink path=$D/d/s asked=yes call=symlinkat\n"
      "link type=file path=$D/d/g path2=$D/other/l asked=yes call=linkat\n"
      "rename type=file path=$D/d/g path2=$D/other/r asked=yes call=renameat\n"
      "rename type=file path=$D/other/r path2=$D/d/t asked=yes call=renameat2\n"
      "remove type=symlink path=$D/d/s asked=yes call=unlinkat\n"
      "remove type=directory path=$D/d/m asked=yes call=unlinkat\n")

/* A device that no driver has (0, 0) is for everybody: it covers a name on an overlay. */
CALLS(decode_names, make_sockets_and_no_devices, mknod("s", S_IFSOCK | 0600, 0); mknod("c", S_IFCHR | 0600, 0);
      mknod("none", 0600, 0); mknod("wrong", S_IFDIR | 0700, 0);
      mknod("fifo", S_IFSOCK | 0600, 0), "create type=socket path=$D/s asked=yes call=mknodat\n"
					 "create type=character path=$D/c asked=yes call=mknodat\n"
					 "create type=file path=$D/none asked=yes call=mknodat\n")

/* Landlock is asked before the kernel finds that this is for root alone. */
static int make_devices(void)
{
	mknod("n", S_IFCHR | 0600, makedev(1, 3));
	mknod("b", S_IFBLK | 0600, makedev(7, 200));
	return access("b", F_OK);
}

Test(decode_names, make_devices)
{
	struct recording recording;

	record(&recording, make_devices, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 recording.result ? "create type=character path=$D/n asked=yes error=EPERM call=mknodat\n"
					    "create type=block path=$D/b asked=yes error=EPERM call=mknodat\n"
					  : "create type=character path=$D/n asked=yes call=mknodat\n"
					    "create type=block path=$D/b asked=yes call=mknodat\n",
			 "%s", buffer_text(&recording.accesses));
	recording_finish(&recording);
}

/* A rename that leaves a whiteout, a device: its directory must be one where such may be made. */
static int leave_whiteout(void)
{
	return renameat2(AT_FDCWD, "f", AT_FDCWD, "d/n", RENAME_WHITEOUT) == 0 ? 0 : errno;
}

Test(decode_names, leave_whiteout)
{
	struct recording recording;

	record(&recording, leave_whiteout, TRACE_CALLS_ENFORCED);
	if (recording.result)
		cr_skip_test("%s: this user or file system leaves none", strerrorname_np(recording.result));
	cr_expect_str_eq(buffer_text(&recording.accesses),
			 "rename type=file path=$D/f path2=$D/d/n asked=yes call=renameat2\n", "%s",
			 buffer_text(&recording.accesses));
	recording_finish(&recording);
}

/* Truncating: by name, by a descriptor of the session, and by one from before it. */
static int before = -1;

static void truncate_all(void)
{
	int fd = open("d/g", O_WRONLY | O_CLOEXEC);

	cr_assert_eq(truncate("link", 1) | ftruncate(fd, 2) | ftruncate(before, 3), 0);
	close(fd);
}

static int truncate_calls(void)
{
	truncate_all();
	return 0;
}

Test(decode_names, truncate_all)
{
	before = open("f", O_WRONLY);
	expect_accesses(truncate_calls,
			"use type=file path=$D/d/g rights=write_file asked=yes call=openat\n"
			"use type=file path=$D/d/g rights=truncate asked=yes call=truncate\n"
			"use type=file path=$D/d/g rights=truncate asked=yes call=ftruncate\n"
			"use type=file path=$D/f rights=truncate asked=yes inherited=yes call=ftruncate\n");
}
