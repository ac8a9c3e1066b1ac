#include "runner/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
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

static void remember(struct judge *judge, struct finding *finding)
{
	remedies_add(&judge->verdict->remedies, &judge->explain->options, finding);
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
	name = remedy_line_name(line);
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
	if (judge_needs(judge, refusal, &needs) || !judge->explain->options.enforced || access.silent)
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
	remedies_sort(&verdict->remedies);
}

void verdict_finish(struct verdict *verdict)
{
	remedies_finish(&verdict->remedies);
	for (size_t i = 0; i < verdict->other_count; i++)
		free(verdict->others[i].reason);
	free(verdict->others);
	*verdict = (struct verdict){0};
}
