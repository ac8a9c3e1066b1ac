#include "runner/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/mount_names.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/seccomp_groups.h"

struct judge {
	struct explain *explain;
	struct allowed *allowed;
	struct verdict *verdict;
	bool *is_denied; /* by group: the profile refused something of it */
};

/* Of one refusal: what it needed, and what the profile says to that. */
struct finding {
	const struct refusal *refusal;
	const struct need *need;
	const struct answer *answer;
	char *detail; /* handed over */
};

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

static struct remedy *get_remedy(struct verdict *verdict, const struct need *need, const struct answer *answer)
{
	char *key = key_of(need, answer);
	struct remedy *remedy;

	HASH_FIND_STR(verdict->remedies, key, remedy);
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
	HASH_ADD_KEYPTR(hh, verdict->remedies, remedy->key, strlen(remedy->key), remedy);
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

/* Of the profile; "" where its lines may still move. */
static char *line_name(unsigned line)
{
	return line ? format_text("line %u", line) : duplicate("");
}

/* No line can be added, or one that is there is to be moved. */
static void give_reason(struct remedy *remedy, const struct answer *answer)
{
	scoped_free char *line = answer->held.count ? line_name(answer->held.items[0].line) : NULL;

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
	line = line_name(answer->absent.items[0].line);
	return format_text("%s%s%s%s under [absent] says so: what lay there while learning is gone", line,
			   *line ? " (" : "", answer->absent.items[0].text, *line ? ")" : "");
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
	if (!cause->detail && explain_is_silent(&finding->refusal->access))
		cause->detail = duplicate("the kernel drops these signals to a process outside, and no call fails");
	if (!cause->detail)
		cause->detail = quote_absent(profile, finding);
}

static void remember(struct judge *judge, struct finding *finding)
{
	struct remedy *remedy = get_remedy(judge->verdict, finding->need, finding->answer);

	remedy->rights |= finding->answer->missing;
	if (finding->answer->add)
		phrase(&judge->explain->options, remedy, finding->answer);
	else
		give_reason(remedy, finding->answer);
	add_cause(judge->explain->options.profile, remedy, finding);
	judge->is_denied[finding->refusal->group] = true;
}

static void add_other(struct judge *judge, const struct refusal *refusal, const char *reason)
{
	struct verdict *verdict = judge->verdict;

	*ARRAY_APPEND(verdict->others, verdict->other_count, verdict->other_capacity) =
		(struct unexplained){refusal, duplicate(reason)};
}

/*
 * The line is there, but its rule was on nothing or on what is no longer there. What comes and goes while a program
 * runs is granted by its directory.
 */
static bool blame_rule(struct judge *judge, const struct refusal *refusal, const struct need *need)
{
	struct need wider = {.kind = NEED_GRANT};
	scoped_free char *directory = NULL;
	scoped_free char *reason = NULL, *name = NULL;
	scoped_answer answer = {0};
	struct finding finding = {.refusal = refusal, .need = &wider, .answer = &answer};
	unsigned line;

	if (need->kind != NEED_GRANT)
		return false;
	wider.rights = explain_rules_failed(&judge->explain->rules, need->path, need->rights, &line, &reason);
	wider.path = directory = path_parent(need->path);
	if (!wider.rights || !directory)
		return false;
	allowed_ask(judge->allowed, &wider, NULL, &answer);
	if (answer.allowed)
		return false;
	name = line_name(line);
	finding.detail = format_text("%s%s%s", name, line ? ": " : "", reason);
	remember(judge, &finding);
	free(finding.detail);
	return true;
}

static bool is_empty(const struct need *need)
{
	return need->kind != NEED_MOVE && need->kind != NEED_CALL && !need->rights;
}

/* Whether the profile is to blame for one of the needs. Only what the ruleset handles can be denied. */
static bool judge_needs(struct judge *judge, const struct refusal *refusal, struct needs *needs)
{
	bool denied = false;

	for (size_t i = 0; i < needs->count; i++)
		needs->items[i].rights &= judge->explain->options.handled;
	for (size_t i = 0; i < needs->count; i++) {
		const struct need *need = &needs->items[i];
		scoped_answer answer = {0};
		struct finding finding = {.refusal = refusal, .need = need, .answer = &answer};

		if (is_empty(need))
			continue;
		allowed_ask(judge->allowed, need, needs, &answer);
		if (!answer.allowed)
			remember(judge, &finding);
		denied |= !answer.allowed;
	}
	for (size_t i = 0; !denied && i < needs->count; i++)
		denied = blame_rule(judge, refusal, &needs->items[i]);
	return denied;
}

static bool is_of_open(const struct access *access)
{
	return access->call && (strncmp(access->call, "open", 4) == 0 || strcmp(access->call, "creat") == 0);
}

/* Why something was refused that has all its lines. */
static const char *other_reason(const struct access *access)
{
	if (explain_is_core(access))
		return "no line is missing for it: core(5) says what else keeps one from being written";
	if (access->path && path_is_strictly_beneath(access->path, PROC_SELF) && !is_of_open(access))
		return "no line is missing for it: a process's own entries in /proc are opened, and nothing else "
		       "works on them under a profile";
	if (access->path && path_is_strictly_beneath(access->path, PROC_SELF))
		return "no line is missing for it: it is opened by its own name alone, not through a descriptor or "
		       "another "
		       "link in /proc (as /dev/stdin), and not for a process that does not let itself be looked into";
	return "no line is missing for it: another sandbox, a security module, or the kernel itself";
}

static void judge_refusal(struct judge *judge, const struct refusal *refusal)
{
	struct access access = refusal->access;
	scoped_needs needs = {0};

	if (refusal->forbidden) {
		add_other(judge, refusal, "ordinary permissions (owner, mode) refuse it, whatever is granted");
		return;
	}
	if (explain_is_always(&access)) {
		add_other(judge, refusal, SECCOMP_ALWAYS_REASON);
		return;
	}
	access.error = access.kind == ACCESS_CALL ? 0 : access.error; /* else the learner takes no word */
	needs_of_access(judge->explain->session, &access, &needs);
	if (judge_needs(judge, refusal, &needs) || !judge->explain->options.enforced || explain_is_silent(&access))
		return;
	add_other(judge, refusal, other_reason(&access));
}

static bool is_of_exec(const struct access *access)
{
	return access->call && (!strcmp(access->call, "exec") || !strncmp(access->call, "execve", 6));
}

/* Of an exec that was refused, what is not to blame is not worth a word. */
static void drop_cleared(struct judge *judge)
{
	struct verdict *verdict = judge->verdict;
	size_t kept = 0;

	for (size_t i = 0; i < verdict->other_count; i++) {
		struct unexplained *other = &verdict->others[i];

		if (is_of_exec(&other->refusal->access) &&
		    (judge->is_denied[other->refusal->group] || !strcmp(other->refusal->access.call, "exec")))
			free(other->reason);
		else
			verdict->others[kept++] = *other;
	}
	verdict->other_count = kept;
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

void verdict_make(struct verdict *verdict, struct explain *explain)
{
	const struct explain_options *options = &explain->options;
	const struct allowed_names names = {.others = &explain->followed, .each = mount_names};
	scoped_free bool *is_denied = allocate_array(explain->groups + 1, sizeof *is_denied);
	struct judge judge = {.explain = explain, .verdict = verdict, .is_denied = is_denied};

	*verdict = (struct verdict){0};
	judge.allowed = allowed_create(options->profile, options->tiers, &names);
	for (const struct refusal *refusal = explain->refusals; refusal; refusal = refusal->hh.next)
		judge_refusal(&judge, refusal);
	allowed_destroy(judge.allowed);
	drop_cleared(&judge);
	HASH_SORT(verdict->remedies, compare_remedies);
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

void verdict_finish(struct verdict *verdict)
{
	struct remedy *remedy, *next;

	HASH_ITER (hh, verdict->remedies, remedy, next) {
		HASH_DEL(verdict->remedies, remedy);
		remedy_destroy(remedy);
	}
	for (size_t i = 0; i < verdict->other_count; i++)
		free(verdict->others[i].reason);
	free(verdict->others);
	*verdict = (struct verdict){0};
}
