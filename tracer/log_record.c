#include "tracer/log_record.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "profile/fact.h"
#include "tracer/flag_names.h"

#define LOG_FORMAT 1

static void write_digits(char *at, int count, long number)
{
	for (; count > 0; number /= 10)
		at[--count] = (char)('0' + number % 10);
}

/* printf(3) would take half of the time of a record, and gmtime(3) a third. */
static void write_second(struct record_clock *clock, time_t second)
{
	char *text = strcpy(clock->text, "0000-00-00T00:00:00.000000Z");
	struct tm utc;

	gmtime_r(&second, &utc);
	write_digits(text, 4, utc.tm_year + 1900L);
	write_digits(text + 5, 2, utc.tm_mon + 1L);
	write_digits(text + 8, 2, utc.tm_mday);
	write_digits(text + 11, 2, utc.tm_hour);
	write_digits(text + 14, 2, utc.tm_min);
	write_digits(text + 17, 2, utc.tm_sec);
	clock->second = second;
}

static void begin_at(struct json *record, struct record_clock *clock, const char *event, const struct timespec *when)
{
	if (!*clock->text || when->tv_sec != clock->second)
		write_second(clock, when->tv_sec);
	write_digits(clock->text + 20, 6, when->tv_nsec / 1000);
	json_put_text(record, "time", clock->text);
	json_put_text(record, "event", event);
}

static void begin_now(struct json *record, struct record_clock *clock, const char *event)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	begin_at(record, clock, event, &now);
}

static struct json *create(const char *event)
{
	struct record_clock clock = {0};
	struct json *record = json_create_object();

	begin_now(record, &clock, event);
	return record;
}

static void put_list(struct json *record, const char *key, char *const *items)
{
	struct json *list = json_create_array();

	for (; *items; items++)
		json_put_bytes(list, NULL, *items);
	json_put(record, key, list);
}

static void put_kernel(struct json *record)
{
	struct utsname name;

	if (uname(&name) < 0)
		return;
	json_put_bytes(record, "kernel", name.release);
	json_put_bytes(record, "machine", name.machine);
}

/* By which rules accesses became lines: what differs from the usual. */
static void put_options(struct json *record, const struct learn_options *learn)
{
	if (learn->tty)
		json_put_bytes(record, "tty", learn->tty);
	if (learn->with_absent)
		json_put_flag(record, "with_absent", true);
	if (learn->hold > TIER_NORMAL)
		json_put_text(record, "hold", tier_name(learn->hold));
	if (learn->portable)
		json_put_flag(record, "portable", true);
	if (learn->collapse.least)
		json_put_number(record, "collapse", (long long)learn->collapse.least);
	if (learn->collapse.prefix_count) {
		struct json *prefixes = json_create_array();

		for (size_t i = 0; i < learn->collapse.prefix_count; i++)
			json_put_bytes(prefixes, NULL, learn->collapse.prefixes[i]);
		json_put(record, "collapse_prefixes", prefixes);
	}
	if (learn->collapse.sensitive)
		json_put_flag(record, "force_sensitive_collapse", true);
}

struct json *record_start(const struct log_start *start)
{
	char *const first[] = {start->arguments[0], NULL};
	struct json *record = create("session");

	json_put_text(record, "state", "start");
	json_put_number(record, "format", LOG_FORMAT);
	json_put_text(record, "version", PACKAGE_VERSION);
	json_put_number(record, "pid", getpid());
	json_put_number(record, "uid", geteuid());
	json_put_bytes(record, "exe", start->program);
	put_list(record, "argv", start->no_arguments ? first : start->arguments);
	if (start->no_arguments)
		json_put_flag(record, "arguments_left_out", true);
	json_put_bytes(record, "directory", start->directory);
	put_kernel(record);
	json_put_number(record, "landlock", start->abi > 0 ? start->abi : 0);
	json_put_text(record, "calls", start->calls == TRACE_CALLS_ALL ? "all" : "enforced");
	json_put_text(record, "tiers", start->tiers);
	if (start->base)
		json_put_bytes(record, "base", start->base);
	if (start->review)
		json_put_flag(record, "review", true);
	put_options(record, start->learn);
	return record;
}

/* A wait status: one of the two. */
static void put_status(struct json *record, int status)
{
	const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;

	if (!WIFSIGNALED(status))
		json_put_number(record, "status", WEXITSTATUS(status));
	else if (name)
		json_put_text(record, "signal", name);
	else
		json_put_number(record, "signal", WTERMSIG(status));
}

static void put_result(struct json *record, const struct trace_result *result)
{
	if (result->executed)
		put_status(record, result->status);
	json_put_flag(record, "executed", result->executed);
	json_put_flag(record, "timed_out", result->timed_out);
	json_put_text(record, "interrupted", result->interrupted ? sigabbrev_np(result->interrupted) : NULL);
}

static void put_grants(struct json *record, const struct profile *profile)
{
	struct json *counts = json_create_object();

	for (enum section section = 0; section < SECTION_ABSENT; section++) {
		int count = 0;

		for (size_t i = 0; i < profile->grant_count; i++)
			count += profile->grants[i].section == section;
		json_put_number(counts, section_name(section), count);
	}
	json_put(record, "grants", counts);
}

/* What a person, a tier or an end of the session kept from being in force, and why. */
static void put_rest(struct json *record, const struct profile *profile)
{
	struct json *reasons = json_create_array(), *held = json_create_array();

	for (size_t i = 0; i < profile->incomplete_count; i++)
		json_put_bytes(reasons, NULL, profile->incomplete[i].text);
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		struct json *line;

		if (grant->section != SECTION_HELD)
			continue;
		line = json_create_object();
		json_put_bytes(line, "path", grant->path ? grant->path : grant->origin.written);
		fact_put_rights(line, "rights", grant->rights);
		json_put(held, NULL, line);
	}
	json_put(record, "incomplete", reasons);
	json_put(record, "held", held);
}

static void put_profile(struct json *record, const struct log_end *end)
{
	json_put_bytes(record, "profile", end->profile_name);
	json_put_text(record, "sha256", end->profile_hash);
	json_put_flag(record, "complete", end->profile->complete);
	put_rest(record, end->profile);
	put_grants(record, end->profile);
}

static void put_counts(struct json *record, const struct log_counts *counts)
{
	struct json *object = json_create_object();

	json_put_number(object, "accesses", (long long)counts->accesses);
	json_put_number(object, "distinct", (long long)counts->distinct);
	json_put_number(object, "processes", (long long)counts->processes);
	json_put_number(object, "notices", (long long)counts->notices);
	json_put_number(object, "dropped", (long long)counts->dropped);
	json_put(record, "counts", object);
}

/* One word for scripts. */
static const char *outcome_of(const struct log_end *end)
{
	if (end->declined)
		return "declined";
	if (!end->profile)
		return "failed";
	if (end->outcome)
		return end->outcome;
	for (size_t i = 0; i < end->profile->grant_count; i++)
		if (end->profile->grants[i].section == SECTION_HELD)
			return "held";
	return "written";
}

struct json *record_end(const struct log_end *end, const struct log_counts *counts)
{
	struct json *record = create("session");

	json_put_text(record, "state", "end");
	if (end->result)
		put_result(record, end->result);
	put_counts(record, counts);
	json_put_text(record, "outcome", outcome_of(end));
	if (end->profile)
		put_profile(record, end);
	else
		json_put_bytes(record, "failure", end->failure);
	return record;
}

static bool is_across(const struct access *access)
{
	const char *one = strrchr(access->path, '/'), *other = strrchr(access->path2, '/');

	return one - access->path != other - access->path2 ||
	       strncmp(access->path, access->path2, (size_t)(one - access->path)) != 0;
}

static rights_t rights_of_move(const struct access *access)
{
	rights_t rights = access_make_right(access->type);

	if (access->kind != ACCESS_LINK)
		rights |= access_remove_right(access->type);
	if (access->replaced)
		rights |= access_remove_right(access->replaced);
	if (access->kind == ACCESS_EXCHANGE)
		rights |= access_make_right(access->replaced);
	return rights | (access->path2 && is_across(access) ? RIGHT_REFER : 0);
}

rights_t record_rights(const struct access *access)
{
	switch (access->kind) {
	case ACCESS_CREATE:
		return access->rights | access_make_right(access->type);
	case ACCESS_REMOVE:
		return access_remove_right(access->type);
	case ACCESS_RENAME:
	case ACCESS_EXCHANGE:
	case ACCESS_LINK:
		return rights_of_move(access);
	default:
		return access->rights;
	}
}

static bool has_path(const struct access *access)
{
	return access->path && access->kind != ACCESS_CALL;
}

static void put_error(struct json *record, int error)
{
	const char *name = strerrorname_np(error);
	char text[32];

	if (!error) {
		json_put_text(record, "result", "ok");
		return;
	}
	snprintf(text, sizeof text, "E%d", error);
	json_put_text(record, "error", name ? name : text);
}

static void put_tier(struct json *record, const struct access *access, rights_t rights, const struct tiers *tiers)
{
	enum tier tier = tiers_of_path(tiers, access->path, rights);
	enum tier tier2 = access->path2 ? tiers_of_path(tiers, access->path2, rights) : TIER_NORMAL;

	json_put_text(record, "tier", tier_name(tier > tier2 ? tier : tier2));
}

static void put_object(struct json *record, const struct access *access)
{
	if (access->kind == ACCESS_PORT && access->port == PORT_ANY)
		json_put_text(record, "port", "any");
	else if (access->kind == ACCESS_PORT)
		json_put_number(record, "port", access->port);
	else if (access->kind == ACCESS_CALL)
		json_put_bytes(record, "group", access->path);
	if (has_path(access))
		json_put_bytes(record, "path", access->path);
	if (has_path(access) && access->path2)
		json_put_bytes(record, "path2", access->path2);
	if (access->link)
		json_put_bytes(record, "link", access->link);
	if (access->type)
		json_put_text(record, "type", object_type_name(access->type));
	if (access->replaced)
		json_put_text(record, "replaced", object_type_name(access->replaced));
}

/* No right is at stake. */
static bool is_unasked(enum access_kind kind)
{
	return kind == ACCESS_LOOK || kind == ACCESS_METADATA;
}

static void put_access(struct json *record, const struct access *access, const struct tiers *tiers)
{
	rights_t rights = record_rights(access);

	json_put_text(record, "kind", access_kind_name(access->kind));
	if (access->image)
		json_put_bytes(record, "exe", access->image);
	json_put_text(record, "syscall", access->call);
	put_object(record, access);
	fact_put_rights(record, "rights", rights);
	if (access->absent)
		fact_put_rights(record, "absent", access->absent);
	if (has_path(access) && tiers && !is_unasked(access->kind))
		put_tier(record, access, rights, tiers);
	if (access->kind != ACCESS_LOOK)
		flag_names_put(record, "flags", access->call, access->flags);
	if (!access->unanswered)
		put_error(record, access->error);
	json_put_flag(record, "asked", access->asked);
	if (access->inherited)
		json_put_flag(record, "inherited", true);
}

void record_access(struct json *record, struct record_clock *clock, const struct record_moment *moment,
		   const struct access *access, const struct tiers *tiers, const struct stack *stack)
{
	begin_at(record, clock, access->kind == ACCESS_PORT ? "network" : "access", &moment->time);
	json_put_number(record, "pid", moment->pid);
	json_put_number(record, "tid", moment->tid);
	put_access(record, access, tiers);
	if (stack)
		stack_put(record, stack);
}

void record_count(struct json *record, struct record_clock *clock, const struct access *access, uint64_t count)
{
	begin_now(record, clock, "count");
	put_access(record, access, NULL);
	json_put_number(record, "count", (long long)count);
}

struct json *record_process(const struct trace_process *process, char *const *arguments, bool cut)
{
	static const char *const events[] = {
		[PROCESS_FORKED] = "fork", [PROCESS_EXECUTED] = "exec", [PROCESS_ENDED] = "exit"};
	struct json *record = create(events[process->step]);

	json_put_number(record, "pid", process->pid);
	json_put_number(record, "tid", process->tid);
	if (process->step == PROCESS_ENDED)
		put_status(record, process->status);
	else
		json_put_number(record, "parent", process->parent);
	if (process->image)
		json_put_bytes(record, "exe", process->image);
	if (arguments)
		put_list(record, "argv", arguments);
	if (cut)
		json_put_flag(record, "arguments_left_out", true);
	return record;
}

struct json *record_notice(const char *kind, const char *text)
{
	struct json *record = create("notice");

	json_put_text(record, "kind", kind);
	json_put_bytes(record, "text", text);
	return record;
}

struct json *record_answer(const struct review_item *item, enum review_told told)
{
	struct json *record = create("answer");

	json_put_text(record, "answer", review_answer_name(item->answer));
	if (item->kind == REVIEW_GRANT)
		json_put_bytes(record, "path", item->text);
	else if (item->kind == REVIEW_CALLS)
		json_put_bytes(record, "group", item->text);
	else if (item->kind == REVIEW_PORT && item->port == PORT_ANY)
		json_put_text(record, "port", "any");
	else if (item->kind == REVIEW_PORT)
		json_put_number(record, "port", item->port);
	if (item->wider)
		json_put_bytes(record, "path2", item->wider);
	fact_put_rights(record, "rights", item->rights);
	json_put_text(record, "tier", tier_name(item->tier));
	if (told != REVIEW_GIVEN)
		json_put_flag(record, told == REVIEW_UNDONE ? "undone" : "unanswered", true);
	return record;
}
