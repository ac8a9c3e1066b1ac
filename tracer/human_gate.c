#include "tracer/human_gate.h"

#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "base/terminal.h"
#include "profile/profile_copy.h"
#include "profile/review_why.h"

int human_gate_check(struct error *err)
{
	struct terminal terminal;
	int result = terminal_open(&terminal, err);

	if (result < 0)
		return error_context(err, "--review (without it, trace-profile review asks later on)");
	terminal_finish(&terminal);
	return 0;
}

struct asking {
	const struct human_gate *gate;
	struct review_why why;
};

static bool was_touched(void *data, const char *path)
{
	return learner_touched(data, path);
}

static void told(void *data, const struct review_item *item, enum review_told what)
{
	const struct asking *asking = data;

	log_answer(asking->gate->log, item, what);
}

/* The log is read when it is asked for first: most lines are answered without. */
static void explain(void *data, const struct review_item *item, FILE *out, bool colour)
{
	struct asking *asking = data;
	const char *name = log_name(asking->gate->log);
	scoped_error err = {0};

	if (name && !asking->why.read &&
	    (log_flush(asking->gate->log, true, &err) < 0 || review_why_read(&asking->why, name, &err) < 0))
		print_line(out, "  the log cannot be read: %s", err.message);
	review_why_print(&asking->why, item, out, colour);
}

static int decline(int signal, struct error *err)
{
	if (signal)
		return error_set(err, ECANCELED, "the review was ended by SIG%s: no profile was written",
				 sigabbrev_np(signal));
	return error_set(err, ECANCELED, "the review was left without saving: no profile was written");
}

/* Fails closed: what is still in force and not answered is never written. */
static int take(const struct human_gate *gate, const struct review *review, struct error *err)
{
	if (review_open_count(review))
		return error_set(err, ECANCELED, "lines were not answered: no profile was written");
	profile_finish(gate->profile);
	profile_copy(review_profile(review), gate->profile);
	return 0;
}

static int talk(const struct human_gate *gate, struct review *review, struct error *err)
{
	struct asking asking = {.gate = gate, .why = {.tiers = gate->tiers}};
	const struct review_dialogue dialogue = {.review = review,
						 .tiers = gate->tiers,
						 .name = gate->name ? gate->name : "the profile",
						 .gate = true,
						 .touched = was_touched,
						 .touched_data = gate->learner,
						 .why = explain,
						 .told = told,
						 .data = &asking};
	int signal, result = review_talk(&dialogue, &signal, err);

	review_why_finish(&asking.why);
	if (result < 0)
		return error_context(err, "no profile was written");
	return result == REVIEW_SAVED ? take(gate, review, err) : decline(signal, err);
}

static bool has_question(const struct review *review)
{
	for (size_t i = 0; i < review_count(review); i++)
		if (review_item(review, i)->answer == REVIEW_OPEN)
			return true;
	return false;
}

int human_gate_pass(const struct human_gate *gate, struct error *err)
{
	const struct review_options options = {.tiers = gate->tiers, .before = gate->before};
	struct review *review = review_create(gate->profile, &options);
	int result = has_question(review) ? talk(gate, review, err) : 0;

	review_destroy(review);
	return result;
}
