/* Questions as they are typed, and what logs and profiles answer: which accesses, by which rule, and what nothing
 * tells. */
#include "session.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/fact.h"
#include "profile/reply.h"
#include "profile/why.h"
#include "tests/unit/own_directory.h"

#define START "{\"event\":\"session\",\"state\":\"start\",\"format\":1}\n"

/* A log of these accesses, given as the rest of their records. */
static void read_log(struct evidence *evidence, const char *const *accesses)
{
	scoped_fd fd = memfd_create("log", MFD_CLOEXEC);
	scoped_error err = {0};
	char name[64];

	dprintf(fd, START);
	for (; *accesses; accesses++)
		dprintf(fd, "{\"event\":\"%s\",\"pid\":1,\"asked\":true,\"syscall\":\"call\",%s}\n",
			strstr(*accesses, "\"port\"") ? "network" : "access", *accesses);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	cr_assert_eq(evidence_read(evidence, name, &err), 0, "%s", err.message);
}

static int ask(const char *const *words, struct question *question, struct error *err)
{
	size_t count = 0;

	while (words[count])
		count++;
	return question_read((char *const *)words, count, &test_variables, question, err);
}

/* One word, or two with a bar between. */
static void ask_text(const char *text, struct question *question)
{
	scoped_free char *first = duplicate_bytes(text, strcspn(text, "|"));
	const char *bar = strchr(text, '|');
	const char *const words[] = {first, bar ? bar + 1 : NULL, NULL};
	scoped_error err = {0};

	cr_assert_eq(ask(words, question, &err), 0, "%s: %s", text, err.message);
}

static void expect_question(const char *text, enum question_kind kind, const char *want)
{
	scoped_question question = {0};
	scoped_free char *got = NULL;

	ask_text(text, &question);
	got = question_text(&question);
	cr_expect_eq((int)question.kind, (int)kind, "%s is of kind %d", text, (int)question.kind);
	cr_expect_str_eq(got, want, "%s is read as %s", text, got);
}

static void expect_refused(const char *text, const char *want)
{
	scoped_free char *first = duplicate_bytes(text, strcspn(text, "|"));
	const char *bar = strchr(text, '|');
	const char *const words[] = {first, bar ? bar + 1 : NULL, NULL};
	scoped_question question = {0};
	scoped_error err = {0};

	cr_expect_eq(ask(words, &question, &err), -EINVAL, "%s", text);
	cr_expect(err.message && strstr(err.message, want), "%s gives %s", text, err.message);
}

Test(why, questions)
{
	expect_question("/none/x", QUESTION_PATH, "/none/x");
	expect_question("/none//x/", QUESTION_PATH, "/none/x");
	expect_question("none/x", QUESTION_PATH, "/home/me/project/none/x");
	expect_question("./signal", QUESTION_PATH, "/home/me/project/signal");
	expect_question("read_file|/none/a b", QUESTION_GRANT, "read_file /none/a b");
	expect_question("write_file,read_file|/none/\\x41;", QUESTION_GRANT, "read_file,write_file /none/\\\\x41\\x3b");
	expect_question("read_file|none", QUESTION_GRANT, "read_file /home/me/project/none");
	expect_question("connect_tcp|443", QUESTION_PORT, "connect_tcp 443");
	expect_question("read_file /none/\\x41", QUESTION_GRANT, "read_file /none/A");
	expect_question("read_file ${HOME}/x", QUESTION_GRANT, "read_file /home/me/x");
	expect_question("allow = read_file /none/x", QUESTION_GRANT, "read_file /none/x");
	expect_question("  allow=read_file   /none/x\n", QUESTION_GRANT, "read_file /none/x");
	expect_question("allow = read_file /none/\\\n  x/y\n", QUESTION_GRANT, "read_file /none/x/y");
	expect_question("connect_tcp any", QUESTION_PORT, "connect_tcp any");
	expect_question("allow = signal", QUESTION_SCOPE, "signal");
	expect_question("signal", QUESTION_SCOPE, "signal");
	expect_question("udp", QUESTION_CALL, "udp");
}

Test(why, pasted_in_words)
{
	const char *const words[] = {"allow", "=", "read_file", "/none/x", NULL};
	scoped_question question = {0};
	scoped_error err = {0};

	cr_assert_eq(ask(words, &question, &err), 0, "%s", err.message);
	cr_expect_str_eq(question.path, "/none/x");
	cr_expect_not(question.use);
}

Test(why, no_questions)
{
	expect_refused("", "\"\": neither a path");
	expect_refused("nothing", "neither a path");
	expect_refused("read_file", "a path is missing");
	expect_refused("read_file ", "a path is missing");
	expect_refused("connect_tcp", "a port is missing");
	expect_refused("read_file x", "not an absolute path");
	expect_refused("read_file /a/../b", "may not have");
	expect_refused("fly|/x", "unknown right fly");
	expect_refused("read_file,fly|/x", "fly");
	expect_refused("read_file,read_file|/x", "read_file");
	expect_refused("read_file|", "empty");
	expect_refused("connect_tcp|x", "port");
	expect_refused("connect_tcp|65536", "port");
	expect_refused("signal|/x", "stands alone");
	expect_refused("/none/../x", "where .. leads");
	expect_refused("read_file /x/${NONE}", "NONE");
}

Test(why, links_on_the_way_of_a_typed_path_are_followed)
{
	char directory[PATH_MAX];
	scoped_free char *link = NULL, *there = NULL, *missing = NULL;
	scoped_question question = {0}, other = {0};

	own_directory(directory);
	link = format_text("%s/link", directory);
	there = format_text("read_file|%s/link", directory);
	missing = format_text("read_file|%s/link/none", directory);
	cr_assert_eq(symlink("/usr", link), 0);
	ask_text(there, &question);
	ask_text(missing, &other);
	unlink(link);
	rmdir(directory);
	cr_expect_str_eq(question.path, "/usr");
	cr_expect_str_eq(question.other, link);
	cr_expect_str_eq(other.path, "/usr/none");
}

Test(why, a_line_of_a_profile)
{
	scoped_profile profile = {0};
	scoped_error err = {0};
	static const struct {
		unsigned line;
		const char *want;
	} lines[] = {
		{4, "read_file /a"},   {6, "write_file /b"}, {8, "make_reg /c"},
		{10, "connect_tcp 1"}, {12, "signal"},	     {14, "udp"},
	};

	read_text(HEAD "[normal]\nallow = read_file /a\n[held]\nallow = write_file /b\n[absent]\nallow = make_reg /c\n"
		       "[network]\nallow = connect_tcp 1\n[scope]\nallow = signal\n[seccomp]\nallow = udp\n",
		  &test_variables, &profile);
	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
		scoped_question question = {0};
		scoped_free char *got = NULL;

		cr_assert_eq(question_of_line(&profile, lines[i].line, &question, &err), 0, "line %u", lines[i].line);
		got = question_text(&question);
		cr_expect_str_eq(got, lines[i].want);
	}
	for (unsigned line = 0; line < 4; line++) {
		scoped_question question = {0};
		scoped_error none = {0};

		cr_expect_eq(question_of_line(&profile, line, &question, &none), -EINVAL);
	}
}

/* "RELATION PATH" of each access that is found, then what stays unexplained. */
static void expect_found(const char *const *accesses, const char *text, const char *want)
{
	struct tiers *tiers = builtin_tiers();
	scoped_evidence evidence = {0};
	scoped_question question = {0};
	scoped_buffer got = {0};
	scoped_why why = {0};

	read_log(&evidence, accesses);
	ask_text(text, &question);
	why_find(&evidence, tiers, &question, &why);
	for (size_t i = 0; i < why.count; i++) {
		const struct access *access = &why.items[i].access->access;

		buffer_format(&got, "%s %s\n", why_relation_name(why.items[i].relation),
			      access->path ? access->path : "-");
	}
	if (why.beneath)
		buffer_format(&got, "%zu beneath\n", why.beneath);
	if (why.unexplained) {
		scoped_free char *rights = fact_rights(why.unexplained);

		buffer_format(&got, "unexplained %s\n", rights);
	}
	cr_expect_str_eq(buffer_text(&got), want, "%s is answered with\n%s", text, buffer_text(&got));
	tiers_destroy(tiers);
}

#define USE(path, rights)                                                                                              \
	"\"kind\":\"use\",\"type\":\"file\",\"path\":\"" path "\",\"rights\":[" rights "],\"result\":\"ok\""
#define LOOK(path) "\"kind\":\"look\",\"path\":\"" path "\",\"rights\":[]"
#define READ	   "\"read_file\""
#define WRITE	   "\"write_file\""

Test(why, the_accesses_that_a_line_is_for)
{
	static const char *const log[] = {USE("/none/a", READ), USE("/none/a", WRITE), USE("/none/b", READ),
					  USE("/none/d/x", READ), NULL};

	expect_found(log, "read_file /none/a", "needs /none/a\n");
	expect_found(log, "read_file,write_file /none/a", "needs /none/a\nneeds /none/a\n");
	expect_found(log, "execute,read_file /none/a", "needs /none/a\nunexplained execute\n");
	expect_found(log, "execute /none/a", "unexplained execute\n");
	expect_found(log, "/none/d", "1 beneath\n");
	expect_found(log, "/none", "4 beneath\n");
}

/* Each right that was taken on the line itself is not looked for beneath. */
Test(why, a_line_that_is_wider)
{
	static const char *const log[] = {USE("/none/d", READ), USE("/none/d/x", READ "," WRITE),
					  USE("/none/dd", WRITE), NULL};

	expect_found(log, "read_file /none/d", "needs /none/d\n");
	expect_found(log, "read_file,write_file /none/d", "needs /none/d\nbeneath /none/d/x\n");
	expect_found(log, "execute,write_file /none/d", "beneath /none/d/x\nunexplained execute\n");
}

Test(why, moves_bring_rights)
{
	static const char *const log[] = {
		"\"kind\":\"rename\",\"type\":\"file\",\"path\":\"/none/a/f\",\"path2\":\"/none/b/f\",\"rights\":[]",
		"\"kind\":\"rename\",\"type\":\"file\",\"path\":\"/none/b/f\",\"path2\":\"/none/c/f\",\"rights\":[]",
		USE("/none/c/f", READ), NULL};

	/* /none/c/f is born: its directory can be read; so can what was moved there, and where that had come from. */
	expect_found(log, "read_file /none/c", "needs /none/c/f\n");
	expect_found(log, "read_file /none/b", "moves /none/b/f\n");
	expect_found(log, "read_file /none/a/f", "moves /none/a/f\n");
	expect_found(log, "write_file /none/a/f", "unexplained write_file\n");
	expect_found(log, "refer,remove_file /none/a", "needs /none/a/f\n");
}

Test(why, what_is_no_path)
{
	static const char *const log[] = {"\"kind\":\"port\",\"port\":443,\"rights\":[\"connect_tcp\"]",
					  "\"kind\":\"scope\",\"rights\":[\"signal\"]",
					  "\"kind\":\"call\",\"group\":\"udp\",\"rights\":[]", NULL};

	expect_found(log, "connect_tcp 443", "needs -\n");
	expect_found(log, "connect_tcp 80", "unexplained connect_tcp\n");
	expect_found(log, "bind_tcp 443", "unexplained bind_tcp\n");
	expect_found(log, "connect_tcp any", "beneath -\n");
	expect_found(log, "signal", "needs -\n");
	expect_found(log, "abstract_unix_socket", "unexplained abstract_unix_socket\n");
	expect_found(log, "udp", "needs udp\n");
	expect_found(log, "perf", "");
}

Test(why, what_was_used_and_needed_nothing)
{
	static const char *const log[] = {
		"\"kind\":\"missing\",\"path\":\"/none/m\",\"rights\":[" READ "],\"error\":\"ENOENT\"",
		"\"kind\":\"use\",\"path\":\"/none/i\",\"rights\":[" READ "],\"inherited\":true",
		"\"kind\":\"use\",\"path\":\"/proc/77/maps\",\"rights\":[" READ "]", NULL};

	expect_found(log, "/none/m", "used /none/m\n");
	expect_found(log, "/none/i", "used /none/i\n");
	expect_found(log, "read_file /none/i", "unexplained read_file\n");
	expect_found(log, "/proc/77/maps", "needs /proc/77/maps\n");
}

/* They come last, and what was only looked at beneath a directory tells nothing of a grant on it. */
Test(why, looks)
{
	static const char *const log[] = {LOOK("/none/a"), LOOK("/none/d/y"), USE("/none/a", READ), NULL};

	expect_found(log, "/none/a", "needs /none/a\nused /none/a\n");
	expect_found(log, "read_file /none/a", "needs /none/a\n");
	expect_found(log, "/none/d/y", "used /none/d/y\n");
	expect_found(log, "/none/d", "");
	expect_found(log, "/none", "1 beneath\n");
}

Test(why, born_names_are_asked_about_for_their_own_sake)
{
	static const char *const log[] = {
		"\"kind\":\"create\",\"type\":\"file\",\"path\":\"/none/n\",\"rights\":[\"make_reg\"," WRITE "]",
		USE("/none/n", READ), NULL};

	expect_found(log, "read_file|/none/n", "needs /none/n\n");
	expect_found(log, "/none/n", "needs /none/n\nneeds /none/n\n");
	expect_found(log, "read_file /none", "needs /none/n\n");
	/* A line on the name itself was never learned. */
	expect_found(log, "read_file /none/n", "unexplained read_file\n");
}

/* allowed, and the lines to add. */
static void expect_reply(const char *const *accesses, const char *profile_lines, const char *text, bool allowed,
			 const char *add)
{
	scoped_free char *profile_text = format_text(HEAD "[normal]\n%s", profile_lines);
	struct tiers *tiers = builtin_tiers();
	scoped_evidence evidence = {0};
	scoped_question question = {0};
	scoped_profile profile = {0};
	scoped_reply reply = {0};
	scoped_buffer got = {0};
	struct allowed *engine;

	read_text(profile_text, &test_variables, &profile);
	read_log(&evidence, accesses);
	ask_text(text, &question);
	engine = allowed_create(&profile, tiers, NULL);
	reply_find(engine, &evidence, "/dev/pts/3", &question, &reply);
	for (size_t i = 0; i < reply.needs.count; i++)
		if (reply.answers[i].add)
			buffer_format(&got, "%s;", reply.answers[i].add);
	cr_expect_eq(reply.allowed, allowed, "%s", text);
	cr_expect_str_eq(buffer_text(&got), add, "%s: %s", text, buffer_text(&got));
	allowed_destroy(engine);
	tiers_destroy(tiers);
}

Test(why, would_it_be_allowed)
{
	static const char *const nothing[] = {NULL};
	static const char *const made[] = {
		"\"kind\":\"create\",\"type\":\"file\",\"path\":\"/none/n\",\"rights\":[\"make_reg\"]", NULL};

	expect_reply(nothing, "allow = read_file /none\n", "read_file|/none/x", true, "");
	expect_reply(nothing, "allow = read_file /none\n", "read_file,write_file|/none/x", false,
		     "write_file /none/x;");
	expect_reply(nothing, "allow = execute /none/x\n", "execute|/none/x", false, "read_file /none/x;");
	expect_reply(nothing, "allow = execute /none/x\n", "execute /none/x", true, "");
	expect_reply(nothing, "", "read_file|/dev/pts/9", false, "read_file /dev/pts;");
	expect_reply(nothing, "", "read_file|/dev/pts/3", false, "read_file ${TTY};");
	expect_reply(nothing, "", "read_file|/proc/1/maps", false, "");
	expect_reply(nothing, "allow = read_file /none\n", "/none/x", true, "");
	expect_reply(nothing, "allow = read_file /none\n", "/nonesuch", false, "");
	expect_reply(nothing, "[scope]\nallow = signal\n", "signal", true, "");
	expect_reply(nothing, "", "udp", false, "udp;");
	expect_reply(made, "", "read_file|/none/n", false, "read_file /none;");
	expect_reply(nothing, "", "read_file|/none/n", false, "read_file /none/n;");
}

Test(why, what_is_printed_steers_no_terminal)
{
	static const char *const log[] = {
		"\"exe\":\"/none/\\\\x1b[31m\",\"kind\":\"use\",\"path\":\"/none/"
		"\\\\x1b[2J\\\\n\\\\xe2\\\\x80\\\\xae\",\"rights\":[" READ
		"],\"flags\":[\"O_\\u001b\"],\"time\":\"\\u009b\",\"stack\":[{\"function\":\"\\\\x1b\\\\n\","
		"\"offset\":1,\"module\":\"\\\\xe2\\\\x80\\\\xae\"}]",
		NULL};
	scoped_evidence evidence = {0};
	scoped_question question = {.kind = QUESTION_PATH, .path = duplicate("/none")};
	struct tiers *tiers = builtin_tiers();
	scoped_free char *text = NULL;
	scoped_file out = NULL;
	scoped_why why = {0};
	size_t size;

	read_log(&evidence, log);
	free(question.path);
	question.path = duplicate(evidence.sessions[0]->accesses[0].access.path);
	why_find(&evidence, tiers, &question, &why);
	out = open_memstream(&text, &size);
	why_print(&why, &question, "  ", 20, out, false);
	fflush(out);
	cr_expect(strstr(text, "/none/\\x1b"), "%s", text);
	cr_expect(strstr(text, "at \\x1b\\n+0x1 ("), "%s", text);
	for (const char *at = text; *at; at++)
		cr_assert(*at == '\n' || (*at >= ' ' && *at < 0x7f), "%s", text);
	tiers_destroy(tiers);
}
