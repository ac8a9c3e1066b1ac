/* Which symbolic links a rule's path may go through. Run as root and as a plain user, who own different directories. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/rule_path.h"

/* A fresh directory that is the present one, removed afterwards. */
static char directory[PATH_MAX];

static void enter(void)
{
	const char *top = getenv("TMPDIR");
	char *made = format_text("%s/path.XXXXXX", top ? top : "/tmp");

	cr_assert_not_null(mkdtemp(made));
	cr_assert_eq(chmod(made, 0755), 0);
	cr_assert_eq(chdir(made), 0);
	cr_assert_not_null(getcwd(directory, sizeof directory));
	free(made);
	cr_assert_eq(mkdir("d", 0755), 0);
	close(open("d/f", O_CREAT | O_WRONLY, 0644));
}

static void leave(void)
{
	char *command = format_text("rm -rf '%s'", directory);

	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(system(command), 0);
	free(command);
}

TestSuite(rule_path, .init = enter, .fini = leave);

static struct error err;

/* A path below the directory. */
static const char *here(const char *name)
{
	static char path[2 * PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

/* What opening gives: 0 when it is the object that `same` names without links, else -errno. */
static int opens(const char *path, const struct reach *reach, const char *same)
{
	struct stat opened, expected;
	mode_t mode;
	int fd = rule_path_open(path, reach, &mode, &err);

	if (fd < 0)
		return fd;
	cr_assert_eq(fstat(fd, &opened), 0);
	cr_assert_eq(lstat(same, &expected), 0, "%s", same);
	cr_expect_eq(opened.st_ino, expected.st_ino, "%s is not %s", path, same);
	cr_expect_eq(mode, expected.st_mode);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect(fcntl(fd, F_GETFL) & O_PATH);
	close(fd);
	return 0;
}

/* Links of the user's own directory: root's may be trusted, another's never. */
static int own_links(void)
{
	return geteuid() == 0 ? 0 : -ELOOP;
}

Test(rule_path, without_links)
{
	cr_assert_eq(opens(here("d/f"), NULL, "d/f"), 0);
	cr_assert_eq(opens(here("d"), NULL, "d"), 0);
	cr_assert_eq(opens("/", NULL, "/"), 0);
	cr_assert_eq(opens(here("d/missing"), NULL, ""), -ENOENT);
	cr_assert_eq(opens(here("d/f/x"), NULL, ""), -ENOTDIR);
}

Test(rule_path, a_fifo_is_not_opened_in_earnest)
{
	cr_assert_eq(mkfifo("p", 0644), 0);
	cr_assert_eq(opens(here("p"), NULL, "p"), 0);
}

Test(rule_path, links_of_the_system_are_followed)
{
	char *real = realpath("/proc/mounts", NULL);

	cr_assert_eq(opens("/proc/mounts", NULL, real), 0);
	cr_assert_eq(opens("/proc/self/status", NULL, "/proc/self/status"), 0);
	free(real);
}

Test(rule_path, links_in_an_own_directory)
{
	cr_assert_eq(symlink("d", "l") || symlink("f", "d/g") || symlink("/", "r"), 0);
	cr_expect_eq(opens(here("l/f"), NULL, "d/f"), own_links());
	cr_expect_eq(opens(here("d/g"), NULL, "d/f"), own_links());
	cr_expect_eq(opens(here("l"), NULL, "d"), own_links());
	cr_expect_eq(opens(here("r"), NULL, "/"), own_links());
}

Test(rule_path, the_message_names_link_and_target)
{
	char *link = format_text("%s/l is a symbolic link to ../d", directory);

	cr_assert_eq(symlink("../d", "l") || chmod(".", 0777), 0);
	cr_assert_eq(opens(here("l/f"), NULL, "d/f"), -ELOOP);
	cr_assert(strstr(err.message, link), "%s", err.message);
	free(link);
}

Test(rule_path, links_where_others_may_write_are_never_followed)
{
	cr_assert_eq(symlink("d", "l"), 0);
	for (size_t i = 0; i < 3; i++) {
		cr_assert_eq(chmod(".", (const mode_t[]){0775, 0757, 01777}[i]), 0);
		cr_expect_eq(opens(here("l/f"), NULL, "d/f"), -ELOOP);
	}
	cr_assert_eq(chmod(".", 0755), 0);
	cr_expect_eq(opens(here("l/f"), NULL, "d/f"), own_links());
}

Test(rule_path, links_in_another_users_directory_are_never_followed)
{
	if (geteuid() != 0) {
		cr_assert_eq(opens(here("d/f"), NULL, "d/f"), 0);
		return; /* every link of ours is such a one for the check: see links_in_an_own_directory */
	}
	cr_assert_eq(symlink("d", "l") || chown(".", 65534, 65534), 0);
	cr_assert_eq(opens(here("l/f"), NULL, "d/f"), -ELOOP);
}

static int opens_under_grant(rights_t rights, const char *on)
{
	struct profile profile = {0};
	struct reach reach;
	int result;

	profile_add_grant(&profile, SECTION_NORMAL, rights, on);
	reach_init(&reach, &profile);
	result = opens(here("l/f"), &reach, "d/f");
	reach_finish(&reach);
	profile_finish(&profile);
	return result;
}

Test(rule_path, links_that_the_grants_can_change_are_never_followed)
{
	static const rights_t changing[] = {RIGHT_MAKE_SYM, RIGHT_REMOVE_FILE, RIGHT_MAKE_DIR, RIGHT_REMOVE_DIR,
					    RIGHT_REFER};

	cr_assert_eq(symlink("d", "l"), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(changing); i++) {
		cr_expect_eq(opens_under_grant(changing[i], directory), -ELOOP);
		cr_expect_eq(opens_under_grant(changing[i], "/"), -ELOOP);
		cr_expect_eq(opens_under_grant(changing[i], here("d")), own_links());
	}
	cr_expect_eq(opens_under_grant(RIGHT_WRITE_FILE | RIGHT_READ_FILE, directory), own_links());
}

/* A grant that names the directory through a link reaches it as well. */
Test(rule_path, grants_count_under_every_name)
{
	char *alias = format_text("%s.alias", directory);

	cr_assert_eq(symlink("d", "l") || symlink(directory, alias), 0);
	cr_expect_eq(opens_under_grant(RIGHT_MAKE_SYM, alias), -ELOOP);
	cr_assert_eq(unlink(alias), 0);
	free(alias);
}

Test(rule_path, magic_links_are_never_followed)
{
	static const char *const magic[] = {"/proc/self/cwd", "/proc/self/root/etc", "/proc/self/exe",
					    "/proc/thread-self/cwd/d", "/proc/self/fd/0"};

	cr_assert_geq(open("/dev/null", O_RDONLY), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(magic); i++) {
		cr_expect_eq(opens(magic[i], NULL, "/"), -ELOOP, "%s", magic[i]);
		cr_expect(strstr(err.message, "leads to something else than its text says"), "%s", err.message);
	}
	cr_assert_eq(symlink("/proc/self/cwd/d", "l"), 0);
	cr_expect_eq(opens(here("l/f"), NULL, "/"), -ELOOP);
}

Test(rule_path, links_that_lead_round_or_nowhere)
{
	cr_assert_eq(symlink("b", "a") || symlink("a", "b") || symlink("missing", "c"), 0);
	cr_expect_eq(opens(here("a"), NULL, "/"), -ELOOP);
	if (geteuid() == 0)
		cr_expect_str_eq(err.message, "more than 40 symbolic links on the way");
	cr_expect_eq(opens(here("c"), NULL, "/"), geteuid() == 0 ? -ENOENT : -ELOOP);
}

Test(rule_path, targets_with_parents)
{
	cr_assert_eq(mkdir("e", 0755) || symlink("../d/../d/./f", "e/l"), 0);
	cr_expect_eq(opens(here("e/l"), NULL, "d/f"), own_links());
}

/* Longer than the kernel takes in one call: gone part by part. */
Test(rule_path, longer_than_path_max)
{
	struct buffer path = {0};
	struct stat expected, opened;
	mode_t mode;
	int fd;

	buffer_add_text(&path, directory);
	for (int i = 0; i < 40; i++) {
		char name[202];

		memset(name, 'a' + i % 26, 201);
		name[201] = '\0';
		buffer_format(&path, "/%s", name);
		cr_assert_eq(mkdir(name, 0755) || chdir(name), 0);
	}
	cr_assert_eq(stat(".", &expected), 0);
	fd = rule_path_open(path.data, NULL, &mode, &err);
	cr_assert_geq(fd, 0, "%s", err.message);
	cr_assert_eq(fstat(fd, &opened), 0);
	cr_assert_eq(opened.st_ino, expected.st_ino);
	buffer_finish(&path);
}

static char told[4 * PATH_MAX];

static void tell(void *data, const char *name)
{
	(void)data;
	strcat(strcat(told, name), "|");
}

Test(rule_path, tracing_follows_and_tells_every_link)
{
	char *real = NULL, *expected;
	int fd;

	cr_assert_eq(symlink("d", "l") || symlink("../d/f", "d/g") || chmod(".", 0777), 0);
	fd = rule_path_trace(here("l/../l/g"), tell, NULL, &real, &err);
	cr_assert_geq(fd, 0, "%s", err.message);
	cr_expect_str_eq(real, here("d/f"));
	expected = format_text("%s/l|%s/l|%s/d/g|", directory, directory, directory);
	cr_expect_str_eq(told, expected);
	cr_expect_eq(rule_path_trace("/proc/self/cwd/d", tell, NULL, &real, &err), -ELOOP);
	free(expected);
}

Test(rule_path, whether_a_link_is_on_the_way)
{
	cr_assert_eq(symlink("d", "l"), 0);
	cr_expect(rule_path_has_link(here("l/f")));
	cr_expect(rule_path_has_link(here("l")));
	cr_expect_not(rule_path_has_link(here("d/f")));
	cr_expect_not(rule_path_has_link(here("missing")));
}

/* Of many in one directory, which is kept open: the same, and the object itself. */
Test(rule_path, paths_by_the_directory_are_told_as_each_alone)
{
	static const char *const names[] = {"d/f",    "d/1",	   "d/2",	"d/f",	     "d/link",	 "d/f", "d/f/x",
					    "d",      "l/f",	   "l/1",	"l/2",	     "l/f",	 "d/f", "d/1",
					    "d/gone", "missing/f", "missing/1", "missing/2", "missing/f"};
	struct rule_path_place place = {0};

	cr_assert_eq(symlink("f", "d/link") | symlink("d", "l") | mkdir("d/1", 0755) | mkdir("d/2", 0755), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct stat one, other;
		scoped_fd fd = -1;
		bool has_link = rule_path_open_or_has_link(&place, here(names[i]), &fd);

		cr_expect_eq(has_link, rule_path_has_link(here(names[i])), "%s", names[i]);
		cr_expect_eq(fd >= 0, !has_link && lstat(names[i], &one) == 0, "%s", names[i]);
		if (fd >= 0)
			cr_expect(fstat(fd, &other) == 0 && one.st_ino == other.st_ino, "%s", names[i]);
	}
	rule_path_place_finish(&place);
}
