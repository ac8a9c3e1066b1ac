#include "tracer/learned.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/message.h"
#include "profile/profile_copy.h"
#include "tracer/human_gate.h"
#include "tracer/session_log.h"
#include "tracer/summary.h"

static int review(struct learned *learned, struct error *err)
{
	const struct human_gate gate = {.profile = &learned->profile,
					.tiers = learned->tiers,
					.learner = learned->learner,
					.log = learned->log,
					.before = learned->previous.name ? &learned->before : NULL,
					.name = learned->store.name};
	int result;

	recorder_say(&learned->recorder);
	result = human_gate_pass(&gate, err);
	learned->declined = result < 0;
	return result;
}

int learned_write(struct learned *learned, struct error *err)
{
	struct previous *previous = &learned->previous;

	if (learned->line->review && previous->name)
		profile_copy(&previous->profile, &learned->before);
	if (previous->name && previous_merge(previous, learned->tiers, &learned->profile, err) < 0)
		return -err->number;
	learner_finish(learned->learner, learned->tiers, &learned->profile);
	if (learned->line->min_abi)
		learned->profile.landlock = learned->line->min_abi;
	if (learned->line->review && review(learned, err) < 0)
		return -err->number;
	if (previous->name && !learned->line->output && previous_check(previous, err) < 0)
		return store_beside(&learned->store, &learned->profile, err);
	return store_write(&learned->store, &learned->profile, err);
}

int learned_differs(struct learned *learned, const char *difference, struct error *err)
{
	learned->difference = duplicate(difference);
	learned->profile.complete = false;
	profile_add_incomplete(&learned->profile, difference);
	log_notice(learned->log, "incomplete", difference);
	if (store_rewrite(&learned->store, &learned->profile, err) < 0)
		return -err->number;
	return error_set(err, ECANCELED, "%s: %s is incomplete", difference, learned->store.name);
}

void learned_close(struct learned *learned, const char *failure, struct error *lost)
{
	struct log_end end = {.result = &learned->result, .failure = failure, .declined = learned->declined};

	session_log_close(learned->log, &end, &learned->profile, &learned->store, lost);
	if (learned->declined && learned->log)
		message_notice("the log is %s (SHA-256 %s)", log_name(learned->log), log_hash(learned->log));
}

void learned_say(struct learned *learned)
{
	char words[] = "ARGUMENT...", *const without[] = {learned->line->program[0], words, NULL};
	bool leave_out = learned->line->no_arguments && learned->line->program_count > 1;

	recorder_say(&learned->recorder);
	summary_print(&(struct summary){.profile = &learned->profile,
					.tiers = learned->tiers,
					.learner = learned->learner,
					.hold = learned->line->hold,
					.told = learned->difference,
					.whole = learned->line->level == MESSAGE_VERBOSE,
					.name = learned->store.name,
					.passed_on = learned->store.file.in_place,
					.hash = learned->store.hash,
					.log_name = log_name(learned->log),
					.log_hash = log_hash(learned->log),
					.program = leave_out ? without : learned->line->program,
					.gate = learned->gate});
}

void learned_finish(struct learned *learned)
{
	recorder_finish(&learned->recorder);
	free(learned->result.exec_message);
	profile_finish(&learned->profile);
	profile_finish(&learned->before);
	previous_finish(&learned->previous);
	learner_destroy(learned->learner);
	log_destroy(learned->log);
	free(learned->difference);
	store_finish(&learned->store);
	tiers_destroy(learned->tiers);
}
