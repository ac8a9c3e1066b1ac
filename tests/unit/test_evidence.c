/* Audit logs read back: who did what and how often, and logs that are cut, foreign or hostile. */
#include <criterion/criterion.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "profile/evidence.h"

#define T     "\"time\":\"2026-01-02T03:04:05.000006Z\","
#define START "{" T "\"event\":\"session\",\"state\":\"start\",\"format\":1,\"pid\":9}\n"
#define CAT                                                                                                            \
	"\"kind\":\"use\",\"exe\":\"/bin/cat\",\"syscall\":\"openat\",\"path\":\"/srv/a\",\"type\":\"file\","          \
	"\"rights\":[\"read_file\"],\"flags\":[\"O_RDONLY\",\"O_CLOEXEC\"],\"result\":\"ok\",\"asked\":true"
#define ACCESS "{" T "\"event\":\"access\",\"pid\":11,\"tid\":11," CAT "}\n"

/* The result of reading a log of these bytes. */
static int read_bytes(struct evidence *evidence, const char *bytes, size_t length, struct error *err)
{
	scoped_fd fd = memfd_create("log", MFD_CLOEXEC);
	char name[64];

	cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	return evidence_read(evidence, name, err);
}

static void read_log(struct evidence *evidence, const char *text)
{
	scoped_error err = {0};

	cr_assert_eq(read_bytes(evidence, text, strlen(text), &err), 0, "%s", err.message);
}

static void expect_error(const char *text, const char *want)
{
	scoped_evidence evidence = {0};
	scoped_error err = {0};

	cr_expect_eq(read_bytes(&evidence, text, strlen(text), &err), -EINVAL, "%s", text);
	cr_expect(err.message && strstr(err.message, want), "%s--- gives %s", text, err.message);
}

Test(evidence, an_access_with_who_and_how_often)
{
	scoped_evidence evidence = {0};
	const struct evidence_session *session;
	const struct evidence_access *access;
	const struct evidence_program *program;

	read_log(&evidence, START "{" T "\"event\":\"exec\",\"pid\":10,\"tid\":10,\"parent\":9,\"exe\":\"/bin/"
				  "sh\",\"argv\":[\"sh\",\"-c\",\"a b\"]}\n"
				  "{" T "\"event\":\"fork\",\"pid\":11,\"tid\":11,\"parent\":10,\"exe\":\"/bin/sh\"}\n"
				  "{" T "\"event\":\"exec\",\"pid\":11,\"tid\":11,\"parent\":10,\"exe\":\"/bin/"
				  "cat\",\"argv\":[\"cat\",\"\\\\xff\"]}\n" ACCESS "{" T "\"event\":\"count\"," CAT
				  ",\"count\":5}\n"
				  "{" T "\"event\":\"session\",\"state\":\"end\",\"counts\":{\"dropped\":0}}\n");
	cr_assert_eq(evidence.session_count, 1u);
	session = evidence.sessions[0];
	cr_expect(session->ended);
	cr_expect_not(session->dropped);
	cr_assert_eq(session->access_count, 1u);
	access = &session->accesses[0];
	cr_expect_str_eq(access->access.path, "/srv/a");
	cr_expect_eq(access->access.rights, RIGHT_READ_FILE);
	cr_expect_str_eq(access->flags, "O_RDONLY|O_CLOEXEC");
	cr_expect_str_eq(access->time, "2026-01-02T03:04:05.000006Z");
	cr_expect_eq(access->count, 5u);
	cr_expect_eq(access->line, 5u);
	program = evidence_program_of(session, access->process);
	cr_expect_str_eq(program->file, "/bin/cat");
	cr_expect_str_eq(program->arguments[1], "\xff");
	program = evidence_program_of(session, session->processes[access->process].parent);
	cr_expect_str_eq(program->arguments[2], "a b");
	cr_expect_eq(session->processes[session->processes[access->process].parent].parent, EVIDENCE_NONE);
}

Test(evidence, every_record_counts_with_log_all)
{
	scoped_evidence evidence = {0};

	read_log(&evidence, START ACCESS ACCESS ACCESS "{" T "\"event\":\"count\"," CAT ",\"count\":3}\n");
	cr_expect_eq(evidence.sessions[0]->access_count, 1u);
	cr_expect_eq(evidence.sessions[0]->accesses[0].count, 3u);
	cr_expect_not(evidence.sessions[0]->ended);
}

/* The accesses of an exec are told before it. */
Test(evidence, what_an_exec_opens_is_its_own)
{
	scoped_evidence evidence = {0};
	const struct evidence_session *session;

	read_log(&evidence, START
		 "{" T "\"event\":\"exec\",\"pid\":10,\"tid\":10,\"parent\":9,\"exe\":\"/bin/sh\",\"argv\":[\"sh\"]}\n"
		 "{" T "\"event\":\"access\",\"pid\":10,\"kind\":\"use\",\"exe\":\"/bin/"
		 "sh\",\"syscall\":\"openat\",\"path\":\"/s\"}\n"
		 "{" T "\"event\":\"access\",\"pid\":10,\"kind\":\"use\",\"exe\":\"/bin/"
		 "cat\",\"syscall\":\"execve\",\"path\":\"/bin/cat\"}\n"
		 "{" T "\"event\":\"access\",\"pid\":99,\"kind\":\"use\",\"exe\":\"/bin/"
		 "z\",\"syscall\":\"openat\",\"path\":\"/z\"}\n"
		 "{" T "\"event\":\"access\",\"pid\":10,\"kind\":\"use\",\"exe\":\"/bin/"
		 "cat\",\"syscall\":\"exec\",\"path\":\"/ld.so\"}\n"
		 "{" T
		 "\"event\":\"exec\",\"pid\":10,\"tid\":10,\"parent\":9,\"exe\":\"/bin/cat\",\"argv\":[\"cat\"]}\n");
	session = evidence.sessions[0];
	cr_assert_eq(session->access_count, 4u);
	cr_expect_str_eq(evidence_program_of(session, session->accesses[0].process)->arguments[0], "sh");
	cr_expect_str_eq(evidence_program_of(session, session->accesses[1].process)->arguments[0], "cat");
	cr_expect_null(evidence_program_of(session, session->accesses[2].process));
	cr_expect_str_eq(evidence_program_of(session, session->accesses[3].process)->arguments[0], "cat");
}

Test(evidence, the_session_is_learned_again)
{
	scoped_evidence evidence = {0};
	struct evidence_session *session;
	const struct needs *needs;

	read_log(&evidence,
		 "{" T
		 "\"event\":\"session\",\"state\":\"start\",\"format\":1,\"tty\":\"/dev/pts/3\",\"with_absent\":true}\n"
		 "{" T "\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/srv/d/"
		 "f\",\"type\":\"file\",\"rights\":[\"read_file\"],\"asked\":true}\n"
		 "{" T "\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/dev/pts/"
		 "3\",\"type\":\"character\",\"rights\":[\"read_file\"],\"asked\":true}\n"
		 "{" T "\"event\":\"access\",\"pid\":1,\"kind\":\"missing\",\"path\":\"/srv/"
		 "m\",\"rights\":[\"read_file\"],\"error\":\"ENOENT\"}\n"
		 "{" T "\"event\":\"access\",\"pid\":1,\"kind\":\"create\",\"path\":\"/srv/"
		 "d\",\"type\":\"directory\",\"rights\":[\"make_dir\"],\"asked\":true}\n");
	session = evidence.sessions[0];
	needs = evidence_needs(session, &session->accesses[0]);
	cr_assert_eq(needs->count, 1u);
	cr_expect_eq(needs->items[0].rule, NEED_RULE_BORN);
	cr_expect_str_eq(needs->items[0].path, "/srv");
	cr_expect_eq(evidence_needs(session, &session->accesses[1])->items[0].rule, NEED_RULE_TERMINAL);
	cr_expect_eq(evidence_needs(session, &session->accesses[2])->items[0].rule, NEED_RULE_ABSENT);
	cr_expect_eq(evidence_needs(session, &session->accesses[3])->items[0].rights, RIGHT_MAKE_DIR);
}

Test(evidence, a_cut_last_line_is_left_out)
{
	static const char log[] = START ACCESS;

	for (size_t length = strlen(START) + 1; length <= strlen(log); length++) {
		scoped_evidence evidence = {0};
		scoped_error err = {0};
		bool whole = length >= strlen(log) - 1;

		cr_assert_eq(read_bytes(&evidence, log, length, &err), 0, "%zu bytes: %s", length, err.message);
		cr_expect_eq(evidence.logs[0].cut, !whole);
		cr_expect_eq(evidence.sessions[0]->access_count, whole ? 1u : 0u);
	}
}

Test(evidence, logs_and_sessions_stay_apart)
{
	scoped_evidence evidence = {0};
	scoped_error err = {0};

	read_log(&evidence, START ACCESS START ACCESS);
	read_log(&evidence, START ACCESS);
	cr_expect_eq(evidence.session_count, 3u);
	cr_expect_eq(evidence.sessions[2]->access_count, 1u);
	cr_expect_neq(evidence.sessions[1]->log, evidence.sessions[2]->log);
	cr_expect_lt(read_bytes(&evidence, ACCESS, strlen(ACCESS), &err), 0, "no start in this one");
}

Test(evidence, errors_have_their_line)
{
	expect_error("", ":1: it is empty");
	expect_error("x\n", ":1: no audit log, as trace-learn -l writes one: not JSON");
	expect_error("{}\n", ":1: not a record of an audit log");
	expect_error(ACCESS, ":1: a session's start is missing");
	expect_error("{\"event\":\"session\",\"state\":\"start\",\"format\":2}\n", ":1: format 2; this release");
	expect_error("{\"event\":\"session\",\"state\":\"start\"}\n", ":1: format is not a number");
	expect_error("{\"event\":\"session\",\"state\":\"start\",\"format\":1,\"tty\":7}\n", ":1: tty is not a string");
	expect_error(START "{\"event\":\"session\",\"state\":\"x\"}\n", ":2: not a session's start or end");
	expect_error(START ACCESS "{\"event\":\"acc\n" ACCESS, ":3: not JSON");
	expect_error(START "{\"event\":\"access\",\"kind\":\"use\"}\n", ":2: pid is not a number");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\"}\n", ":2: use has a path");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"eat\",\"path\":\"/x\"}\n", ":2: unknown kind");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use x=1\",\"path\":\"/x\"}\n",
		     ":2: kind is not");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":7}\n",
		     ":2: path is not a string");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/\\\\x0\"}\n", ":2: ");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/x\",\"rights\":[\"fly\"]}\n",
		     ":2: ");
	expect_error(START "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/x\",\"rights\":\"fly\"}\n",
		     ":2: rights is not a list");
	expect_error(START "{\"event\":\"network\",\"pid\":1,\"kind\":\"port\",\"port\":-2}\n",
		     ":2: port is not a port");
	expect_error(START "{\"event\":\"network\",\"pid\":1,\"kind\":\"port\",\"port\":65536}\n", ":2: ");
	expect_error(START "{\"event\":\"count\",\"kind\":\"use\",\"path\":\"/x\"}\n", ":2: count is not a number");
	expect_error(START "{\"event\":\"count\",\"kind\":\"use\",\"path\":\"/x\",\"count\":-1}\n", ":2: count is -1");
	expect_error(START "{\"event\":\"exec\",\"pid\":1,\"argv\":[1]}\n", ":2: argv is not a list of strings");
	expect_error(START "{\"event\":\"fork\",\"pid\":1}\n", ":2: parent is not a number");
}

Test(evidence, what_a_later_release_adds_is_passed_over)
{
	scoped_evidence evidence = {0};

	read_log(&evidence,
		 START "{\"event\":\"weather\",\"sun\":true}\n"
		       "{\"event\":\"access\",\"pid\":1,\"kind\":\"use\",\"path\":\"/x\",\"mood\":\"fine\"}\n");
	cr_expect_eq(evidence.sessions[0]->access_count, 1u);
}

Test(evidence, a_huge_line_ends_it)
{
	scoped_evidence evidence = {0};
	scoped_buffer log = {0};
	scoped_error err = {0};

	buffer_add_text(&log, START "{\"event\":\"");
	for (int i = 0; i < 2 << 20; i++)
		buffer_add_byte(&log, 'x');
	cr_expect_eq(read_bytes(&evidence, log.data, log.length, &err), -EINVAL);
	cr_expect(strstr(err.message, ":2: the line has more than"), "%s", err.message);
}

Test(evidence, what_cannot_be_read)
{
	scoped_evidence evidence = {0};
	scoped_error err = {0}, directory = {0};

	cr_expect_eq(evidence_read(&evidence, "/none/log", &err), -ENOENT);
	cr_expect_lt(evidence_read(&evidence, "/", &directory), 0);
	cr_expect(strstr(directory.message, "Is a directory"), "%s", directory.message);
}
