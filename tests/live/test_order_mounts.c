/* The kernel's order of checks where it takes a file system of a special kind: in mounts of our own. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/live/prove.h"

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);

	must(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void map_id(const char *name, unsigned id)
{
	char map[64];

	snprintf(map, sizeof map, "0 %u 1\n", id);
	write_file(name, map);
}

/* Mounts of our own. A plain user becomes root of a user namespace, where that is allowed. */
static void enter_namespace(void)
{
	static bool entered;
	uid_t user = getuid();
	gid_t group = getgid();

	if (entered)
		return;
	entered = true;
	if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
		_exit(CANNOT_FURNISH);
	if (user != 0) {
		write_file("/proc/self/setgroups", "deny");
		map_id("/proc/self/uid_map", user);
		map_id("/proc/self/gid_map", group);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		_exit(CANNOT_FURNISH);
}

TestSuite(order_mounts, .timeout = 60);

static void mount_on(const char *name, const char *type, unsigned long flags, const char *options)
{
	must(mkdir(name, 0755) == 0);
	must(mount("none", name, type, flags, options) == 0);
}

/* Only the real root can do so. Without, the calls on such a file are proved as those on any other. */
static void set_attributes(const char *name, int attributes)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	must(ioctl(fd, FS_IOC_SETFLAGS, &attributes) == 0 || errno == EPERM || errno == ENOTTY);
	close(fd);
}

/* A file system without room, one that is read-only, one without execution, and files that nobody may change. */
static void furnish(void)
{
	char here[4096];

	enter_namespace();
	must(getcwd(here, sizeof here));
	must(mount("none", here, "tmpfs", 0, NULL) == 0 && chdir(here) == 0);
	mount_on("room", "tmpfs", 0, "nr_inodes=4,size=4k");
	make_file("room/script", "#!/bin/sh\n");
	must(mkdir("room/a", 0755) == 0 && mkdir("room/b", 0755) == 0);
	mount_on("fixed", "tmpfs", 0, NULL);
	make_file("fixed/file", "text\n");
	make_file("fixed/script", "#!/bin/sh\n");
	must(mkdir("fixed/full", 0755) == 0);
	must(mount(NULL, "fixed", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOEXEC, NULL) == 0);
	mount_on("special", "tmpfs", 0, NULL);
	make_file("special/immutable", "text\n");
	make_file("special/appended", "text\n");
	must(mkdir("special/directory", 0755) == 0);
	make_file("special/directory/file", "text\n");
	set_attributes("special/immutable", FS_IMMUTABLE_FL);
	set_attributes("special/appended", FS_APPEND_FL);
	set_attributes("special/directory", FS_IMMUTABLE_FL);
	mount_on("special/mounted", "tmpfs", 0, NULL);
	must(mkdir("low", 0755) == 0 && mkdir("low/sub", 0755) == 0 && mkdir("low/full", 0755) == 0);
	make_file("low/file", "text\n");
	make_file("low/full/file", "text\n");
	must(mkdir("up", 0755) == 0 && mkdir("work", 0755) == 0);
	mount_on("merged", "overlay", 0, "lowerdir=low,upperdir=up,workdir=work,userxattr");
	must(mkdir("pinned", 0755) == 0);
	must(mount("none", "pinned", "bpf", 0, NULL) == 0 || errno == EPERM); /* else in vain, and the same for all */
	mount_on("copy", "tmpfs", 0, NULL);
	must(mount("special", "copy", NULL, MS_BIND, NULL) == 0);
}

#define SCENARIO(name, call) PROVE(order_mounts, furnish, name, call)

SCENARIO(create_without_room, open("room/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(make_directory_without_room, mkdir("room/new", 0700))
SCENARIO(make_link_without_room, symlink("x", "room/new"))
SCENARIO(make_nameless_without_room, open("room", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600))
SCENARIO(execute_with_room, access("room/script", X_OK))

SCENARIO(read_fixed, open("fixed/file", O_RDONLY | O_CLOEXEC))
SCENARIO(write_fixed, open("fixed/file", O_WRONLY | O_CLOEXEC))
SCENARIO(create_in_fixed, open("fixed/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(create_over_fixed, open("fixed/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(truncate_fixed_by_reading, open("fixed/file", O_RDONLY | O_TRUNC | O_CLOEXEC))
SCENARIO(make_directory_in_fixed, mkdir("fixed/new", 0700))
SCENARIO(make_directory_over_fixed, mkdir("fixed/full", 0700))
SCENARIO(unlink_in_fixed, unlink("fixed/file"))
SCENARIO(unlink_directory_in_fixed, unlink("fixed/full"))
SCENARIO(rmdir_in_fixed, rmdir("fixed/full"))
SCENARIO(rmdir_file_in_fixed, rmdir("fixed/file"))
SCENARIO(rename_in_fixed, rename("fixed/file", "fixed/new"))
SCENARIO(link_in_fixed, link("fixed/file", "fixed/new"))
SCENARIO(truncate_fixed, truncate("fixed/file", 1))
SCENARIO(execute_unexecutable, execl("fixed/script", "x", (char *)NULL))

SCENARIO(write_immutable, open("special/immutable", O_WRONLY | O_CLOEXEC))
SCENARIO(truncate_immutable, truncate("special/immutable", 1))
SCENARIO(unlink_immutable, unlink("special/immutable"))
SCENARIO(rename_immutable, rename("special/immutable", "special/new"))
SCENARIO(link_immutable, link("special/immutable", "special/new"))
SCENARIO(write_appended, open("special/appended", O_WRONLY | O_CLOEXEC))
SCENARIO(append_to_appended, open("special/appended", O_WRONLY | O_APPEND | O_CLOEXEC))
SCENARIO(truncate_appended, truncate("special/appended", 1))
SCENARIO(open_truncating_appended, open("special/appended", O_RDONLY | O_TRUNC | O_CLOEXEC))
SCENARIO(create_in_immutable, open("special/directory/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600))
SCENARIO(make_directory_in_immutable, mkdir("special/directory/new", 0700))
SCENARIO(unlink_in_immutable, unlink("special/directory/file"))
SCENARIO(rmdir_mounted, rmdir("special/mounted"))
SCENARIO(rename_mounted, rename("special/mounted", "special/new"))
SCENARIO(rename_between_mounts, rename("special/appended", "fixed/new"))
SCENARIO(rename_between_copies, rename("special/mounted", "copy/new"))
SCENARIO(link_between_copies, link("special/directory/file", "copy/new"))
/* Who may not make a map pins nothing: EBADF. */
static long pin(const char *name)
{
	union bpf_attr attributes;
	int map;

	memset(&attributes, 0, sizeof attributes);
	attributes.map_type = BPF_MAP_TYPE_ARRAY;
	attributes.key_size = attributes.value_size = 4;
	attributes.max_entries = 1;
	map = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
	memset(&attributes, 0, sizeof attributes);
	attributes.pathname = (uintptr_t)name;
	attributes.bpf_fd = (uint32_t)map;
	return syscall(SYS_bpf, BPF_OBJ_PIN, &attributes, sizeof attributes);
}

static long pin_twice(void)
{
	pin("pinned/new");
	return pin("pinned/new");
}

static long pin_and_get(void)
{
	union bpf_attr attributes;

	pin("pinned/new");
	memset(&attributes, 0, sizeof attributes);
	attributes.pathname = (uintptr_t) "pinned/new";
	return syscall(SYS_bpf, BPF_OBJ_GET, &attributes, sizeof attributes);
}

SCENARIO(pin_new, pin("pinned/new"))
SCENARIO(pin_elsewhere, pin("room/new"))
SCENARIO(pin_nowhere, pin("pinned/none/new"))
SCENARIO(pin_again, pin_twice())
SCENARIO(get_pinned, pin_and_get())

/* Directories of the lower layer cannot be renamed (EXDEV), which overlayfs says last. */
SCENARIO(rename_lower_directory, rename("merged/sub", "merged/new"))
SCENARIO(rename_lower_file, rename("merged/file", "merged/new"))
SCENARIO(rename_lower_file_across, rename("merged/file", "merged/sub/new"))
SCENARIO(rename_over_lower, rename("merged/file", "merged/full/file"))
SCENARIO(unlink_lower, unlink("merged/file"))
SCENARIO(rmdir_lower, rmdir("merged/sub"))
SCENARIO(rmdir_lower_full, rmdir("merged/full"))
SCENARIO(link_lower, link("merged/file", "merged/new"))
SCENARIO(make_in_merged, mkdir("merged/new", 0755))
SCENARIO(make_over_lower, mkdir("merged/sub", 0755))
SCENARIO(write_lower, open("merged/file", O_WRONLY | O_CLOEXEC))
SCENARIO(truncate_lower, truncate("merged/file", 1))
SCENARIO(open_direct, open("/proc/self/status", O_RDONLY | O_DIRECT | O_CLOEXEC))
