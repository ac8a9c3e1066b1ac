/* The hash of a log is that of its bytes, whoever makes it: nobody yet, a thread, or, where there can be none, the
 * tool. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/log_hash.h"

static size_t threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	size_t count = 0;

	cr_assert(tasks);
	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count;
}

/* So many lines of growing length. Returns how many threads came with it. */
static size_t expect_hash(int lines)
{
	struct log_hash *hash = log_hash_create();
	char got[HASH_TEXT_SIZE], want[HASH_TEXT_SIZE];
	size_t before = threads(), during;
	scoped_buffer all = {0};

	for (int i = 0; i < lines; i++) {
		size_t start = all.length;

		buffer_format(&all, "%0*d\n", 1 + i % 900, i);
		log_hash_add(hash, all.data + start, all.length - start);
	}
	during = threads();
	log_hash_end(hash, got);
	hash_text(buffer_text(&all), all.length, want);
	cr_expect_str_eq(got, want);
	cr_expect_eq(threads(), before);
	return during - before;
}

Test(log_hash, of_nothing)
{
	cr_expect_eq(expect_hash(0), 0u);
}

Test(log_hash, of_a_short_log_needs_no_thread)
{
	cr_expect_eq(expect_hash(100), 0u);
}

Test(log_hash, of_a_long_log_is_made_by_a_thread)
{
	cr_expect_eq(expect_hash(20000), 1u);
}

/* A block that is larger than all that may wait, and what is added while that is hashed. */
Test(log_hash, of_large_blocks)
{
	struct log_hash *hash = log_hash_create();
	char got[HASH_TEXT_SIZE], want[HASH_TEXT_SIZE];
	size_t length = (size_t)12 << 20, part = (size_t)3 << 20;
	char *bytes = allocate(length);

	for (size_t i = 0; i < length; i++)
		bytes[i] = (char)(i * 7 + i / 4096);
	for (size_t i = 0; i < length; i += part)
		log_hash_add(hash, bytes + i, part);
	log_hash_end(hash, got);
	hash_text(bytes, length, want);
	cr_expect_str_eq(got, want);
	free(bytes);
}

/* RLIMIT_NPROC is for plain users alone. */
Test(log_hash, without_a_thread)
{
	const struct rlimit none = {0};

	if (geteuid() == 0)
		cr_assert(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
	cr_assert_eq(setrlimit(RLIMIT_NPROC, &none), 0);
	cr_expect_eq(expect_hash(2000), 0u);
}

/* The id of the thread that hashes; 0 for none. (The test's own frame has threads too.) */
static pid_t hashing_thread(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t found = 0;

	cr_assert(tasks);
	while (!found && (entry = readdir(tasks))) {
		scoped_free char *name = format_text("/proc/self/task/%s/comm", entry->d_name);
		FILE *file = fopen(name, "r");
		char text[32] = "";

		if (file && fgets(text, sizeof text, file) && !strcmp(text, "log-hash\n"))
			found = (pid_t)atol(entry->d_name);
		if (file)
			fclose(file);
	}
	closedir(tasks);
	return found;
}

static uint64_t blocked_signals(pid_t tid)
{
	scoped_free char *name = format_text("/proc/self/task/%d/status", (int)tid);
	FILE *status = fopen(name, "r");
	unsigned long blocked = 0;
	char line[256];

	cr_assert(status);
	while (fgets(line, sizeof line, status))
		sscanf(line, "SigBlk: %lx", &blocked);
	fclose(status);
	return blocked;
}

/* Where the tool is just now, beside a task, is not the thread's place; and the tool's signals are not for it. */
Test(log_hash, a_thread_has_its_own_place_and_no_signals)
{
	struct log_hash *hash;
	cpu_set_t all, one, there;
	char text[HASH_TEXT_SIZE];
	scoped_free char *bytes = allocate(100000);
	pid_t tid;
	int tries = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
	hash = log_hash_create();
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
	log_hash_add(hash, bytes, 100000);
	while ((tid = hashing_thread()) == 0 && ++tries < 1000)
		usleep(10000); /* until it has its name */
	cr_assert_gt(tid, 0);
	do { /* until it has come so far */
		usleep(10000);
		cr_assert_eq(sched_getaffinity(tid, sizeof there, &there), 0);
	} while (!CPU_EQUAL(&there, &all) && ++tries < 1000);
	cr_expect(CPU_EQUAL(&there, &all));
	cr_expect(blocked_signals(tid) & 1ul << (SIGALRM - 1));
	cr_expect_not(blocked_signals(getpid()) & 1ul << (SIGALRM - 1));
	log_hash_end(hash, text);
}
