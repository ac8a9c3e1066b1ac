/* From a profile's text to what the kernel then allows. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/landlock_abi.h"
#include "profile/profile_file.h"
#include "runner/confine.h"

static char directory[PATH_MAX];

static void make_file(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	cr_assert(fd >= 0 && write(fd, "text\n", 5) == 5, "%s", name);
	close(fd);
}

static void enter(void)
{
	const char *top = getenv("TMPDIR");
	char *made = format_text("%s/confine.XXXXXX", top ? top : "/tmp");

	cr_assert_gt(landlock_abi(), 0, "these tests need Landlock");
	cr_assert_not_null(mkdtemp(made));
	cr_assert_eq(chdir(made), 0);
	cr_assert_not_null(getcwd(directory, sizeof directory));
	free(made);
	cr_assert_eq(mkdir("d", 0755), 0);
	make_file("f");
	make_file("g");
	make_file("d/f");
}

static void leave(void)
{
	char *command = format_text("rm -rf '%s'", directory);

	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(system(command), 0);
	free(command);
}

TestSuite(confine, .init = enter, .fini = leave);

/* What was said while confining, a line each: shared with the child. */
static char *said;

static void hear(void *data, unsigned line, const char *text)
{
	(void)data;
	sprintf(said + strlen(said), "%u: %s\n", line, text);
}

/* Reads a profile in which @ stands for the directory. */
static void read_profile(const char *lines, struct profile *profile)
{
	static const char head[] = "[profile]\nformat = 1\n";
	struct buffer text = {0};
	struct error err = {0};

	buffer_add_text(&text, head);
	for (; *lines; lines++)
		if (*lines == '@')
			buffer_add_text(&text, directory);
		else
			buffer_add_byte(&text, *lines);
	cr_assert_eq(profile_read_text(text.data, text.length, "p.ini", NULL, profile, &err), 0, "%s", err.message);
	buffer_finish(&text);
}

typedef int attempt_fn(void);

/* Confines, with rules that are made while links are looked for, as trace-run does, or with all of them afterwards. */
static int confined(const char *lines, bool early)
{
	struct profile profile = {0};
	struct ruleset ruleset;
	struct reach reach;
	struct early_rules rules = {.fd = -1};
	struct error err = {0};

	read_profile(lines, &profile);
	ruleset_compile(&profile, landlock_abi(), &ruleset);
	if (early) {
		early_rules_init(&rules, &profile, &ruleset);
		reach_init_opening(&reach, &profile, early_rules_take, &rules);
	} else {
		reach_init(&reach, &profile);
	}
	return confine(&ruleset, &reach, &rules, hear, NULL, &err) < 0 ? err.number : 0;
}

static int attempted(const char *lines, attempt_fn *attempt, bool early)
{
	int status;

	if (!said)
		said = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*said = '\0';
	if (fork() == 0) {
		int number = lines ? confined(lines, early) : 0;

		_exit(number ? 200 + number : attempt());
	}
	wait(&status);
	cr_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* What the attempt gives under the profile; NULL: without. Statuses from 200 on: confining failed with that errno. */
static int under(const char *lines, attempt_fn *attempt)
{
	int late = attempted(lines, attempt, false), status;
	scoped_free char *said_late = duplicate(said);

	status = attempted(lines, attempt, true);
	cr_expect_eq(status, late, "%s: %d with early rules, %d without", lines, status, late);
	cr_expect_str_eq(said, said_late);
	return status;
}

static int makes_rules_early(void)
{
	struct profile profile = {0};
	struct ruleset ruleset;
	struct reach reach;
	struct early_rules rules;
	int made = 0;

	read_profile("[normal]\nallow = read_file @/f\nallow = read_file @/link\nallow = read_file @/missing\n"
		     "allow = read_dir @/d\nallow = read_dir @/g\nallow = read_file /proc/self/maps\n"
		     "allow = read_file /proc/version\n[held]\nallow = write_file @/h\n",
		     &profile);
	ruleset_compile(&profile, landlock_abi(), &ruleset);
	early_rules_init(&rules, &profile, &ruleset);
	reach_init_opening(&reach, &profile, early_rules_take, &rules);
	for (size_t i = 0; i < profile.grant_count; i++) {
		const char *name = strrchr(profile.grants[i].path, '/');

		if (early_rules_has(&rules, &profile.grants[i]))
			made = made * 10 + (strcmp(name, "/f") == 0 ? 1 : strcmp(name, "/d") == 0 ? 2 : 9);
	}
	early_rules_finish(&rules);
	return made;
}

/* Not: through links, of nothing, of rights that the object cannot have, of /proc, and of what is held. */
Test(confine, rules_are_made_early_where_nothing_else_decides)
{
	cr_assert_eq(symlink("f", "link"), 0);
	cr_expect_eq(attempted(NULL, makes_rules_early, true), 21);
}

static void heard(const char *part)
{
	cr_expect(strstr(said, part), "said: %s\nnot: %s", said, part);
}

static int opened(const char *name, int flags)
{
	return open(name, flags) < 0 ? errno : 0;
}

static int reads_f(void)
{
	return opened("f", O_RDONLY);
}

static int reads_g(void)
{
	return opened("g", O_RDONLY);
}

static int reads_d_f(void)
{
	return opened("d/f", O_RDONLY);
}

static int lists_d(void)
{
	return opened("d", O_RDONLY | O_DIRECTORY);
}

Test(confine, what_is_granted_works_and_the_rest_is_refused)
{
	static const char profile[] = "[normal]\nallow = read_file @/f\n[guarded]\nallow = read_dir @/d\n";

	cr_assert_eq(under(NULL, reads_g), 0);
	cr_assert_eq(under(NULL, reads_d_f), 0);
	cr_expect_eq(under(profile, reads_f), 0);
	cr_expect_eq(under(profile, lists_d), 0);
	cr_expect_eq(under(profile, reads_g), EACCES);
	cr_expect_eq(under(profile, reads_d_f), EACCES);
	cr_expect_str_eq(said, "");
}

/* The number of the first use that is not refused; 0 for none. */
static int uses_every_right(void)
{
	const int answers[] = {
		opened("f", O_RDONLY),
		opened("f", O_WRONLY),
		opened("d", O_RDONLY),
		landlock_abi() < 3     ? EACCES
		: truncate("f", 1) < 0 ? errno
				       : 0,
		mkdir("n", 0700) < 0 ? errno : 0,
		mkfifo("n", 0700) < 0 ? errno : 0,
		symlink("f", "n") < 0 ? errno : 0,
		link("f", "n") < 0 ? errno : 0,
		unlink("f") < 0 ? errno : 0,
		rmdir("d") < 0 ? errno : 0,
		rename("f", "d/n") < 0 ? errno : 0,
		execl("/bin/true", "true", NULL) < 0 ? errno : 0,
	};

	for (int i = 0; i < (int)ARRAY_LENGTH(answers); i++)
		if (answers[i] != EACCES)
			return i + 1;
	return 0;
}

Test(confine, an_empty_profile_refuses_every_kind_of_use)
{
	cr_assert_eq(under("", uses_every_right), 0);
	cr_assert_eq(under(NULL, reads_f), 0);
}

static int has_no_new_privs(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

Test(confine, sets_no_new_privs)
{
	cr_assert_eq(under(NULL, has_no_new_privs), 0);
	cr_assert_eq(under("", has_no_new_privs), 1);
}

static int highest_descriptor(void)
{
	int highest = -1;

	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			highest = fd;
	return highest;
}

Test(confine, leaves_no_descriptor_behind)
{
	cr_assert_eq(under("[normal]\nallow = read_file @/f\nallow = read_dir /proc/self\n", highest_descriptor),
		     under(NULL, highest_descriptor));
}

Test(confine, held_and_absent_lines_grant_nothing)
{
	static const char profile[] =
		"[normal]\nallow = read_file @/f\n[held]\nallow = read_file @/g\n[absent]\nallow = make_reg @\n";

	cr_assert_eq(under(profile, reads_g), EACCES);
}

/* The kernel would refuse the rule as a whole (EINVAL). */
Test(confine, rights_of_directories_are_left_out_for_files)
{
	cr_assert_eq(under("[normal]\nallow = make_reg,read_dir,read_file,remove_dir @/f\n", reads_f), 0);
	cr_expect_str_eq(said, "");
	cr_assert_eq(under("[normal]\nallow = read_file @/f\nallow = read_dir @/g\n", reads_f), 0);
	heard("5: nothing is granted on ");
	heard("not a directory");
}

Test(confine, missing_paths_are_said_and_the_rest_is_enforced)
{
	static const char profile[] = "[normal]\nallow = read_file @/f\nallow = write_file @/missing\n"
				      "allow = read_file @/f/x\n[absent]\nallow = make_reg @\n";

	cr_assert_eq(under(profile, reads_f), 0);
	heard("5: ");
	heard("/missing is not there, so nothing is granted on it; for the program to make it, it needs \"allow = "
	      "make_reg /");
	heard("6: ");
	cr_assert_eq(under(profile, reads_g), EACCES);
}

Test(confine, many_missing_paths_are_counted)
{
	struct buffer profile = {0};

	buffer_add_text(&profile, "[normal]\nallow = read_file @/f\n");
	for (int i = 0; i < 25; i++)
		buffer_format(&profile, "allow = read_file @/missing%02d\n", i);
	cr_assert_eq(under(profile.data, reads_f), 0);
	heard("/missing09 is not there");
	cr_expect_null(strstr(said, "/missing10"));
	heard("0: 15 more of its paths are not there");
	buffer_finish(&profile);
}

Test(confine, when_no_path_is_there_all_is_refused)
{
	cr_assert_eq(under("[normal]\nallow = read_file @/x\nallow = read_file @/y\n", reads_f), EACCES);
	heard("0: none of its 2 paths is granted: every file will be refused");
}

/* What a build could do before its next start: its output directory becomes a link to what it may not touch. */
static int writes_out(void)
{
	return opened("b/out/secret", O_WRONLY);
}

Test(confine, a_directory_that_became_a_link_grants_nothing)
{
	static const char profile[] = "[normal]\nallow = make_dir,make_sym,remove_dir @/b\nallow = write_file @/b/out\n"
				      "allow = read_file @/f\n";

	cr_assert_eq(mkdir("b", 0755) || mkdir("b/out", 0755) || mkdir("secret", 0755), 0);
	make_file("b/out/secret");
	make_file("secret/secret");
	cr_assert_eq(under(profile, writes_out), 0);
	cr_assert_eq(unlink("b/out/secret") || rmdir("b/out") || symlink("../secret", "b/out"), 0);
	cr_assert_eq(under(NULL, writes_out), 0);
	cr_assert_eq(under(profile, writes_out), EACCES);
	heard("/b/out is a symbolic link to ../secret");
	cr_assert_eq(under(profile, reads_f), 0);
}

static int reads_hostile(void)
{
	return opened("a\n;#\033[31m \377", O_RDONLY);
}

Test(confine, hostile_names)
{
	make_file("a\n;#\033[31m \377");
	cr_assert_eq(under("[normal]\nallow = read_file @/a\\n\\x3b\\x23\\x1b[31m \\xff\n", reads_hostile), 0);
	cr_assert_eq(under("[normal]\nallow = read_file @/a\n", reads_hostile), EACCES);
}

static int reads_own_status(void)
{
	return opened("/proc/self/status", O_RDONLY);
}

static int reads_parents_status(void)
{
	char path[40];

	snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
	return opened(path, O_RDONLY);
}

Test(confine, proc_self_is_the_process_itself)
{
	static const char profile[] = "[normal]\nallow = read_file /proc/self/status\n";

	cr_assert_eq(under(NULL, reads_parents_status), 0);
	cr_expect_eq(under(profile, reads_own_status), 0);
	cr_expect_eq(under(profile, reads_parents_status), EACCES);
}

/* Ports and scopes */
static int listening;
static uint16_t port;

static void listen_somewhere(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;

	listening = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert_eq(bind(listening, (struct sockaddr *)&address, length), 0);
	cr_assert_eq(listen(listening, 16), 0);
	cr_assert_eq(getsockname(listening, (struct sockaddr *)&address, &length), 0);
	port = ntohs(address.sin_port);
}

static int connects(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
}

static int binds(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	return bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
}

Test(confine, ports)
{
	char only[80], other[80];

	if (landlock_abi() < 4)
		cr_skip_test("ports came with Landlock ABI 4");
	listen_somewhere();
	snprintf(only, sizeof only, "[network]\nallow = connect_tcp %u\n", port);
	snprintf(other, sizeof other, "[network]\nallow = connect_tcp %u\n", port ^ 1);
	cr_assert_eq(under(NULL, connects), 0);
	cr_expect_eq(under("", connects), EACCES);
	cr_expect_eq(under(only, connects), 0);
	cr_expect_eq(under(only, binds), EACCES);
	cr_expect_eq(under(other, connects), EACCES);
	cr_expect_eq(under("[network]\nallow = connect_tcp any\n", connects), 0);
	cr_expect_eq(under("[network]\nallow = connect_tcp any\n", binds), EACCES);
	cr_expect_eq(under("[network]\nallow = bind_tcp 0\n", binds), 0);
}

static int signals_parent(void)
{
	return kill(getppid(), 0) < 0 ? errno : 0;
}

Test(confine, scopes)
{
	if (landlock_abi() < 6)
		cr_skip_test("scopes came with Landlock ABI 6");
	cr_assert_eq(under(NULL, signals_parent), 0);
	cr_expect_eq(under("", signals_parent), EPERM);
	cr_expect_eq(under("[scope]\nallow = abstract_unix_socket\n", signals_parent), EPERM);
	cr_expect_eq(under("[scope]\nallow = signal\n", signals_parent), 0);
}

/* Domains on top of each other until one is refused: 0 when that was said well. */
static int confines_until_refused(void)
{
	struct profile profile = {0};
	struct ruleset ruleset;
	struct reach reach;
	struct error err = {0};
	int count = 0;

	ruleset_compile(&profile, landlock_abi(), &ruleset);
	reach_init(&reach, &profile);
	while (count < 100 && confine(&ruleset, &reach, NULL, hear, NULL, &err) == 0)
		count++;
	return err.number == E2BIG && count >= 15 && strstr(err.message, "as many Landlock domains") ? 0 : 1;
}

Test(confine, too_many_domains_are_an_error_of_their_own)
{
	cr_assert_eq(under(NULL, confines_until_refused), 0);
}

static int only_looks(void)
{
	struct profile profile = {0};
	struct ruleset ruleset;
	struct reach reach;
	struct error err = {0};

	read_profile("[normal]\nallow = read_file @/missing\nallow = read_file @/g\n[network]\nallow = bind_tcp 0\n",
		     &profile);
	ruleset_compile(&profile, landlock_abi(), &ruleset);
	reach_init(&reach, &profile);
	if (confine_look(&ruleset, &reach, hear, NULL, &err) < 0)
		return err.number;
	return opened("f", O_RDONLY);
}

Test(confine, looking_says_the_same_and_restricts_nothing)
{
	cr_assert_eq(under(NULL, only_looks), 0);
	heard("4: ");
	heard("/missing is not there");
}
