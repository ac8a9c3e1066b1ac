#include "runner/remedy.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/path.h"

static char *key_of(const struct need *need, const struct answer *answer)
{
	const char *path = need->path ? need->path : "";

	if (need->kind == NEED_REFUSED) /* one who looks at all processes asks for hundreds */
		return duplicate("none of another process");
	if (!answer->add)
		return format_text("none %s", path);
	if (need->kind == NEED_SCOPE)
		path = answer->add;
	return format_text("%d %d %s", need->kind == NEED_MOVE ? NEED_GRANT : need->kind, need->port, path);
}

static bool is_directory(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static struct remedy *get_remedy(struct remedy **remedies, const struct need *need, const struct answer *answer)
{
	char *key = key_of(need, answer);
	struct remedy *remedy;

	HASH_FIND_STR(*remedies, key, remedy);
	if (remedy) {
		free(key);
		return remedy;
	}
	remedy = allocate(sizeof *remedy);
	*remedy = (struct remedy){
		.kind = need->kind == NEED_MOVE ? NEED_GRANT : need->kind,
		.section = answer->section,
		.tier = answer->tier,
		.path = duplicate(need->path),
		.port = need->port,
		.is_directory = need->kind != NEED_CALL && need->path && is_directory(need->path),
		.key = key,
	};
	HASH_ADD_KEYPTR(hh, *remedies, remedy->key, strlen(remedy->key), remedy);
	return remedy;
}

/* The words for all that it joins. The terminal has another name next time. */
static void phrase(const struct explain_options *options, struct remedy *remedy, const struct answer *answer)
{
	bool is_terminal = options->tty && remedy->path && !strcmp(remedy->path, options->tty);

	free(remedy->text);
	if (remedy->kind == NEED_GRANT) {
		remedy->tier = tiers_of_grant(options->tiers, remedy->path, remedy->rights);
		remedy->section = section_name(section_of_tier(remedy->tier));
		remedy->text = fact_grant(remedy->rights, is_terminal ? TERMINAL_PLACEHOLDER : remedy->path);
	} else if (remedy->kind == NEED_PORT) {
		remedy->text = fact_port(remedy->rights, remedy->port);
	} else {
		remedy->text = duplicate(answer->add);
	}
}

char *remedy_line_name(unsigned line)
{
	return line ? format_text("line %u", line) : duplicate("");
}

/* No line can be added, or one that is there is to be moved. */
static void give_reason(struct remedy *remedy, const struct answer *answer)
{
	scoped_free char *line = answer->held.count ? remedy_line_name(answer->held.items[0].line) : NULL;

	free(remedy->reason);
	if (line)
		remedy->reason =
			format_text("%s%s%s%s is held: a person has to move it under [%s]", line, *line ? " (" : "",
				    answer->held.items[0].text, *line ? ")" : "", answer->held.items[0].moved);
	else
		remedy->reason = duplicate(answer->reason);
}

static bool has_cause(const struct remedy *remedy, const struct refusal *refusal, const char *missing)
{
	for (size_t i = 0; i < remedy->count; i++)
		if (remedy->causes[i].refusal == refusal && !strcmp(remedy->causes[i].missing, missing))
			return true;
	return false;
}

/* Whether the session used what has this name, or something beneath it: then it was there. */
static bool was_there(const struct profile *profile, const char *path)
{
	for (size_t i = 0; path && i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && grant->section != SECTION_ABSENT && path_is_beneath(grant->path, path))
			return true;
	}
	return false;
}

/* What the session noted for the case that this is gone; NULL for nothing of the kind, and for what is new. */
static char *quote_absent(const struct profile *profile, const struct finding *finding)
{
	const struct answer *answer = finding->answer;
	scoped_free char *line = NULL;

	if (!answer->absent.count || !was_there(profile, finding->refusal->access.path))
		return NULL;
	line = remedy_line_name(answer->absent.items[0].line);
	return format_text("%s%s%s%s under [absent] says so: what lay there while learning is gone", line,
			   *line ? " (" : "", answer->absent.items[0].text, *line ? ")" : "");
}

/* A line that a person holds and that is wider than the one to be added; NULL for none. */
static char *quote_held(const struct answer *answer)
{
	for (size_t i = 0; answer->add && i < answer->held.count; i++) {
		const struct allowed_line *held = &answer->held.items[i];
		scoped_free char *line = NULL;

		if (answer->missing & ~held->rights)
			continue;
		line = remedy_line_name(held->line);
		return format_text("%s%s%s%s would give it too, and is held", line, *line ? " (" : "", held->text,
				   *line ? ")" : "");
	}
	return NULL;
}

static void add_cause(const struct profile *profile, struct remedy *remedy, struct finding *finding)
{
	const struct need *need = finding->need;
	scoped_free char *missing =
		need->kind == NEED_CALL ? fact_path(need->path) : fact_rights(finding->answer->missing);
	struct cause *cause;

	if (has_cause(remedy, finding->refusal, missing))
		return;
	cause = ARRAY_APPEND(remedy->causes, remedy->count, remedy->capacity);
	*cause = (struct cause){finding->refusal, steal_pointer(&missing), steal_pointer(&finding->detail)};
	if (need->kind == NEED_MOVE && !cause->detail)
		cause->detail = duplicate("it would gain these rights at its new place");
	if (!cause->detail && finding->refusal->access.silent)
		cause->detail = duplicate("the kernel drops these signals to a process outside, and no call fails");
	if (!cause->detail)
		cause->detail = quote_absent(profile, finding);
	if (!cause->detail && need->kind == NEED_GRANT)
		cause->detail = quote_held(finding->answer);
}

void remedies_add(struct remedy **remedies, const struct explain_options *options, struct finding *finding)
{
	struct remedy *remedy = get_remedy(remedies, finding->need, finding->answer);

	remedy->rights |= finding->answer->missing;
	if (finding->answer->add)
		phrase(options, remedy, finding->answer);
	else
		give_reason(remedy, finding->answer);
	add_cause(options->profile, remedy, finding);
}

static int section_order(const struct remedy *remedy)
{
	static const char *const order[] = {"normal", "guarded", "protected", "network", "scope", "seccomp"};
	int at = 0;

	if (!remedy->text)
		return ARRAY_LENGTH(order);
	while (at < (int)ARRAY_LENGTH(order) && strcmp(order[at], remedy->section) != 0)
		at++;
	return at;
}

static int compare_remedies(const struct remedy *one, const struct remedy *other)
{
	int order = section_order(one) - section_order(other);

	return order ? order : strcmp(one->key, other->key);
}

void remedies_sort(struct remedy **remedies)
{
	HASH_SORT(*remedies, compare_remedies);
}

static void remedy_destroy(struct remedy *remedy)
{
	for (size_t i = 0; i < remedy->count; i++) {
		free(remedy->causes[i].missing);
		free(remedy->causes[i].detail);
	}
	free(remedy->causes);
	free(remedy->path);
	free(remedy->text);
	free(remedy->reason);
	free(remedy->key);
	free(remedy);
}

void remedies_finish(struct remedy **remedies)
{
	struct remedy *remedy, *next;

	HASH_ITER (hh, *remedies, remedy, next) {
		HASH_DEL(*remedies, remedy);
		remedy_destroy(remedy);
	}
}
