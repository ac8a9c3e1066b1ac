/* What trace-profile check finds, line by line. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/check.h"
#include "profile/fact.h"
#include "profile/incomplete.h"
#include "profile/look.h"
#include "profile/profile_file.h"
#include "profile/trust.h"
#include "tests/unit/own_directory.h"

#define HEAD "[profile]\nformat = 1\nlandlock = 7\ncomplete = yes\n" /* four lines */

static const struct variables test_variables = {.home = (char *)"/home/me", .tty = (char *)TERMINAL_PLACEHOLDER};

static void read_profile(const char *text, struct profile *profile)
{
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "p.ini", &test_variables, profile, &err), 0, "%s\n%s",
		     err.message, text);
}

static char *print_check(struct check *check, bool colour)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	check_print(check, "p.ini", out, colour);
	fclose(out);
	return text;
}

/* Compares what was found, and releases it. */
static void expect_found(struct check *check, const char *want, bool passes)
{
	scoped_free char *text = print_check(check, false);

	cr_expect_str_eq(text, want, "got:\n%swant:\n%s", text, want);
	cr_expect_eq(check_passes(check), passes);
	check_finish(check);
}

static void expect_lines(const char *profile_text, const char *want, bool passes)
{
	scoped_profile profile = {0};
	struct check check = {0};
	struct tiers *tiers = NULL;
	scoped_error err = {0};

	cr_assert_eq(tiers_load(NULL, &test_variables, &tiers, &err), 0, "%s", err.message);
	read_profile(profile_text, &profile);
	check_lines(&check, &profile, tiers);
	tiers_destroy(tiers);
	expect_found(&check, want, passes);
}

Test(check, nothing_to_say)
{
	expect_lines(HEAD "[normal]\nallow = read_file /srv/a\nallow = read_file,write_file /srv/a/b\n"
			  "[held]\nallow = write_file /srv\n[absent]\nallow = make_reg /srv/a\n",
		     "", true);
}

Test(check, a_variable_and_a_plain_path_do_not_cover_each_other)
{
	expect_lines(HEAD "[normal]\nallow = read_file ${HOME}/a\nallow = read_file /home/me/a/b\n", "", true);
	expect_lines(HEAD "[normal]\nallow = read_file ${HOME}/a/b\nallow = read_file /home/me/a\n", "", true);
	expect_lines(HEAD "[normal]\nallow = read_file ${HOME}/a\nallow = read_file ${HOME}/a/b\n",
		     "p.ini:7: note: needless: read_file /home/me/a (line 6) gives it already\n", true);
}

Test(check, lines_that_are_one)
{
	expect_lines(HEAD "[normal]\nallow = read_file /srv/a\nallow = read_file /srv/a\n"
			  "allow = execute /srv/b\n[guarded]\nallow = write_file /srv/b\n"
			  "[network]\nallow = connect_tcp 80\nallow = bind_tcp 80\n"
			  "[scope]\nallow = signal\nallow = signal\n[seccomp]\nallow = udp\nallow = udp\n",
		     "p.ini:7: note: line 6 speaks of the same: both count, as if they were one line\n"
		     "p.ini:10: note: line 8 speaks of the same: both count, as if they were one line\n"
		     "p.ini:13: note: line 12 speaks of the same: both count, as if they were one line\n"
		     "p.ini:16: note: line 15 speaks of the same: both count, as if they were one line\n"
		     "p.ini:19: note: line 18 speaks of the same: both count, as if they were one line\n",
		     true);
}

Test(check, the_root)
{
	expect_lines(HEAD "[protected]\nallow = read_dir /\n[held]\nallow = make_reg /\n", "", true);
	expect_lines(
		HEAD "[protected]\nallow = execute,read_dir,read_file /\n",
		"p.ini:6: error: execute,read_file on / reaches every file: / never gets more than read_dir; name the "
		"directories that are needed\n",
		false);
}

/* What a hand took from a profile so that the kernel would refuse a move that the session did. */
Test(check, moves_that_are_not_closed)
{
	expect_lines(HEAD "[normal]\nallow = read_file,write_file /srv/to\nallow = read_file /srv/from\n"
			  "[moves]\nmove = /srv/from /srv/to\n",
		     "p.ini:9: error: the move /srv/from /srv/to is not closed, so the kernel refuses it: add `allow = "
		     "write_file /srv/from', or save it from `trace-profile review'\n",
		     false);
	expect_lines(HEAD "[normal]\nallow = read_file,write_file /srv/to\nallow = write_file /srv\n"
			  "allow = read_file /srv/from\n[moves]\nmove = /srv/from /srv/to\n",
		     "", true);
	expect_lines(
		HEAD "[normal]\nallow = read_dir,read_file /srv/to\n[held]\nallow = read_file /srv/from\n"
		     "[moves]\nmove = /srv/from /srv/to\nmove = /srv/other/ /srv/to\n",
		"p.ini:10: incomplete: the move /srv/from /srv/to is refused: it takes `allow = read_file /srv/from', "
		"which is held (line 8)\n"
		"p.ini:11: error: the move /srv/other/ /srv/to is not closed, so the kernel refuses it: add `allow = "
		"read_dir,read_file /srv/other', or save it from `trace-profile review'\n",
		false);
}

#define INCOMPLETE "[profile]\nformat = 1\nlandlock = 7\ncomplete = no\nincomplete = "

/* A hand that moves held lines leaves the reason that speaks of them. */
Test(check, a_reason_whose_held_lines_are_gone)
{
	expect_lines(INCOMPLETE "grants that were needed are held\n[held]\nallow = read_file /x\n",
		     "p.ini:5: incomplete: a confined run may differ from the session: grants that were needed are "
		     "held\n",
		     false);
	expect_lines(
		INCOMPLETE "grants that were needed are held\n[normal]\nallow = read_file /x\n",
		"p.ini:5: incomplete: a confined run may differ from the session: grants that were needed are held "
		"(nothing is held any more: where those lines were moved, and not taken away, remove this one, and "
		"`complete = no')\n",
		false);
	expect_lines(INCOMPLETE INCOMPLETE_PROC "\n[normal]\nallow = read_dir /proc\n",
		     "p.ini:5: incomplete: a confined run may differ from the session: " INCOMPLETE_PROC
		     " (trace-learn --proc=all grants reading them)\n",
		     false);
	expect_lines(INCOMPLETE "io_uring was refused\n[normal]\nallow = read_file /x\n",
		     "p.ini:5: incomplete: a confined run may differ from the session: io_uring was refused\n", false);
}

Test(check, headings_that_are_too_low)
{
	expect_lines(HEAD "[normal]\nallow = write_file /etc/x\nallow = read_file /home/me/.ssh/id\n"
			  "[guarded]\nallow = write_file /etc/y\nallow = read_file /home/me/.ssh/id2\n"
			  "[protected]\nallow = read_file /srv/a\n",
		     "p.ini:6: error: write_file /etc/x is guarded and stands under [normal]: move it under [guarded]\n"
		     "p.ini:7: error: read_file /home/me/.ssh/id is protected and stands under [normal]: move it under "
		     "[protected]\n"
		     "p.ini:10: error: read_file /home/me/.ssh/id2 is protected and stands under [guarded]: move it "
		     "under [protected]\n",
		     false);
}

Test(check, held_lines_that_are_allowed_all_the_same)
{
	expect_lines(HEAD "[normal]\nallow = read_file,write_file /srv/a\n"
			  "[held]\nallow = make_reg,write_file /srv/a/b/c\nallow = make_reg /srv/a/d\n",
		     "p.ini:8: error: held in vain: write_file is allowed all the same by write_file /srv/a (line 6); "
		     "remove one of the two lines\n",
		     false);
}

Test(check, needless_lines_are_a_note)
{
	expect_lines(HEAD "[normal]\nallow = read_dir,read_file /srv/a\nallow = read_file /srv/a/b/c\n"
			  "allow = write_file /srv\nallow = read_file,write_file /srv/a/d\n",
		     "p.ini:7: note: needless: read_file /srv/a (line 6) gives it already\n"
		     "p.ini:9: note: needless: read_file /srv/a (line 6) gives it already, with others above it\n",
		     true);
}

Test(check, spellings_that_mislead)
{
	expect_lines(HEAD
		     "[normal]\nallow = read_file /srv//a\nallow = read_file /srv/b/\nallow = read_file /srv/\\x63\n",
		     "p.ini:6: note: /srv//a means /srv/a: write it so\n"
		     "p.ini:7: note: /srv/b/ means /srv/b: write it so\n",
		     true);
}

Test(check, an_incomplete_profile_does_not_pass)
{
	expect_lines("[profile]\nformat = 1\nlandlock = 7\ncomplete = no\nincomplete = first\nincomplete = second\n",
		     "p.ini:5: incomplete: a confined run may differ from the session: first\n"
		     "p.ini:6: incomplete: a confined run may differ from the session: second\n",
		     false);
	expect_lines("[profile]\nformat = 1\nlandlock = 7\ncomplete = no\n",
		     "p.ini:4: incomplete: a confined run may differ from the session: complete = no, and no line says "
		     "why\n",
		     false);
}

Test(check, a_profile_without_an_abi)
{
	expect_lines("[profile]\nformat = 1\ncomplete = yes\n",
		     "p.ini: warning: no `landlock = N': it may run where less of it can be enforced; add the ABI that "
		     "it needs\n",
		     false);
}

static void expect_kernel(const char *profile_text, int abi, const char *want, bool passes)
{
	scoped_profile profile = {0};
	struct check check = {0};

	read_profile(profile_text, &profile);
	check_kernel(&check, &profile, abi);
	expect_found(&check, want, passes);
}

Test(check, what_a_kernel_cannot_enforce)
{
	const char *text = HEAD "[normal]\nallow = ioctl_dev,read_file,truncate /dev/x\n[held]\nallow = ioctl_dev /\n"
				"[network]\nallow = connect_tcp 443\n[scope]\nallow = signal\n";

	expect_kernel(text, 7, "", true);
	expect_kernel(text, 10, "", true);
	expect_kernel(text, 4,
		      "p.ini:3: warning: this kernel has Landlock ABI 4: trace-run refuses to start without "
		      "--best-effort\n"
		      "p.ini:6: warning: this kernel (Landlock ABI 4) cannot enforce ioctl_dev: it is allowed here "
		      "whatever the profile says\n"
		      "p.ini:12: warning: this kernel (Landlock ABI 4) cannot enforce signal: it is allowed here "
		      "whatever the profile says\n",
		      false);
	expect_kernel(HEAD "[network]\nallow = connect_tcp 443\n", 2,
		      "p.ini:3: warning: this kernel has Landlock ABI 2: trace-run refuses to start without "
		      "--best-effort\n"
		      "p.ini:6: warning: this kernel (Landlock ABI 2) cannot enforce connect_tcp: it is allowed here "
		      "whatever the profile says\n",
		      false);
}

Test(check, a_kernel_without_landlock)
{
	expect_kernel(HEAD, -EOPNOTSUPP,
		      "p.ini: warning: trace-run cannot enforce it here: Landlock is not enabled in this kernel: add "
		      "it to the lsm= list of the kernel's command line and start again\n",
		      false);
}

static char scratch[PATH_MAX];

static void make_scratch(void)
{
	own_directory(scratch);
}

static void remove_scratch(void)
{
	remove_directory(scratch);
}

TestSuite(check_files, .init = make_scratch, .fini = remove_scratch);

/* A new directory; the caller frees its name. */
static char *scratch_directory(void)
{
	static unsigned count;
	char *directory = format_text("%s/%u", scratch, count++);

	cr_assert_eq(mkdir(directory, 0700), 0);
	return directory;
}

static void make_file(const char *directory, const char *name)
{
	scoped_free char *path = format_text("%s/%s", directory, name);
	scoped_file file = fopen(path, "w");

	cr_assert_not_null(file);
}

/* Paths are looked at by openat2(2), which valgrind does not know. */
static void need_openat2(void)
{
	const struct open_how how = {.flags = O_PATH | O_CLOEXEC};
	scoped_fd fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);

	if (fd < 0 && errno == ENOSYS)
		cr_skip_test("there is no openat2(2)");
}

static void expect_paths(const char *profile_text, const char *want, bool passes)
{
	scoped_profile profile = {0};
	struct check check = {0};

	need_openat2();
	read_profile(profile_text, &profile);
	check_paths(&check, &profile);
	expect_found(&check, want, passes);
}

Test(check, a_pattern_is_a_name)
{
	expect_paths(HEAD "[normal]\nallow = read_file /none/*.conf\n",
		     "p.ini:6: warning: /none/*.conf does not exist: the line is passed over; remove it or learn again "
		     "(names "
		     "are taken as they are, without patterns: a directory stands for all in it)\n",
		     false);
}

Test(check_files, objects_that_are_missing_or_of_another_kind)
{
	scoped_free char *directory = scratch_directory();
	scoped_free char *text = format_text(HEAD "[normal]\nallow = read_dir,read_file %s\nallow = read_file %s/file\n"
						  "allow = read_dir,read_file %s/file2\nallow = read_file %s/none/x\n"
						  "allow = read_file %s/file/x\nallow = read_file /proc/self/none\n"
						  "allow = read_file ${TTY}\n[held]\nallow = read_file /none\n",
					     directory, directory, directory, directory, directory);
	scoped_free char *want = format_text(
		"p.ini:8: warning: %s/file2 is not a directory, and only a directory can have read_dir: remove that\n"
		"p.ini:9: warning: %s/none/x does not exist: the line is passed over; remove it or learn again\n"
		"p.ini:10: warning: %s/file/x does not exist: the line is passed over; remove it or learn again\n",
		directory, directory, directory);

	make_file(directory, "file");
	make_file(directory, "file2");
	expect_paths(text, want, false);
}

static void expect_refused_link(const char *directory, const char *text, const char *why)
{
	scoped_free char *want = format_text(
		"p.ini:6: warning: %s/link is a symbolic link to a\\x1bb, and its directory %s: the line is "
		"not applied; name the target instead\n",
		directory, why);

	expect_paths(text, want, false);
}

Test(check_files, symbolic_links_that_others_can_change)
{
	const char *foreign = "does not belong to root";
	const char *open = geteuid() == 0 ? "can be changed by others than root" : foreign;
	scoped_free char *directory = scratch_directory();
	scoped_free char *link = format_text("%s/link", directory);
	scoped_free char *text = format_text(HEAD "[normal]\nallow = read_file %s/file\n", link);

	cr_assert_eq(symlink("a\033b", link), 0);
	cr_assert_eq(chmod(directory, 0757), 0);
	expect_refused_link(directory, text, open);
	cr_assert_eq(chmod(directory, 0775), 0);
	expect_refused_link(directory, text, open);
	cr_assert_eq(chmod(directory, 0755), 0); /* root alone may write, unless it belongs to someone else */
	cr_assert(geteuid() != 0 || chown(directory, 1, 0) == 0);
	expect_refused_link(directory, text, foreign);
}

/* The directory belongs to root alone, but the profile itself lets the program put another link there. */
Test(check, symbolic_links_that_the_program_can_change)
{
	struct stat status;

	if (lstat("/bin", &status) < 0 || !S_ISLNK(status.st_mode))
		cr_skip_test("/bin is no symbolic link here");
	expect_paths(HEAD "[normal]\nallow = read_file /bin\n",
		     "p.ini:6: note: /bin is a symbolic link to usr/bin, followed because only root can change it\n",
		     true);
	expect_paths(
		HEAD "[protected]\nallow = make_sym,remove_file /\n[normal]\nallow = read_file /bin\n",
		"p.ini:8: warning: /bin is a symbolic link to usr/bin, and its directory can be changed by the program "
		"itself: the line is not applied; name the target instead\n",
		false);
}

Test(check_files, the_program_itself)
{
	scoped_free char *directory = scratch_directory();
	scoped_free char *program = format_text("%s/program", directory);
	scoped_free char *good =
		format_text(HEAD "program = %s\n[normal]\nallow = execute,read_file %s\n", program, directory);
	scoped_free char *bad = format_text(HEAD "program = %s\n[normal]\nallow = read_file %s\n", program, directory);
	scoped_free char *want = format_text("p.ini:5: warning: the program may not be executed: add `allow = "
					     "execute,read_file %s'\n",
					     program);

	expect_paths(good, "p.ini:5: warning: the program cannot be found: No such file or directory\n", false);
	make_file(directory, "program");
	expect_paths(good, "", true);
	expect_paths(bad, want, false);
}

static void expect_files(const char *path, const char *lines, const char *want, bool passes)
{
	scoped_free char *text = format_text(HEAD "[normal]\n%s", lines);
	struct buffer bytes = {.data = text, .length = strlen(text)};
	scoped_profile profile = {0};
	struct check check = {0};
	struct tiers *tiers = NULL;
	scoped_error err = {0};
	struct reach reach;
	struct stat status;

	need_openat2();
	cr_assert_eq(tiers_load(NULL, &test_variables, &tiers, &err), 0, "%s", err.message);
	read_profile(text, &profile);
	cr_assert_eq(stat(path, &status), 0);
	reach_init(&reach, &profile);
	check_files(&check, &(struct profile_gate){
				    .file = path, .status = &status, .bytes = &bytes, .reach = &reach, .tiers = tiers});
	reach_finish(&reach);
	tiers_destroy(tiers);
	expect_found(&check, want, passes);
}

Test(check_files, a_profile_that_its_program_can_change)
{
	scoped_free char *directory = scratch_directory();
	scoped_free char *state = scratch_directory();
	scoped_free char *path = format_text("%s/p.ini", directory);
	scoped_free char *lines = format_text("allow = make_reg %s\n", directory);
	scoped_free char *text = format_text(HEAD "[normal]\n%s", lines);
	scoped_free char *want = format_text(
		"p.ini: error: trace-run refuses to start: the grant on %s (line 6 of the profile) lets the program "
		"change this profile, and nobody has let these bytes in at this place: look at them with "
		"\"trace-profile show %s\" and accept them with \"trace-profile trust %s\", or start with "
		"--allow-writable-profile\n",
		directory, path, path);
	scoped_error err = {0};
	char hash[HASH_TEXT_SIZE];

	setenv("XDG_STATE_HOME", state, 1);
	make_file(directory, "p.ini");
	expect_files(path, lines, want, false);
	hash_text(text, strlen(text), hash);
	cr_assert_eq(trust_add(hash, path, &err), 0, "%s", err.message);
	expect_files(path, lines, "", true);
}

/* Then the list can speak for nothing. */
Test(check_files, a_profile_whose_program_can_change_the_list_of_trusted_files)
{
	scoped_free char *directory = scratch_directory();
	scoped_free char *path = format_text("%s/p.ini", directory);
	scoped_free char *lines = format_text("allow = make_reg %s\n", directory);
	scoped_free char *want = format_text(
		"p.ini: error: trace-run refuses to start: its grant on %s (line 6 of the profile) lets the program "
		"change the list of trusted files, %s/trace-learn/trusted, so that the list cannot speak for this "
		"profile: take that grant away, or start with --allow-writable-profile\n",
		directory, directory);

	setenv("XDG_STATE_HOME", directory, 1);
	make_file(directory, "p.ini");
	expect_files(path, lines, want, false);
}

Test(check, colour_and_hostile_text)
{
	struct check check = {0};
	scoped_free char *text = NULL;

	check_add(&check, FINDING_ERROR, 2, "a\033b");
	check_add(&check, FINDING_NOTE, 1, "c");
	text = print_check(&check, true);
	cr_expect_str_eq(text, "p.ini:1: \033[2mnote\033[0m: c\np.ini:2: \033[1;31merror\033[0m: a\\x1bb\n");
	check_finish(&check);
}
