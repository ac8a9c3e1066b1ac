/* The audit log: deduplication, records, the file; and what looks like a secret. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/memory.h"
#include "profile/evidence.h"
#include "tracer/log.h"
#include "tracer/log_file.h"
#include "tracer/log_record.h"
#include "tracer/log_seen.h"
#include "tracer/secret.h"

static const struct access plain = {.kind = ACCESS_USE,
				    .type = OBJECT_FILE,
				    .rights = RIGHT_READ_FILE,
				    .path = "/srv/a",
				    .asked = true,
				    .call = "openat",
				    .image = "/usr/bin/cat"};

static bool is_new(struct log_seen *seen, struct access access)
{
	bool first;
	const struct access *kept = log_seen_add(seen, &access, &first);

	cr_expect_str_eq(kept->path, access.path);
	return first;
}

Test(log_seen, distinct_by_image_call_path_and_result)
{
	struct log_seen *seen = log_seen_create();
	struct access other = plain;
	char copy[] = "/srv/a";

	cr_expect(is_new(seen, plain));
	cr_expect_not(is_new(seen, plain));
	other.path = copy; /* the same name at another address */
	cr_expect_not(is_new(seen, other));
	other.path = "/srv/b";
	cr_expect(is_new(seen, other));
	other = plain;
	other.image = "/usr/bin/tac";
	cr_expect(is_new(seen, other));
	other = plain;
	other.image = NULL;
	cr_expect(is_new(seen, other));
	other = plain;
	other.call = "open";
	cr_expect(is_new(seen, other));
	other = plain;
	other.error = EACCES;
	cr_expect(is_new(seen, other));
	other = plain;
	other.rights = RIGHT_WRITE_FILE;
	cr_expect(is_new(seen, other));
	other = plain;
	other.path2 = "/srv/a";
	cr_expect(is_new(seen, other));
	cr_expect_eq(log_seen_distinct(seen), 8);
	log_seen_destroy(seen);
}

static void note_count(void *data, const struct access *access, uint64_t count)
{
	buffer_format(data, "%s %d;", access->path, (int)count);
}

Test(log_seen, counts_in_order)
{
	struct log_seen *seen = log_seen_create();
	scoped_buffer text = {0};
	struct access other = plain;

	other.path = "/srv/0";
	is_new(seen, plain);
	is_new(seen, other);
	is_new(seen, plain);
	is_new(seen, plain);
	log_seen_each(seen, note_count, &text);
	cr_expect_str_eq(buffer_text(&text), "/srv/a 3;/srv/0 1;");
	log_seen_destroy(seen);
}

/* What is forgotten is counted as if it were not. */
Test(log_seen, forgets)
{
	struct log_seen *seen = log_seen_create();
	struct access other = plain;
	bool first;

	other.path = "/srv/0";
	is_new(seen, plain);
	is_new(seen, other);
	is_new(seen, plain);
	cr_expect_eq(log_seen_repeated(seen), 1u);
	log_seen_forget(seen);
	cr_expect_null(log_seen_add(seen, &plain, &first));
	cr_expect_not(first);
	cr_expect_null(log_seen_add(seen, &other, &first));
	cr_expect_not(first);
	other.path = NULL;
	cr_expect_null(log_seen_add(seen, &other, &first));
	cr_expect(first);
	other.path = "";
	cr_expect_null(log_seen_add(seen, &other, &first));
	cr_expect(first);
	other.error = EACCES;
	cr_expect_null(log_seen_add(seen, &other, &first));
	cr_expect(first);
	cr_expect_null(log_seen_add(seen, &other, &first));
	cr_expect_eq(log_seen_distinct(seen), 5u);
	cr_expect_eq(log_seen_repeated(seen), 3u);
	log_seen_forget(seen);
	cr_expect_eq(log_seen_distinct(seen), 5u);
	log_seen_destroy(seen);
}

/* Where it had the names, many long ones would take more. */
Test(log_seen, forgets_names)
{
	struct log_seen *seen = log_seen_create();
	struct access other = plain;
	char name[4000];
	size_t before;
	bool first;

	memset(name, 'x', sizeof name);
	log_seen_forget(seen);
	before = mallinfo2().uordblks + mallinfo2().hblkhd;
	for (int i = 0; i < 10000; i++) {
		snprintf(name + sizeof name - 12, 12, "%011d", i);
		other.path = name;
		log_seen_add(seen, &other, &first);
		cr_assert(first);
	}
	cr_expect_lt(mallinfo2().uordblks + mallinfo2().hblkhd - before, 1000000u);
	log_seen_destroy(seen);
}

static char *line_of(struct json *record)
{
	scoped_buffer text = {0};

	json_write(record, false, &text);
	json_destroy(record);
	return buffer_steal(&text);
}

static char *line_of_access(const struct record_moment *moment, const struct access *access)
{
	struct json *record = json_create_object();
	struct record_clock clock = {0};

	record_access(record, &clock, moment, access, NULL, NULL);
	return line_of(record);
}

static void expect_access(const struct access *access, const char *want)
{
	const struct record_moment moment = {.time = {1767225599, 123456789}, .pid = 7, .tid = 8};
	scoped_free char *line = line_of_access(&moment, access);

	cr_expect_str_eq(line, want);
}

#define HEAD(event) "{\"time\":\"2025-12-31T23:59:59.123456Z\",\"event\":\"" event "\",\"pid\":7,\"tid\":8,"

Test(log_record, accesses)
{
	struct access access = plain;

	access.flags = O_CLOEXEC;
	access.path = "/srv/\xff\n\"";
	expect_access(&access,
		      HEAD("access") "\"kind\":\"use\",\"exe\":\"/usr/bin/cat\",\"syscall\":\"openat\","
				     "\"path\":\"/srv/\\\\xff\\\\n\\\"\",\"type\":\"file\",\"rights\":[\"read_file\"],"
				     "\"flags\":[\"O_RDONLY\",\"O_CLOEXEC\"],\"result\":\"ok\",\"asked\":true}");
	access = (struct access){.kind = ACCESS_RENAME,
				 .type = OBJECT_FILE,
				 .replaced = OBJECT_FILE,
				 .path = "/a/x",
				 .path2 = "/b/x",
				 .error = EXDEV,
				 .call = "renameat2",
				 .flags = 2};
	expect_access(&access, HEAD("access") "\"kind\":\"rename\",\"syscall\":\"renameat2\",\"path\":\"/a/x\","
					      "\"path2\":\"/b/"
					      "x\",\"type\":\"file\",\"replaced\":\"file\",\"rights\":[\"make_reg\","
					      "\"refer\",\"remove_file\"],"
					      "\"flags\":[\"RENAME_EXCHANGE\"],\"error\":\"EXDEV\",\"asked\":false}");
	access = (struct access){.kind = ACCESS_USE,
				 .type = OBJECT_FILE,
				 .rights = RIGHT_WRITE_FILE,
				 .absent = RIGHT_MAKE_REG,
				 .path = "/a/x",
				 .call = "open"};
	expect_access(&access,
		      HEAD("access") "\"kind\":\"use\",\"syscall\":\"open\",\"path\":\"/a/x\",\"type\":\"file\","
				     "\"rights\":[\"write_file\"],\"absent\":[\"make_reg\"],"
				     "\"flags\":[\"O_RDONLY\"],\"result\":\"ok\",\"asked\":false}");
	access = (struct access){
		.kind = ACCESS_PORT, .rights = RIGHT_CONNECT_TCP, .port = 443, .call = "connect", .inherited = true};
	expect_access(&access, HEAD("network") "\"kind\":\"port\",\"syscall\":\"connect\",\"port\":443,"
					       "\"rights\":[\"connect_tcp\"],\"result\":\"ok\",\"asked\":false,"
					       "\"inherited\":true}");
}

/* One clock for all records of a log, whose times may go back. */
Test(log_record, times)
{
	static const struct {
		struct timespec time;
		const char *text;
	} rows[] = {
		{{0, 0}, "1970-01-01T00:00:00.000000Z"},
		{{0, 1999}, "1970-01-01T00:00:00.000001Z"},
		{{86399, 999999999}, "1970-01-01T23:59:59.999999Z"},
		{{86400, 5000}, "1970-01-02T00:00:00.000005Z"},
		{{86400, 0}, "1970-01-02T00:00:00.000000Z"},
		{{86399, 0}, "1970-01-01T23:59:59.000000Z"},
	};
	struct record_clock clock = {0};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		const struct record_moment moment = {.time = rows[i].time, .pid = 7, .tid = 8};
		struct json *record = json_create_object();
		scoped_free char *line = NULL;

		record_access(record, &clock, &moment, &plain, NULL, NULL);
		line = line_of(record);
		cr_expect(strstr(line, rows[i].text), "%s: %s", rows[i].text, line);
	}
}

/* What trace-profile why reads of a log is what the tracer saw. */
Test(log_record, accesses_are_read_back)
{
	static const char *const lines[] = {
		("use type=file path=/a\\x20b\\xff\\n rights=read_file,write_file absent=make_reg asked=yes "
		 "call=openat "
		 "image=/bin/x\\x20y"),
		"use type=character path=/dev/null rights=read_file inherited=yes error=EACCES",
		"use path=/a rights=execute,read_file error=ENOTDIR call=exec",
		"create type=file path=/a rights=write_file asked=yes",
		"create type=directory path=/a error=EEXIST",
		"create path=/a rights=write_file error=EACCES",
		"create type=character path=/a asked=yes",
		"remove type=directory path=/a asked=yes",
		"remove path=/a asked=yes error=EACCES",
		"rename type=file path=/a/x path2=/b/x replaced=file asked=yes",
		"rename type=symlink path=/a/x path2=/b/x replaced=socket asked=yes error=EXDEV",
		"exchange type=file path=/a/x path2=/b/x replaced=directory asked=yes",
		"link type=fifo path=/a/x path2=/b/x asked=yes",
		"tmpfile type=file path=/a/#inode rights=write_file asked=yes",
		"missing path=/a rights=read_file error=ENOENT",
		"use path=/a rights=read_file error=4000",
		"port port=443 rights=connect_tcp asked=yes error=ECONNREFUSED",
		"port port=-1 rights=connect_tcp asked=yes",
		"scope rights=signal asked=yes error=EPERM",
		"call path=udp call=socket",
	};

	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
		const struct record_moment moment = {.time = {1, 0}, .pid = 7, .tid = 7};
		scoped_free char *storage = NULL, *back = NULL, *text = NULL;
		scoped_buffer told = {0}, want = {0}, got = {0};
		struct access access, again;
		scoped_error err = {0};
		scoped_json_value record = NULL;

		cr_assert_eq(access_read(lines[i], &access, &storage, &err), 0, "%s: %s", lines[i], err.message);
		access.call = access.call ? access.call : "call";
		text = line_of_access(&moment, &access);
		record = json_read(text, strlen(text), &err);
		cr_assert_eq(evidence_access_text(record, &told, &err), 0, "%s", err.message);
		cr_assert_eq(evidence_access_read(told.data, &again, &back, &err), 0, "%s: %s", told.data, err.message);
		access_write(&want, &access);
		access_write(&got, &again);
		cr_expect_str_eq(got.data, want.data);
	}
}

Test(log_record, rights_follow_from_the_kind)
{
	struct access access = plain;

	access.kind = ACCESS_CREATE;
	access.type = OBJECT_DIRECTORY;
	access.rights = 0;
	cr_expect_eq(record_rights(&access), RIGHT_MAKE_DIR);
	access.kind = ACCESS_REMOVE;
	cr_expect_eq(record_rights(&access), RIGHT_REMOVE_DIR);
	access.kind = ACCESS_LINK;
	access.type = OBJECT_FILE;
	access.path2 = "/srv/b";
	cr_expect_eq(record_rights(&access), RIGHT_MAKE_REG);
	access.path2 = "/srv/d/a";
	cr_expect_eq(record_rights(&access), RIGHT_MAKE_REG | RIGHT_REFER);
	access.kind = ACCESS_EXCHANGE;
	access.path2 = "/sru/a"; /* of the same length */
	access.replaced = OBJECT_DIRECTORY;
	cr_expect_eq(record_rights(&access),
		     RIGHT_MAKE_REG | RIGHT_MAKE_DIR | RIGHT_REMOVE_FILE | RIGHT_REMOVE_DIR | RIGHT_REFER);
}

Test(log_record, arguments_are_left_out)
{
	char program[] = "sh", argument[] = "--token=x";
	char *const arguments[] = {program, argument, NULL};
	const struct learn_options learn = {.tty = "/dev/pts/3", .with_absent = true};
	struct log_start start = {
		.arguments = arguments, .program = "/bin/sh", .directory = "/", .learn = &learn, .abi = 7};
	scoped_free char *with = line_of(record_start(&start)), *without = NULL;

	start.no_arguments = true;
	without = line_of(record_start(&start));
	cr_expect(strstr(with, "\"argv\":[\"sh\",\"--token=x\"],\"directory\""));
	cr_expect(strstr(without, "\"argv\":[\"sh\"],\"arguments_left_out\":true,"));
	cr_expect(strstr(without, "\"tty\":\"/dev/pts/3\",\"with_absent\":true}"));
}

Test(log_record, the_start_tells_by_which_rules_lines_were_made)
{
	char program[] = "sh", prefix[] = "/srv/x";
	char *const arguments[] = {program, NULL};
	char *prefixes[] = {prefix};
	const struct variables variables = {0};
	const struct learn_options learn = {
		.hold = TIER_GUARDED,
		.portable = &variables,
		.collapse = {.least = 4, .prefixes = prefixes, .prefix_count = 1, .sensitive = true}};
	const struct log_start start = {.arguments = arguments,
					.program = "/bin/sh",
					.base = "base.ini",
					.review = true,
					.learn = &learn,
					.abi = 7};
	scoped_free char *line = line_of(record_start(&start));

	cr_expect(strstr(line, "\"base\":\"base.ini\",\"review\":true,\"hold\":\"guarded\",\"portable\":true,"
			       "\"collapse\":4,\"collapse_prefixes\":[\"/srv/x\"],"
			       "\"force_sensitive_collapse\":true}"),
		  "%s", line);
}

/* A directory of the test's own, which it works in. */
static void enter_directory(void)
{
	static char name[] = "log.XXXXXX";

	cr_assert(mkdtemp(name));
	cr_assert_eq(chdir(name), 0);
}

static void leave_directory(void)
{
	scoped_free char *name = getcwd(NULL, 0);

	unlink("log");
	unlink("link");
	if (chdir("..") == 0)
		rmdir(name);
}

TestSuite(log_file, .init = enter_directory, .fini = leave_directory);
TestSuite(log, .init = enter_directory, .fini = leave_directory);

Test(log_file, is_new_and_private)
{
	struct log_file file = LOG_FILE_NONE, again = LOG_FILE_NONE;
	scoped_error err = {0};
	struct stat status;

	umask(0);
	cr_assert_eq(log_file_create(&file, "log", &err), 0, "%s", err.message);
	cr_expect_eq(fstat(file.fd, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0600);
	cr_expect_eq(log_file_create(&again, "log", &err), -EEXIST);
	error_finish(&err);
	cr_expect_eq(symlink("nowhere", "link"), 0);
	cr_expect_eq(log_file_create(&again, "link", &err), -EEXIST);
	log_file_finish(&again);
	log_file_finish(&file);
}

/* A line of eight bytes for a word of three. */
static void add_word(struct log_file *file, const char *word)
{
	scoped_json record = json_create_array();

	json_put_text(record, NULL, word);
	log_file_add(file, record);
}

Test(log_file, holds_whole_lines_and_knows_their_hash)
{
	struct log_file file = LOG_FILE_NONE;
	scoped_error err = {0};
	char hash[HASH_TEXT_SIZE], want[HASH_TEXT_SIZE];
	struct stat status;

	cr_assert_eq(log_file_create(&file, "log", &err), 0);
	add_word(&file, "one");
	cr_expect_eq(stat("log", &status), 0);
	cr_expect_eq(status.st_size, 0, "nothing is written before a flush");
	cr_expect_eq(log_file_flush(&file), 0);
	cr_expect_eq(stat("log", &status), 0);
	cr_expect_eq(status.st_size, 8);
	add_word(&file, "two");
	cr_expect_eq(log_file_close(&file, hash), 0);
	hash_text("[\"one\"]\n[\"two\"]\n", 16, want);
	cr_expect_str_eq(hash, want);
	log_file_finish(&file);
}

Test(log_file, ends_with_its_last_whole_line)
{
	struct log_file file = LOG_FILE_NONE;
	struct rlimit limit = {20, RLIM_INFINITY};
	scoped_error err = {0};
	char hash[HASH_TEXT_SIZE], want[HASH_TEXT_SIZE];
	struct stat status;

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(log_file_create(&file, "log", &err), 0);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	add_word(&file, "one");
	add_word(&file, "two");
	add_word(&file, "three");
	cr_expect_eq(log_file_flush(&file), -EFBIG);
	limit.rlim_cur = RLIM_INFINITY;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	add_word(&file, "x");
	cr_expect_eq(log_file_flush(&file), -EFBIG, "it ends there");
	cr_expect_eq(log_file_close(&file, hash), -EFBIG);
	cr_expect_eq(stat("log", &status), 0);
	cr_expect_eq(status.st_size, 16);
	hash_text("[\"one\"]\n[\"two\"]\n", 16, want);
	cr_expect_str_eq(hash, want);
	log_file_finish(&file);
}

/* The log so far: its start, then each open with its notices; with a limit the beginning of that, and why it ends. */
static void expect_written(int count, bool limited)
{
	scoped_file file = fopen("log", "re");
	scoped_free char *line = NULL;
	bool full = false;
	size_t size = 0;
	int next = 0;

	cr_assert(file && getline(&line, &size, file) > 0);
	while (!full && getline(&line, &size, file) > 0) {
		scoped_free char *path = format_text("\"/srv/%d\"", next);

		full = strstr(line, "--log-max was reached");
		cr_assert(full || strstr(line, path), "%s: %s", path, line);
		cr_assert(full || line[strlen(line) - 1] == '\n');
		if (!full && (next % 100 != 99 || strstr(line, "notice")))
			next++;
	}
	cr_expect_eq(full, limited);
	cr_expect(limited ? next < count : next == count, "%d of %d", next, count);
	cr_expect_lt(getline(&line, &size, file), 0);
}

/* What is there and what was dropped are the whole. */
static void expect_counts(int count, bool limited)
{
	scoped_file file = fopen("log", "re");
	scoped_free char *line = NULL;
	size_t size = 0;
	int lines = 0, dropped = -1;

	cr_assert(file);
	for (; getline(&line, &size, file) > 0; lines++) {
		const char *told = strstr(line, "\"dropped\":");

		if (told)
			dropped = atoi(told + strlen("\"dropped\":"));
	}
	cr_expect_eq(lines + dropped, count + count / 100 + 2 + limited);
}

static void hash_file(const char *name, char hash[HASH_TEXT_SIZE])
{
	scoped_file file = fopen(name, "re");
	struct hash *sum = hash_create();
	char bytes[4096];
	size_t got;

	cr_assert(file);
	while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
		hash_add(sum, bytes, got);
	hash_end(sum, hash);
}

/* So many opens, a notice behind each hundredth, and a look at what is written then: all of it, in order. */
static void expect_lines(int count, bool limited)
{
	char program[] = "program", *const arguments[] = {program, NULL};
	const struct learn_options learn = {0};
	const struct log_start start = {
		.arguments = arguments, .program = "/bin/program", .directory = "/", .learn = &learn};
	const struct log_options options = {.name = "log", .limit = limited ? 200000 : 0};
	const struct log_end end = {.declined = true};
	scoped_error err = {0};
	struct log *log;
	char hash[HASH_TEXT_SIZE];
	int flushes = 0;

	cr_assert_eq(log_open(&options, &start, NULL, "", &log, NULL, &err), 0, "%s", err.message);
	cr_expect_not(log_has_work(log, TRACE_DUE_NOT));
	cr_expect(log_has_work(log, TRACE_DUE_SOON));
	for (int i = 0; i < count; i++) {
		scoped_free char *path = format_text("/srv/%d", i);
		struct access access = plain;

		access.path = path;
		log_access(log, &access, 7, 8);
		if (i % 100 == 99)
			log_notice(log, "notice", path);
		if (i % 1000 == 500)
			cr_assert_eq(log_flush(log, TRACE_DUE_SOON, &err), 0);
		else if (log_has_work(log, TRACE_DUE_NOT) && ++flushes)
			cr_assert_eq(log_flush(log, TRACE_DUE_NOT, &err), 0);
	}
	cr_expect(flushes, "many wait, and that is no work");
	cr_assert_eq(log_flush(log, TRACE_DUE_NOW, &err), 0);
	cr_expect_not(log_keeps(log));
	expect_written(count, limited);
	cr_expect_eq(log_has_work(log, TRACE_DUE_NOT), limited, "whether it is full is to be told");
	cr_expect_eq(log_is_full(log), limited);
	cr_expect_not(log_has_work(log, TRACE_DUE_NOT));
	cr_expect_eq(log_close(log, &end, &err), 0, "%s", err.message);
	expect_counts(count, limited);
	hash_file("log", hash);
	cr_expect_str_eq(log_hash(log), hash);
	log_destroy(log);
}

Test(log, many_lines_are_in_order)
{
	expect_lines(20000, false);
}

Test(log, few_lines_are_in_order)
{
	expect_lines(150, false);
}

Test(log, a_limit_ends_it)
{
	expect_lines(20000, true);
}

/* RLIMIT_NPROC is for plain users alone. */
Test(log, without_a_thread)
{
	const struct rlimit none = {0};

	if (geteuid() == 0)
		cr_assert(chmod(".", 0777) == 0 && setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
	cr_assert_eq(setrlimit(RLIMIT_NPROC, &none), 0);
	expect_lines(20000, false);
}

Test(secret, what_looks_like_one)
{
	static const char *const secrets[] = {
		"--password=x",
		"DB_PASSWORD=x",
		"--api-key=1",
		"https://host/?access_token=abc&x=1",
		"AWS_SECRET_ACCESS_KEY=abc",
		"X-Auth-Token: abc",
		"Authorization: Bearer x",
		"AKIAIOSFODNN7EXAMPLE",
		"key AKIAIOSFODNN7EXAMPLE",
		"ghp_0123456789abcdefghijklmnopqrstuvwxyz",
		"https://me:word@example.org/x",
		"-----BEGIN OPENSSH PRIVATE KEY-----",
	};
	static const char *const others[] = {
		"",
		"--password",
		"--password=",
		"tokenizer=x",
		"names.txt",
		"https://example.org/a:b@c",
		"AKIA",
		"http://[::1]:80/",
		"x=AKIAIO",
		"xAKIAIOSFODNN7EXAMPLE",
		"a:b",
	};

	for (size_t i = 0; i < ARRAY_LENGTH(secrets); i++)
		cr_expect(secret_is_in(secrets[i]), "%s", secrets[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
		cr_expect_not(secret_is_in(others[i]), "%s", others[i]);
}

Test(secret, in_a_command_line)
{
	char program[] = "password=x", option[] = "--token", value[] = "abc", plain_word[] = "file";
	char *const arguments[] = {program, plain_word, option, value, NULL};

	cr_expect_eq(secret_find(4, arguments), 2);
	cr_expect_eq(secret_find(3, arguments), 0, "nothing follows");
	cr_expect_eq(secret_find(2, arguments), 0, "a program's name is no argument");
}
