#include "runner/verify_files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/rights.h"

enum { OUTSIDE, GRANTED, REFUSED };

static int result_of(long value)
{
	return value < 0 ? errno : 0;
}

static int open_and_close(const char *name, int flags)
{
	scoped_fd fd = open(name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);

	return result_of(fd);
}

/* Neither an ELF file nor a script: ENOEXEC comes after Landlock's check. */
static int try_execute(void)
{
	static char name[] = "file";
	char *const arguments[] = {name, NULL};

	return result_of(execve(name, arguments, arguments + 1));
}

static int try_write_file(void)
{
	return open_and_close("file", O_WRONLY);
}

static int try_read_file(void)
{
	return open_and_close("file", O_RDONLY);
}

static int try_read_dir(void)
{
	return open_and_close("empty", O_RDONLY | O_DIRECTORY);
}

static int try_remove_dir(void)
{
	return result_of(rmdir("empty"));
}

static int try_remove_file(void)
{
	return result_of(unlink("file"));
}

/* Device 0, 0 is the one that needs no privilege. */
static int try_make_char(void)
{
	return result_of(mknod("new", S_IFCHR | 0600, 0));
}

static int try_make_dir(void)
{
	return result_of(mkdir("new", 0700));
}

static int try_make_reg(void)
{
	return result_of(mknod("new", S_IFREG | 0600, 0));
}

static int try_make_sock(void)
{
	return result_of(mknod("new", S_IFSOCK | 0600, 0));
}

static int try_make_fifo(void)
{
	return result_of(mknod("new", S_IFIFO | 0600, 0));
}

/* Without CAP_MKNOD it ends in EPERM, after Landlock's check. */
static int try_make_block(void)
{
	return result_of(mknod("new", S_IFBLK | 0600, 0));
}

static int try_make_sym(void)
{
	return result_of(symlink("file", "new"));
}

static int try_refer(void)
{
	return result_of(rename("file", "empty/file"));
}

static int try_truncate(void)
{
	return open_and_close("file", O_WRONLY | O_TRUNC);
}

/* No terminal, so ENOTTY, after Landlock's check. */
static int try_ioctl_dev(void)
{
	scoped_fd fd = open("device", O_RDONLY | O_CLOEXEC);
	char settings[256];

	return fd < 0 ? errno : result_of(ioctl(fd, TCGETS, settings));
}

static int try_resolve_unix(void)
{
	struct sockaddr_un address = {AF_UNIX, "socket"};
	scoped_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? errno : result_of(connect(fd, (struct sockaddr *)&address, sizeof address));
}

static int try_right(rights_t right)
{
	static int (*const ways[])(void) = {
		try_execute,   try_write_file, try_read_file, try_read_dir,  try_remove_dir,  try_remove_file,
		try_make_char, try_make_dir,   try_make_reg,  try_make_sock, try_make_fifo,   try_make_block,
		try_make_sym,  try_refer,      try_truncate,  try_ioctl_dev, try_resolve_unix};
	_Static_assert(ARRAY_LENGTH(ways) == VERIFY_FILE_PROBES, "one for each right");

	return ways[__builtin_ctzll(right)]();
}

/* Rights on what lies in a directory beneath this one; what is there by another path does not matter here. */
static rights_t rights_in(const struct reach *reach, const char *directory)
{
	scoped_free char *within = format_text("%s/x", directory);

	return reach_rights(reach, within);
}

static char *find_place(const struct reach *reach)
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp", getenv("XDG_RUNTIME_DIR"), "/var/tmp", "/dev/shm"};
	char *best = NULL;
	int fewest = VERIFY_FILE_PROBES + 1;

	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		char *real = places[i] && *places[i] == '/' ? realpath(places[i], NULL) : NULL;
		int rights = real && access(real, W_OK | X_OK) == 0
				     ? __builtin_popcountll(rights_in(reach, real) & RIGHTS_FILE_SYSTEM)
				     : fewest;

		if (rights < fewest) {
			free(best);
			best = steal_pointer(&real);
			fewest = rights;
		}
		free(real);
	}
	return best;
}

static int make_in(const char *directory, struct error *err)
{
	scoped_free char *file = format_text("%s/file", directory), *empty = format_text("%s/empty", directory);
	scoped_fd fd = -1;

	if (mkdir(directory, 0700) < 0 || mkdir(empty, 0700) < 0)
		return error_set_errno(err, errno, "%s", directory);
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0 || write(fd, "?\n", 2) != 2)
		return error_set_errno(err, errno, "%s", file);
	return 0;
}

/* Devices cannot be made by everybody: there are two, and outside it is the one that is refused inside. */
static int make_device(const char *directory, bool granted, struct error *err)
{
	scoped_free char *name = format_text("%s/device", directory);

	if (symlink(granted ? "/dev/zero" : "/dev/null", name) < 0)
		return error_set_errno(err, errno, "%s", name);
	return 0;
}

static void allow(struct ruleset *ruleset, const char *path, rights_t rights)
{
	static const struct grant none;

	*ARRAY_APPEND(ruleset->paths, ruleset->path_count, ruleset->path_capacity) =
		(struct ruleset_path){path, rights & ruleset->handled, &none};
}

/* The granted and the refused place, as rules have them. */
static const char *place_of(const struct verify_file *probe, int which)
{
	if (probe->right->bit == RIGHT_IOCTL_DEV)
		return which == GRANTED ? "/dev/zero" : "/dev/null";
	return probe->paths[which];
}

static void add_rules(const struct verify_file *probe, struct ruleset *ruleset)
{
	rights_t rights = probe->right->bit == RIGHT_IOCTL_DEV ? RIGHT_READ_FILE | RIGHT_IOCTL_DEV
							       : RIGHTS_FILE_SYSTEM & ruleset->handled;

	allow(ruleset, place_of(probe, GRANTED), rights);
	allow(ruleset, place_of(probe, REFUSED), rights & ~probe->right->bit);
}

static int make_probe(struct verify_file *probe, const char *scratch, struct error *err)
{
	static const char *const names[] = {"outside", "granted", "refused"};
	scoped_free char *top = format_text("%s/%s", scratch, probe->right->name);

	if (mkdir(top, 0700) < 0)
		return error_set_errno(err, errno, "%s", top);
	for (int i = 0; i < 3; i++) {
		probe->paths[i] = format_text("%s/%s", top, names[i]);
		if (make_in(probe->paths[i], err) < 0 ||
		    (probe->right->bit == RIGHT_IOCTL_DEV && make_device(probe->paths[i], i == GRANTED, err) < 0))
			return -err->number;
	}
	return 0;
}

int verify_files_make(struct verify_files *files, struct ruleset *ruleset, const struct reach *reach, struct error *err)
{
	scoped_free char *place = find_place(reach);
	size_t count = 0;

	*files = (struct verify_files){.handled = ruleset->handled & RIGHTS_FILE_SYSTEM};
	if (!place)
		return error_set(err, ENOENT,
				 "no directory for the scratch tree: set TMPDIR to one that can be written");
	files->scratch = format_text("%s/trace-run-verify.XXXXXX", place);
	if (!mkdtemp(files->scratch)) {
		free(steal_pointer(&files->scratch));
		return error_set_errno(err, errno, "no scratch tree can be made in %s", place);
	}
	for (const struct right *right = right_table; right->name; right++) {
		struct verify_file *probe = &files->probes[count];

		if (right->class != RIGHT_CLASS_FILE_SYSTEM || !(right->bit & files->handled))
			continue;
		*probe = (struct verify_file){.right = right};
		count++;
		if (make_probe(probe, files->scratch, err) < 0)
			return -err->number;
		probe->is_granted = reach_rights(reach, place_of(probe, REFUSED)) & right->bit;
		add_rules(probe, ruleset);
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	remove(path);
	return 0;
}

void verify_files_remove(struct verify_files *files)
{
	if (files->scratch)
		nftw(files->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(files->scratch);
	for (size_t i = 0; i < VERIFY_FILE_PROBES; i++)
		for (int which = 0; which < 3; which++)
			free(files->probes[i].paths[which]);
	*files = (struct verify_files){0};
}

/* Made before the domain is there, as a socket within it may always be connected to. */
static void listen_in_present_directory(void)
{
	struct sockaddr_un address = {AF_UNIX, "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0)
		listen(fd, 1); /* until the probe ends */
}

static int try_in(const char *directory, rights_t right)
{
	return chdir(directory) < 0 ? errno : try_right(right);
}

void verify_files_try_outside(struct verify_files *files)
{
	for (size_t i = 0; i < VERIFY_FILE_PROBES && files->probes[i].right; i++) {
		struct verify_file *probe = &files->probes[i];

		for (int which = 0; probe->right->bit == RIGHT_RESOLVE_UNIX && which < 3; which++)
			if (chdir(probe->paths[which]) == 0)
				listen_in_present_directory();
		probe->outside = try_in(probe->paths[OUTSIDE], probe->right->bit);
	}
}

static const char *objection(const struct verify_file *probe)
{
	return probe->is_granted ? "the profile grants it in every place where it could be tried" : NULL;
}

void verify_files_try_inside(struct verify_files *files, struct verify_sheet *sheet)
{
	for (size_t i = 0; i < VERIFY_FILE_PROBES && files->probes[i].right; i++) {
		const struct verify_file *probe = &files->probes[i];
		struct verify_tried tried = {.outside = probe->outside,
					     .denial = probe->right->bit == RIGHT_REFER ? EXDEV : EACCES,
					     .unprovable = objection(probe)};

		if (probe->right->bit == RIGHT_MAKE_BLOCK)
			tried.later = EPERM; /* --drop-caps */
		tried.granted = try_in(probe->paths[GRANTED], probe->right->bit);
		tried.refused = try_in(probe->paths[REFUSED], probe->right->bit);
		verify_access(sheet, probe->right->name, &tried);
	}
}
