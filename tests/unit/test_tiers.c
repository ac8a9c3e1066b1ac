/* The table of tiers: the built-in one, how a table is read, and what a grant reaches. */
#include "profile_text.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "profile/tiers.h"
#include "profile/tiers_table.h"
#include "tests/unit/own_directory.h"

#define TABLE "[tiers]\nformat = 1\n"

#define READ   RIGHT_READ_FILE
#define LIST   RIGHT_READ_DIR
#define WRITE  RIGHT_WRITE_FILE
#define CREATE (RIGHT_MAKE_REG | RIGHT_WRITE_FILE)

#define scoped_tiers __attribute__((cleanup(cleanup_tiers))) struct tiers

static void cleanup_tiers(struct tiers **tiers)
{
	tiers_destroy(*tiers);
}

static struct tiers *table_of(const char *text, const char *home)
{
	struct variables variables = {.home = (char *)home};
	struct tiers *tiers = NULL;
	scoped_error err = {0};

	cr_assert_eq(tiers_read_text(text, strlen(text), "t.ini", &variables, &tiers, &err), 0, "%s", err.message);
	return tiers;
}

static void expect_table_error(const char *text, const char *message)
{
	struct tiers *tiers = NULL;
	scoped_error err = {0};

	cr_assert_eq(tiers_read_text(text, strlen(text), "t.ini", &test_variables, &tiers, &err), -EINVAL, "%s", text);
	cr_expect(is_message(err.message, message), "%s\n%s", err.message, message);
	cr_expect_null(tiers);
}

static struct tiers *builtin_of(const char *home)
{
	return tiers_builtin_table(&(struct variables){.home = (char *)home});
}

static void expect_same_line(const struct tier_line *a, const struct tier_line *b)
{
	cr_assert_not_null(a->pattern.text, "%s", b->pattern.text);
	cr_expect_str_eq(a->pattern.text, b->pattern.text);
	cr_expect_eq(a->line, b->line);
	cr_expect_eq(a->rights, b->rights);
	cr_expect_eq(a->raised, b->raised);
	for (enum tier_use use = 0; use < TIER_USE_COUNT; use++)
		cr_expect_eq(a->tiers[use], b->tiers[use], "%s", b->pattern.text);
}

/* What the programs start with is what the file says; and the file, as anybody may copy it, has no error. */
Test(tiers, the_built_in_lines_are_those_of_the_file)
{
	static const char *const homes[] = {"/home/me", "/var/lib/ci", NULL};

	for (size_t home = 0; home < ARRAY_LENGTH(homes); home++) {
		scoped_tiers *text = table_of(tiers_builtin, homes[home]), *lines = builtin_of(homes[home]);
		size_t n = 0;

		tiers_read_for(lines, "/");
		for (size_t i = 0; i < lines->count; i++)
			if (homes[home] || lines->lines[i].pattern.text)
				expect_same_line(&lines->lines[i], &text->lines[n++]);
		cr_expect_eq(n, text->count);
	}
}

/* Whatever was asked before: lines are read for a path, and not for others. */
Test(tiers, lines_that_are_read_late_say_the_same)
{
	static const char *const paths[] = {"/tmp/x",
					    "/etc/shadow",
					    "/home/me/.ssh/id",
					    "/home/you/x",
					    "/usr",
					    "/a/.git/hooks",
					    "/proc/kcore",
					    "/dev/sda",
					    "/var/lib/ci/x",
					    "/root/x",
					    "/home/me/.bashrc",
					    "/etc",
					    "/home/me/zz/x",
					    "/home/me/bin/x",
					    "/home/me/.local/bin/x",
					    "/h",
					    "/proc/1/mem",
					    "/home",
					    "/",
					    "/A/.git/hooks",
					    "/\\/x"};

	for (size_t first = 0; first < ARRAY_LENGTH(paths); first++) {
		scoped_tiers *text = table_of(tiers_builtin, "/home/me"), *lines = builtin_of("/home/me");

		for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
			const char *path = paths[(first + i) % ARRAY_LENGTH(paths)];
			scoped_free char *reason = tiers_reason(lines, path, RIGHT_WRITE_FILE);
			scoped_free char *expected = tiers_reason(text, path, RIGHT_WRITE_FILE);

			cr_expect_eq(tiers_of_grant(lines, path, RIGHT_READ_FILE | RIGHT_READ_DIR),
				     tiers_of_grant(text, path, RIGHT_READ_FILE | RIGHT_READ_DIR), "%s", path);
			cr_expect_eq(tiers_of_path(lines, path, RIGHT_WRITE_FILE),
				     tiers_of_path(text, path, RIGHT_WRITE_FILE), "%s", path);
			cr_expect_str_eq(reason, expected, "%s", path);
		}
	}
}

/* A start asks for few paths: what can say nothing of them is not taken apart. */
Test(tiers, lines_of_paths_that_begin_otherwise_are_not_read)
{
	scoped_tiers *tiers = builtin_of("/home/me");
	size_t read = 0, all = 0;

	cr_expect_eq(tiers_of_grant(tiers, "/tmp/x", RIGHT_READ_FILE), TIER_NORMAL);
	for (size_t i = 0; i < tiers->count; i++)
		read += tiers->lines[i].pattern.text != NULL;
	tiers_read_for(tiers, "/");
	for (size_t i = 0; i < tiers->count; i++)
		all += tiers->lines[i].pattern.text != NULL;
	cr_expect_eq(all, tiers->count);
	cr_expect_lt(read, all / 3, "%zu", read);
}

struct row {
	const char *path;
	rights_t rights;
	enum tier tier;
};

static void expect_rows(const struct tiers *tiers, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		scoped_buffer rights = {0};

		rights_write(&rights, rows[i].rights);
		cr_expect_str_eq(tier_name(tiers_of_grant(tiers, rows[i].path, rows[i].rights)),
				 tier_name(rows[i].tier), "%s %s", buffer_text(&rights), rows[i].path);
	}
}

#define EXPECT_ROWS(tiers, ...)                                                                                        \
	expect_rows((tiers), (const struct row[]){__VA_ARGS__},                                                        \
		    sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row))

Test(tiers, protects_what_lets_others_in)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/", LIST, TIER_PROTECTED}, {"/home/me/.ssh/id_ed25519", READ, TIER_PROTECTED},
		    {"/home/me/.ssh", LIST, TIER_PROTECTED}, {"/home/me/.ssh/known_hosts", WRITE, TIER_PROTECTED},
		    {"/home/me/.aws/credentials", READ, TIER_PROTECTED},
		    {"/home/me/.config/gcloud/access_tokens.db", READ, TIER_PROTECTED},
		    {"/home/me/.config/google-chrome-beta/Default/Cookies", READ, TIER_PROTECTED},
		    {"/home/me/.mozilla/firefox/x/logins.json", READ, TIER_PROTECTED},
		    {"/home/me/.netrc", READ, TIER_PROTECTED}, {"/home/me/.bash_history", READ, TIER_PROTECTED},
		    {"/etc/shadow", READ, TIER_PROTECTED}, {"/etc/gshadow-", READ, TIER_PROTECTED},
		    {"/etc/sudoers.d/me", READ, TIER_PROTECTED}, {"/etc/ssh/ssh_host_rsa_key", READ, TIER_PROTECTED},
		    {"/dev/sda1", READ, TIER_PROTECTED}, {"/dev/nvme0n1", WRITE, TIER_PROTECTED},
		    {"/dev/mem", READ, TIER_PROTECTED}, {"/run/docker.sock", RIGHT_RESOLVE_UNIX, TIER_PROTECTED},
		    {"/run/user/1000/podman/podman.sock", RIGHT_RESOLVE_UNIX, TIER_PROTECTED});
}

Test(tiers, protects_what_others_run_against_change)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/home/me/.bashrc", WRITE, TIER_PROTECTED}, {"/home/me/.bashrc", READ, TIER_NORMAL},
		    {"/home/me/.config/autostart/x.desktop", WRITE, TIER_PROTECTED},
		    {"/home/me/.config/systemd/user", CREATE, TIER_PROTECTED},
		    {"/home/me/.local/bin", CREATE, TIER_PROTECTED},
		    {"/home/me/.local/bin/tool", READ | RIGHT_EXECUTE, TIER_NORMAL},
		    {"/etc/ld.so.preload", WRITE, TIER_PROTECTED}, {"/etc/ld.so.conf.d/x.conf", WRITE, TIER_PROTECTED},
		    {"/etc/ld.so.cache", READ, TIER_NORMAL}, {"/etc/cron.d/x", WRITE, TIER_PROTECTED},
		    {"/var/spool/cron/crontabs/me", WRITE, TIER_PROTECTED},
		    {"/etc/systemd/system/x.service", WRITE, TIER_PROTECTED},
		    {"/home/me/.local/state/trace-learn/trusted", WRITE, TIER_PROTECTED});
}

Test(tiers, guards_the_system_and_the_home)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/etc/hosts", WRITE, TIER_GUARDED}, {"/etc/hosts", READ, TIER_NORMAL},
		    {"/usr/lib/x", CREATE, TIER_GUARDED}, {"/usr/lib", READ | LIST | RIGHT_EXECUTE, TIER_NORMAL},
		    {"/proc/self/oom_score_adj", WRITE, TIER_GUARDED}, {"/sys/block", WRITE, TIER_GUARDED},
		    {"/dev/pts", READ | WRITE, TIER_GUARDED}, {"/boot/vmlinuz", READ, TIER_GUARDED},
		    {"/boot", CREATE, TIER_GUARDED}, {"/run/secrets/token", READ, TIER_GUARDED},
		    {"/home/me/notes", WRITE, TIER_GUARDED}, {"/home/me/notes", READ, TIER_NORMAL},
		    {"/home/me/project", CREATE, TIER_GUARDED},
		    {"/home/me/.cache/build.log", WRITE | RIGHT_TRUNCATE, TIER_GUARDED});
}

Test(tiers, leaves_the_rest_normal)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/home/me/project/build", CREATE | READ | RIGHT_REMOVE_FILE, TIER_NORMAL},
		    {"/home/me/project", READ | LIST, TIER_NORMAL}, {"/dev/null", READ | WRITE, TIER_NORMAL},
		    {"/dev/zero", READ | WRITE | RIGHT_IOCTL_DEV, TIER_NORMAL}, {"/dev/urandom", WRITE, TIER_NORMAL},
		    {"/dev/full", WRITE, TIER_NORMAL}, {"/dev/random", WRITE, TIER_NORMAL},
		    {"/dev/shm", CREATE | RIGHT_REMOVE_FILE, TIER_NORMAL}, {"/dev/shm/x", WRITE, TIER_NORMAL},
		    {"/tmp", CREATE | LIST, TIER_NORMAL}, {"/var/lib/x", WRITE, TIER_NORMAL},
		    {"/etc/hostname", READ, TIER_NORMAL}, {"/usr/bin/cat", READ | RIGHT_EXECUTE, TIER_NORMAL});
}

Test(tiers, a_grant_reaches_what_lies_beneath)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/home/me", WRITE, TIER_PROTECTED}, {"/home/me", LIST, TIER_PROTECTED},
		    {"/home/me", RIGHT_REFER, TIER_NORMAL}, {"/home", LIST, TIER_PROTECTED},
		    {"/home/me/.config", READ, TIER_PROTECTED}, {"/home/me/.config/app", READ, TIER_NORMAL},
		    {"/etc", CREATE, TIER_PROTECTED}, {"/etc", READ, TIER_PROTECTED}, {"/etc/apt", READ, TIER_NORMAL},
		    {"/dev", WRITE, TIER_PROTECTED}, {"/run", RIGHT_RESOLVE_UNIX, TIER_PROTECTED},
		    {"/run/user", RIGHT_RESOLVE_UNIX, TIER_PROTECTED}, {"/var", WRITE, TIER_PROTECTED});
}

Test(tiers, the_path_alone_reaches_nothing)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	cr_expect_eq(tiers_of_path(tiers, "/home/me", WRITE), TIER_GUARDED);
	cr_expect_eq(tiers_of_path(tiers, "/etc", READ), TIER_NORMAL);
	cr_expect_eq(tiers_of_path(tiers, "/etc/shadow", READ), TIER_PROTECTED);
	cr_expect_eq(tiers_of_path(tiers, "/tmp", RIGHT_MAKE_CHAR), TIER_PROTECTED);
}

Test(tiers, homes_of_others_are_theirs)
{
	scoped_tiers *mine = table_of(tiers_builtin, "/home/me"), *roots = table_of(tiers_builtin, "/root"),
		     *nobodys = table_of(tiers_builtin, NULL), *services = table_of(tiers_builtin, "/var/lib/ci");

	EXPECT_ROWS(mine, {"/home/you/x", READ, TIER_PROTECTED}, {"/home/you", LIST, TIER_PROTECTED},
		    {"/root/x/y", READ, TIER_PROTECTED}, {"/root", LIST, TIER_PROTECTED},
		    {"/home/me/x/y", READ | WRITE, TIER_NORMAL}, {"/home/mean", READ, TIER_PROTECTED});
	EXPECT_ROWS(roots, {"/root/x/y", READ | WRITE, TIER_NORMAL}, {"/root/x", CREATE, TIER_GUARDED},
		    {"/root/.ssh/id_rsa", READ, TIER_PROTECTED}, {"/home/me/x", READ, TIER_PROTECTED});
	EXPECT_ROWS(nobodys, {"/home/me/x/y", READ, TIER_PROTECTED}, {"/root/x", READ, TIER_PROTECTED});
	EXPECT_ROWS(services, {"/var/lib/ci/.npmrc", READ, TIER_PROTECTED}, {"/var/lib/ci/a/b", WRITE, TIER_NORMAL},
		    {"/var/lib", READ, TIER_PROTECTED});
}

Test(tiers, a_strange_home_lowers_nothing)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/etc");

	EXPECT_ROWS(tiers, {"/etc/hosts", WRITE, TIER_GUARDED}, {"/etc/shadow", READ, TIER_PROTECTED});
}

Test(tiers, other_processes_are_reached_through_proc_as_a_whole)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/proc", READ, TIER_PROTECTED}, {"/proc", LIST, TIER_NORMAL},
		    {"/proc/1/environ", READ, TIER_PROTECTED}, {"/proc/self/maps", READ, TIER_NORMAL},
		    {"/proc/self/task", LIST, TIER_NORMAL}, {"/proc/meminfo", READ, TIER_NORMAL},
		    {"/proc/kcore", READ, TIER_PROTECTED}, {"/proc/sys/kernel/core_pattern", WRITE, TIER_PROTECTED},
		    {"/proc/sys/vm/swappiness", WRITE, TIER_GUARDED});
}

Test(tiers, git_hooks_count_at_any_depth)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/srv/a/b/.git/hooks/pre-commit", WRITE, TIER_PROTECTED},
		    {"/srv/a/b/.git/hooks", CREATE, TIER_PROTECTED}, {"/srv/a/b/.git", CREATE, TIER_PROTECTED},
		    {"/.git/hooks", CREATE, TIER_PROTECTED}, {"/srv/a/b/.git/hooks/pre-commit", READ, TIER_NORMAL},
		    {"/srv/a/b/.git/objects", CREATE, TIER_NORMAL}, {"/srv/a/b", CREATE, TIER_NORMAL},
		    {"/srv/.github/hooks", CREATE, TIER_NORMAL}, {"/dev/shm/.git/hooks", CREATE, TIER_PROTECTED},
		    {"/home/you/.git/hooks", READ, TIER_PROTECTED}, {"/srv/a.git/hooks/x", WRITE, TIER_PROTECTED},
		    {"/srv/a.git/config", WRITE, TIER_PROTECTED}, {"/srv/a.git/objects/x", WRITE, TIER_NORMAL});
}

Test(tiers, device_nodes_are_protected_anywhere)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");

	EXPECT_ROWS(tiers, {"/tmp/x", RIGHT_MAKE_CHAR, TIER_PROTECTED}, {"/tmp", RIGHT_MAKE_BLOCK, TIER_PROTECTED},
		    {"/dev/shm", RIGHT_MAKE_CHAR | CREATE, TIER_PROTECTED}, {"/tmp", RIGHT_MAKE_FIFO, TIER_NORMAL});
}

Test(tiers, the_closest_line_counts)
{
	scoped_tiers *tiers = table_of(TABLE "path = guarded guarded /a/**\npath = normal normal /a/b\n"
					     "path = protected - /a/*\npath = - protected /a/c/**\n"
					     "path = normal normal /a/c/d/**\npath = normal normal /x/**\n"
					     "path = guarded guarded /x\n",
				       NULL);

	EXPECT_ROWS(tiers, {"/a/b", READ, TIER_NORMAL}, {"/a/b/x", READ, TIER_GUARDED}, {"/a/c", READ, TIER_PROTECTED},
		    {"/a/c/x", READ, TIER_GUARDED}, {"/a/c/x", WRITE, TIER_PROTECTED}, {"/a/z", READ, TIER_PROTECTED},
		    {"/a/z", WRITE, TIER_GUARDED}, {"/a/c/d/e", WRITE, TIER_NORMAL}, {"/x", WRITE, TIER_GUARDED},
		    {"/x/y", WRITE, TIER_NORMAL});
}

Test(tiers, the_later_of_two_equally_close_lines_counts)
{
	scoped_tiers *raised = table_of(TABLE "path = guarded - ~/**\npath = protected - /home/me/**\n", "/home/me");
	scoped_tiers *lowered = table_of(TABLE "path = protected - /home/me/**\npath = guarded - ~/**\n", "/home/me");

	EXPECT_ROWS(raised, {"/home/me/x", READ, TIER_PROTECTED});
	EXPECT_ROWS(lowered, {"/home/me/x", READ, TIER_GUARDED});
}

/* What must be a directory also gives what lies in it, of which the exact line does not speak. */
Test(tiers, an_exact_line_speaks_of_its_path_alone)
{
	scoped_tiers *tiers = table_of(TABLE "path = - guarded /a/**\npath = - normal /a/b\n", NULL);

	EXPECT_ROWS(tiers, {"/a/b", WRITE, TIER_NORMAL}, {"/a/b", WRITE | RIGHT_MAKE_REG, TIER_GUARDED});
}

Test(tiers, an_exact_line_is_closer_than_one_for_all_beneath)
{
	scoped_tiers *tiers = table_of(TABLE "path = - guarded /x\npath = - normal /x/**\n", NULL);

	EXPECT_ROWS(tiers, {"/x", WRITE, TIER_GUARDED}, {"/x/y", WRITE, TIER_NORMAL});
}

Test(tiers, each_use_has_its_own_closest_line)
{
	scoped_tiers *tiers = table_of(TABLE "path = guarded guarded /a/**\npath = - normal /a/b\n", NULL);

	EXPECT_ROWS(tiers, {"/a/b", WRITE, TIER_NORMAL}, {"/a/b", READ, TIER_GUARDED});
}

static enum tier_relation near_relation(const struct tiers_near *near, const struct tier_line *line, const char *path)
{
	for (size_t i = 0; i < near->count; i++)
		if (near->lines[i].line == line)
			return tiers_near_relation(near, &near->lines[i], path);
	return TIER_APART;
}

/* Asked by directory, each line says what it says of the whole path. */
Test(tiers, by_the_directory_no_line_is_lost)
{
	static const char *const paths[] = {
		"/home",	   "/home/me",		"/home/me/.ssh", "/home/me/.ssh/id",
		"/home/you/x",	   "/a/.git",		"/a/b",		 "/a/.git/x",
		"/a/.git/hooks",   "/a/.git/hooks/b/c", "/dev/sda",	 "/dev/shm/a/.git/hooks",
		"/a/b/c",	   "/proc/1/mem",	"/a/b/c/d",	 "/etc/cron.d/x",
		"/etc/cron.daily", "/x/a/b/y",		"/q/ex",	 "/q/wu",
		"/q/yz",
	};
	static const char own[] =
		"path = normal guarded /**/a/b\npath = guarded - /**/.git/**\npath = - guarded /*/b/**\n"
		"path = - protected /**/h*s/b\npath = guarded - /**/e[xy]\npath = - guarded /**/w?/v\npath = - guarded "
		"/**/y*/v\n";
	scoped_free char *text = format_text("%s%s", tiers_builtin, own);
	scoped_tiers *tiers = table_of(text, "/home/me");
	unsigned spoke = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		const struct tiers_near *near = tiers_near(tiers, paths[i]);

		for (size_t n = 0; n < tiers->count; n++) {
			enum tier_relation whole = tier_pattern_relation(&tiers->lines[n].pattern, paths[i]);

			spoke += whole != TIER_APART;
			cr_expect_eq(near_relation(near, &tiers->lines[n], paths[i]), whole, "%s: %s", paths[i],
				     tiers->lines[n].pattern.text);
		}
	}
	cr_expect_gt(spoke, 2 * ARRAY_LENGTH(paths));
}

/* A look at the bytes says what taking both apart says. */
Test(tiers, patterns_that_are_not_wild_are_compared_by_their_bytes)
{
	static const char *const paths[] = {"/",
					    "/e",
					    "/etc",
					    "/etc/cron.d",
					    "/etc/cron.dd",
					    "/etc/cron.d/x",
					    "/etc/shadow",
					    "/etc/shadow/x",
					    "/etc/shado",
					    "/home",
					    "/home/me",
					    "/home/me/.ssh",
					    "/home/me/.sshd",
					    "/home/meme/.ssh/x"};
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");
	size_t seen[TIER_BENEATH + 1] = {0};

	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		for (size_t n = 0; n < tiers->count; n++) {
			const struct tier_pattern *pattern = &tiers->lines[n].pattern;
			enum tier_relation relation = tier_pattern_relation(pattern, paths[i]);

			if (pattern->anywhere)
				continue;
			seen[relation]++;
			cr_expect_eq(relation, tier_pattern_relation_from(pattern, paths[i]), "%s: %s", paths[i],
				     pattern->text);
		}
	}
	for (size_t i = 0; i < ARRAY_LENGTH(seen); i++)
		cr_expect(seen[i], "relation %zu", i);
}

Test(tiers, lines_for_any_depth_only_raise)
{
	scoped_tiers *tiers = table_of(TABLE "path = guarded guarded /a/**\npath = normal protected /**/x\n", NULL);

	EXPECT_ROWS(tiers, {"/a/x", READ, TIER_GUARDED}, {"/a/x", WRITE, TIER_PROTECTED},
		    {"/a/x/y", WRITE, TIER_GUARDED}, {"/b/x", READ, TIER_NORMAL});
}

Test(tiers, both_uses_count_together)
{
	scoped_tiers *tiers = table_of(TABLE "path = guarded protected /a\npath = protected guarded /b\n", NULL);

	EXPECT_ROWS(tiers, {"/a", READ, TIER_GUARDED}, {"/a", READ | WRITE, TIER_PROTECTED},
		    {"/b", WRITE, TIER_GUARDED}, {"/b", READ | WRITE, TIER_PROTECTED});
}

Test(tiers, patterns_are_as_in_a_shell)
{
	scoped_tiers *tiers =
		table_of(TABLE "path = guarded - /dev/sd[a-c]?\npath = guarded - /x/*.k/y\n"
			       "path = protected - /b\\\\*x\npath = protected - /two words/**\n"
			       "path = protected - /\\xff\npath = guarded - /f/?b*\npath = guarded - /f/[x-z]e[!q]\n"
			       "path = guarded - /f/[k\n",
			 NULL);

	EXPECT_ROWS(tiers, {"/dev/sda1", READ, TIER_GUARDED}, {"/dev/sdd1", READ, TIER_NORMAL},
		    {"/dev/sda", READ, TIER_NORMAL}, {"/dev/sda1/x", READ, TIER_NORMAL},
		    {"/x/.k/y", READ, TIER_GUARDED}, {"/x/a/b.k/y", READ, TIER_NORMAL},
		    {"/b\\yx", READ, TIER_PROTECTED}, {"/two words", READ, TIER_PROTECTED}, {"/two", READ, TIER_NORMAL},
		    {"/\xff", READ, TIER_PROTECTED}, {"/f/ab", READ, TIER_GUARDED}, {"/f/b", READ, TIER_NORMAL},
		    {"/f/yes", READ, TIER_GUARDED}, {"/f/yeq", READ, TIER_NORMAL}, {"/f/[k", READ, TIER_GUARDED});
}

/* Some are told by their ends alone. */
Test(tiers, each_pattern_matches_what_fnmatch_says)
{
	static const char *const patterns[] = {"*",   "a*",  "*a",  "a*a", "?",	    "a?",    "?a",    "**a",
					       "a**", "*a*", "a*?", "?*a", "[ab]",  "*[ab]", "[ab]*", "a[b]*a",
					       "*]",  "a*]", "\\*", "*\\", "ab*ba", "a?*b"};
	static const char *const names[] = {"a",  "b",	 "aa", "ab",  "ba",  "aba", "abba", "]",
					    "a]", "ab]", "\\", "\\a", "a\\", "*",   "a*"};
	unsigned matched = 0;
	struct pool pool = {0};

	for (size_t i = 0; i < ARRAY_LENGTH(patterns); i++) {
		scoped_free char *text = format_text("/%s", patterns[i]);
		struct tier_pattern pattern = {0};
		scoped_error err = {0};

		cr_assert_eq(tier_pattern_read(&pool, text, NULL, &pattern, &err), 1, "%s", text);
		for (size_t n = 0; n < ARRAY_LENGTH(names); n++) {
			scoped_free char *path = format_text("/%s", names[n]);
			bool matches = fnmatch(patterns[i], names[n], FNM_NOESCAPE) == 0;

			matched += matches;
			cr_expect_eq(tier_pattern_relation(&pattern, path) == TIER_AT, matches, "%s %s", text, path);
		}
	}
	pool_finish(&pool);
	cr_expect_gt(matched, ARRAY_LENGTH(patterns));
}

Test(tiers, a_home_is_a_name_and_no_pattern)
{
	scoped_tiers *tiers = table_of(TABLE "path = protected - ~/.ssh/**\n", "/home/m*");

	EXPECT_ROWS(tiers, {"/home/m*/.ssh/x", READ, TIER_PROTECTED}, {"/home/me/.ssh/x", READ, TIER_NORMAL});
}

Test(tiers, refuses_a_table_with_an_error)
{
	expect_table_error("", "t.ini: no line: an empty table would call everything normal");
	expect_table_error(TABLE, "t.ini: no line: an empty table would call everything normal");
	expect_table_error("[tier]\n", "t.ini:1: a table of tiers has one section, [tiers]");
	expect_table_error("path = normal normal /x\n", "t.ini:1: a table of tiers has one section, [tiers]");
	expect_table_error("[tiers]\npath = normal normal /x\n", "t.ini:2: format = 1 has to come first");
	expect_table_error("[tiers]\nformat = 2\n", "t.ini:2: format 2 is not known here (known: 1)");
	expect_table_error(TABLE "format = 1\n", "t.ini:3: format stands here twice");
	expect_table_error(TABLE "paths = normal normal /x\n",
			   "t.ini:3: unknown key paths (known: format, path, rights)");
	expect_table_error(TABLE "path = normal /x\n",
			   "t.ini:3: a path line is a tier for reading, one for changing, and a pattern: unknown tier "
			   "/x (known: normal, guarded, protected)");
	expect_table_error(TABLE "path = normal Protected /x\n",
			   "t.ini:3: a path line is a tier for reading, one for changing, and a pattern: unknown tier "
			   "Protected (known: normal, guarded, protected)");
	expect_table_error(TABLE "path = - - /x\n", "t.ini:3: the line says nothing: both tiers are -");
	expect_table_error(TABLE "path = normal normal\n", "t.ini:3: a pattern is missing");
	expect_table_error(TABLE "path = normal normal /x\npath = guarded - /x\n",
			   "t.ini:4: /x stands in line 3 already");
	expect_table_error(TABLE "rights = - make_reg /x\n",
			   "t.ini:3: a rights line is a tier, rights, and a pattern: unknown tier - (known: normal, "
			   "guarded, protected)");
	expect_table_error(TABLE "rights = guarded make_regs /x\n",
			   "t.ini:3: a rights line is a tier, rights, and a pattern: unknown right make_regs");
}

Test(tiers, refuses_a_pattern_with_an_error)
{
	expect_table_error(TABLE "path = - guarded x\n", "t.ini:3: a pattern begins with / or ~/: x");
	expect_table_error(TABLE "path = - guarded ~you/x\n", "t.ini:3: a pattern begins with / or ~/: ~you/x");
	expect_table_error(TABLE "path = - guarded /a/../b\n",
			   "t.ini:3: a pattern has no . or .. part, no // and no / at its end: /a/../b");
	expect_table_error(TABLE "path = - guarded /a//b\n",
			   "t.ini:3: a pattern has no . or .. part, no // and no / at its end: /a//b");
	expect_table_error(TABLE "path = - guarded /a/\n",
			   "t.ini:3: a pattern has no . or .. part, no // and no / at its end: /a/");
	expect_table_error(TABLE "path = - guarded /a/**/b\n",
			   "t.ini:3: ** stands at the end of a pattern, or as its first part");
	expect_table_error(TABLE "path = - guarded ~/**/b\n",
			   "t.ini:3: ** stands at the end of a pattern, or as its first part");
	expect_table_error(TABLE "path = - guarded /**/**\n", "t.ini:3: a name is missing behind /**/");
	expect_table_error(TABLE "path = - guarded ${HOME}\n", "t.ini:3: no variable can stand here: ${HOME}");
}

Test(tiers, headings_follow_the_table)
{
	scoped_tiers *tiers = table_of(tiers_builtin, "/home/me");
	scoped_profile profile = {0};

	read_text(HEAD "[normal]\nallow = read_file /etc/shadow\nallow = read_file /etc/hosts\n"
		       "[guarded]\nallow = write_file /etc/hostname\n[protected]\nallow = write_file /tmp/x\n"
		       "[held]\nallow = read_file /tmp/y\n[absent]\nallow = make_reg /root\n",
		  &test_variables, &profile);
	tiers_apply(tiers, &profile);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/etc/shadow")->section, SECTION_PROTECTED);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/etc/hosts")->section, SECTION_NORMAL);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/etc/hostname")->section, SECTION_GUARDED);
	cr_expect_eq(profile_find_grant(&profile, SECTION_NORMAL, "/tmp/x")->section, SECTION_NORMAL);
	cr_expect_eq(profile_find_grant(&profile, SECTION_HELD, "/tmp/y")->section, SECTION_HELD);
	cr_expect_eq(profile_find_grant(&profile, SECTION_ABSENT, "/root")->section, SECTION_ABSENT);
}

Test(tiers, names_go_both_ways)
{
	scoped_error err = {0};
	enum tier tier;

	for (enum tier each = TIER_NORMAL; each <= TIER_PROTECTED; each++) {
		cr_expect_eq(tier_read(tier_name(each), &tier, &err), 0);
		cr_expect_eq(tier, each);
		cr_expect_str_eq(section_name(section_of_tier(each)), tier_name(each));
	}
	cr_expect_eq(tier_read("high", &tier, &err), -EINVAL);
	cr_expect_str_eq(err.message, "unknown tier high (known: normal, guarded, protected)");
}

/* A home with a table of its own; removed at the end of each test. */
static char home[PATH_MAX];

static void make_home(void)
{
	own_directory(home);
	unsetenv("XDG_CONFIG_HOME");
}

static char *file_in_home(const char *name, const char *text)
{
	char *path = format_text("%s/%s", home, name);
	scoped_file file = NULL;

	for (char *slash = strchr(path + strlen(home) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	cr_assert(file && fputs(text, file) >= 0);
	return path;
}

static void remove_home(void)
{
	scoped_free char *command = format_text("rm -rf %s", home);

	cr_assert_eq(system(command), 0);
}

TestSuite(tiers_files, .init = make_home, .fini = remove_home);

static int load(const char *file, struct tiers **tiers, struct error *err)
{
	struct variables variables = {.home = home};

	*tiers = NULL;
	return tiers_load(file, &variables, tiers, err);
}

Test(tiers_files, the_named_one_comes_first_then_the_users)
{
	scoped_free char *users = file_in_home(".config/trace-learn/tiers.ini", TABLE "path = guarded - /users\n");
	scoped_free char *named = file_in_home("named.ini", TABLE "path = guarded - /named\n");
	scoped_tiers *from_named = NULL, *from_users = NULL;
	char hash[HASH_TEXT_SIZE];
	scoped_error err = {0};

	cr_assert_eq(load(named, &from_named, &err), 0, "%s", err.message);
	cr_expect_eq(tiers_of_path(from_named, "/named", READ), TIER_GUARDED);
	cr_expect_eq(tiers_of_path(from_named, "/users", READ), TIER_NORMAL);
	cr_expect_str_eq(tiers_file(from_named), named);
	cr_assert_eq(load(NULL, &from_users, &err), 0, "%s", err.message);
	cr_expect_eq(tiers_of_path(from_users, "/users", READ), TIER_GUARDED);
	cr_expect_str_eq(tiers_file(from_users), users);
	hash_text(TABLE "path = guarded - /users\n", strlen(TABLE "path = guarded - /users\n"), hash);
	cr_expect_str_eq(tiers_hash(from_users), hash);
}

Test(tiers_files, xdg_config_home_is_the_users_place_when_it_is_absolute)
{
	scoped_free char *path = file_in_home("elsewhere/trace-learn/tiers.ini", TABLE "path = guarded - /x\n");
	scoped_free char *elsewhere = format_text("%s/elsewhere", home);
	scoped_tiers *tiers = NULL, *others = NULL;
	scoped_error err = {0};

	setenv("XDG_CONFIG_HOME", elsewhere, 1);
	cr_assert_eq(load(NULL, &tiers, &err), 0, "%s", err.message);
	cr_expect_str_eq(tiers_file(tiers), path);
	setenv("XDG_CONFIG_HOME", "elsewhere", 1);
	cr_assert_eq(chdir(home), 0);
	cr_assert_eq(load(NULL, &others, &err), 0, "%s", err.message);
	cr_expect(!tiers_file(others) || strcmp(tiers_file(others), path) != 0);
}

Test(tiers_files, without_one_the_built_in_table_is_used)
{
	scoped_tiers *tiers = NULL;
	scoped_error err = {0};

	if (access(SYSCONFDIR "/trace-learn/tiers.ini", F_OK) == 0)
		cr_skip_test("there is a table of this system");
	cr_assert_eq(load(NULL, &tiers, &err), 0, "%s", err.message);
	cr_expect_null(tiers_file(tiers));
	cr_expect_null(tiers_hash(tiers));
	cr_expect_eq(tiers_of_path(tiers, "/etc/shadow", READ), TIER_PROTECTED);
}

static void expect_load_error(const char *file, int result, const char *end)
{
	struct tiers *tiers;
	scoped_error err = {0};

	cr_assert_eq(load(file, &tiers, &err), result);
	cr_expect_null(tiers);
	cr_expect(strlen(err.message) >= strlen(end) && !strcmp(err.message + strlen(err.message) - strlen(end), end),
		  "%s", err.message);
}

Test(tiers_files, one_that_cannot_be_used_is_never_passed_over)
{
	scoped_free char *users = file_in_home(".config/trace-learn/tiers.ini", TABLE "path = guarded /x\n");
	scoped_free char *missing = format_text("%s/missing.ini", home);

	expect_load_error(NULL, -EINVAL,
			  "/.config/trace-learn/tiers.ini:3: a path line is a tier for reading, one for "
			  "changing, and a pattern: unknown tier /x (known: normal, guarded, protected)");
	expect_load_error(missing, -ENOENT, "/missing.ini: No such file or directory");
	expect_load_error(home, -EISDIR, ": a directory, not a file");
	cr_assert_eq(unlink(users), 0);
	cr_assert_eq(mkfifo(users, 0600), 0);
	expect_load_error(NULL, -EINVAL, "/.config/trace-learn/tiers.ini: not a file");
	cr_assert_eq(unlink(users), 0);
	cr_assert_eq(symlink(users, users), 0);
	expect_load_error(NULL, -ELOOP, "/.config/trace-learn/tiers.ini: Too many levels of symbolic links");
}
