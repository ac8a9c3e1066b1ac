#include "runner/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/output.h"
#include "runner/capabilities.h"
#include "runner/confine.h"
#include "runner/environment.h"
#include "runner/in_force.h"
#include "runner/landlock.h"
#include "runner/launch.h"
#include "runner/profile_gate.h"
#include "runner/profile_notes.h"
#include "runner/seccomp_filter.h"
#include "runner/start_parts.h"
#include "runner/verify.h"

static void start_finish(struct start *start)
{
	explain_apply_finish(&start->apply);
	free(start->tty);
	launch_command_finish(&start->command);
	environment_destroy(start->environment);
	early_rules_finish(&start->early);
	ruleset_finish(&start->ruleset);
	reach_finish(&start->reach);
	tiers_destroy(start->tiers);
	profile_finish(&start->profile);
	buffer_finish(&start->bytes);
}

static char **environment_of(const struct start *start)
{
	return start->environment ? start->environment : environ;
}

static void warn(void *data, unsigned line, const char *text)
{
	struct start *start = data;

	start->warned++;
	if (line)
		message_warning("%s:%u: %s", start->options->profile, line, text);
	else
		message_warning("%s: %s", start->options->profile, text);
}

/* What differs is written into the profile, above its lines. */
static void forget_lines(struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		profile->grants[i].origin.line = 0;
}

static int never_learned(const char *file, struct error *err)
{
	error_finish(err);
	return error_set(err, ENOENT, "%s: %s: learn it first, with trace-learn -o FILE -- PROGRAM", file,
			 strerror(ENOENT));
}

static int load(struct start *start, struct error *err)
{
	struct variables variables = {0};
	int result;

	variables_of_process(&variables);
	result = profile_load_bytes(start->options->profile, &variables, &start->profile, &start->bytes, &start->status,
				    err);
	if (result == -ENOENT && *start->options->profile)
		result = never_learned(start->options->profile, err);
	if (start->options->replay)
		forget_lines(&start->profile);
	if (result == 0)
		result = tiers_load(NULL, &variables, &start->tiers, err);
	start->tty = steal_pointer(&variables.tty);
	variables_finish(&variables);
	return result;
}

/* Where a program will be started under the profile, the paths that are looked at are opened for their rules. */
static void find_reach(struct start *start)
{
	const struct start_options *options = start->options;

	if (options->print || options->verify || options->only_look) {
		reach_init(&start->reach, &start->profile);
		return;
	}
	early_rules_init(&start->early, &start->profile, &start->ruleset);
	reach_init_opening(&start->reach, &start->profile, early_rules_take, &start->early);
}

static int compile(struct start *start, struct error *err)
{
	int abi = landlock_abi();

	if (abi < 0)
		return error_set(err, -abi, "nothing can be enforced: %s", landlock_absence(abi));
	ruleset_compile(&start->profile, abi, &start->ruleset);
	find_reach(start);
	if (!start->options->only_look)
		start->environment = environment_build(&start->profile, environ);
	return 0;
}

/* Refuses what must not start. */
static int pass_gate(const struct start *start, struct error *err)
{
	const struct profile_gate gate = {
		.file = start->options->profile,
		.status = &start->status,
		.bytes = &start->bytes,
		.reach = &start->reach,
		.tiers = start->tiers,
		.allow_writable = start->options->allow_writable,
	};

	if (profile_gate_files(&gate, err) < 0)
		return -err->number;
	if (profile_gate_kernel(&start->profile, &start->ruleset, start->options->best_effort, err) < 0)
		return error_context(err, "%s", start->options->profile);
	return 0;
}

/* Where nothing is enforced, nothing rests on it. */
static void say_gate(const struct start *start)
{
	scoped_error refusal = {0};

	if (start->options->only_look && pass_gate(start, &refusal) < 0)
		message_warning("without -n this would not start: %s", refusal.message);
}

static void say_notes(const struct start *start)
{
	const struct profile_notes notes = {
		.file = start->options->profile,
		.reach = &start->reach,
		.ruleset = &start->ruleset,
		.tiers = start->tiers,
	};

	profile_notes_say(&notes);
}

static bool has_held_lines(const struct profile *profile)
{
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].section == SECTION_HELD)
			return true;
	return false;
}

/* Lines that grant nothing may or may not be missed: only the run can tell. */
static void name_explain(const struct start *start)
{
	if (!start->options->explain && !start->options->only_look &&
	    (start->warned || has_held_lines(&start->profile)))
		message_notice("whether the program needs any of these, trace-run -e tells");
}

/* -n: what the lines would be on is said all the same. */
static int restrict_as_learning(struct start *start, struct error *err)
{
	if (confine_look(&start->ruleset, &start->reach, warn, start, err) < 0 || confine_learning(NULL, err) < 0)
		return -err->number;
	return seccomp_filter_load_learning(SECCOMP_SET(SECCOMP_ALWAYS), &(struct seccomp_learning){0}, err);
}

int start_restrict(void *data, struct error *err)
{
	struct start *start = data;
	int result;

	if (start->options->only_look)
		return restrict_as_learning(start, err);
	result = confine(&start->ruleset, &start->reach, &start->early, warn, start, err);
	if (result == 0)
		name_explain(start);
	if (result == 0)
		result = seccomp_filter_load(start->ruleset.refused, err);
	if (result == 0 && start->supervised)
		result = supervisor_join(&start->supervisor, err);
	if (result == 0 && start->options->drop_caps)
		result = capabilities_drop(err);
	if (result == 0 && !start->options->verify) /* which tells of all */
		result = in_force_check(&start->ruleset, &start->reach, err);
	return result;
}

/* Returns only on failure. */
int start_execute(void *data, struct error *err)
{
	const struct start *start = data;

	if (start->options->redirect)
		start->options->redirect(start->options->data);
	launch_exec(start->command.name, start->command.arguments, environment_of(start), err);
	if (err->number == EACCES && !start->options->only_look && !start->options->explain)
		launch_command_explain(&start->command, start->options->profile, &start->reach, err);
	return -err->number;
}

/* Returns only on failure, with the exit status; what failed is said. */
static int confine_and_execute(void *data)
{
	scoped_error err = {0};
	int result = start_restrict(data, &err) < 0 ? STATUS_FAILURE : launch_status(-start_execute(data, &err));

	message_error(&err);
	return result;
}

static int end_as(const struct start *start, const struct parent_end *end)
{
	unsigned timeout = start->options->timeout;

	if (end->lost)
		message("%s: its supervisor was killed, and the program and all that came of it with it",
			start->command.arguments[0]);
	if (end->timed_out)
		message("%s: ended after %u second%s (--timeout)", start->command.arguments[0], timeout,
			timeout == 1 ? "" : "s");
	return parent_end_as(end);
}

static int stay_and_execute(struct start *start, struct error *err)
{
	struct supervisor *supervisor = start->supervised ? &start->supervisor : NULL;
	struct parent_end end;

	if (parent_run(confine_and_execute, start, supervisor, start->options->timeout, &end, err) < 0)
		return STATUS_FAILURE;
	return end_as(start, &end);
}

/* -e and -n */
static int explain_and_execute(struct start *start, struct error *err)
{
	struct parent_end end = {0};
	int status = start_explained(start, &end, err);

	return status ? status : end_as(start, &end);
}

static int print(struct start *start, struct error *err)
{
	ruleset_print(&start->ruleset, stdout);
	if (supervisor_is_needed(&start->reach))
		print_line(stdout, "supervise %s",
			   supervisor_is_asked(&start->reach) ? "opens, for each process's own entries in /proc/self"
							      : "nothing, but hold entries of /proc");
	if (start->options->drop_caps)
		print_line(stdout, "drop every capability");
	if (output_finish(stdout, err) < 0 || confine_look(&start->ruleset, &start->reach, warn, start, err) < 0)
		return STATUS_FAILURE;
	return 0;
}

static int verify(struct start *start, struct error *err)
{
	const struct verify_options options = {
		.file = start->options->profile,
		.ruleset = &start->ruleset,
		.reach = &start->reach,
		.supervisor = start->supervised ? &start->supervisor : NULL,
		.notified = start->supervised && supervisor_is_asked(&start->reach),
		.drop_caps = start->options->drop_caps,
		.json = start->options->json,
		.restrict_probe = start_restrict,
		.data = start,
	};

	return verify_run(&options, err);
}

/* The first word: what differs from a start without these options. */
static void say_first(const struct start_options *options)
{
	if (options->only_look)
		message_notice("nothing is enforced (-n): the program is not confined, but traced, to tell what %s "
			       "would deny",
			       options->profile);
	else if (options->explain)
		message_notice("the program is traced (-e), to explain what %s denies", options->profile);
}

static void say_all(const struct start *start)
{
	if (!start->options->print)
		say_first(start->options);
	say_gate(start);
	say_notes(start);
}

static int go(struct start *start, struct error *err)
{
	int status = 0;

	if (load(start, err) < 0 || compile(start, err) < 0)
		return STATUS_FAILURE;
	if (!start->options->only_look && pass_gate(start, err) < 0)
		return STATUS_FAILURE;
	if (!start->options->print && !start->options->verify)
		status = launch_command_find(&start->command, start->options->program, &start->profile,
					     start->options->profile, environment_of(start), err);
	if (!status && start_open_files(start, err) < 0)
		status = STATUS_FAILURE;
	if (status)
		return status;
	if (!start->options->replay)
		say_all(start);
	if (start->options->print)
		return print(start, err);
	start->supervisor = (struct supervisor){
		.reach = &start->reach, .handled = start->ruleset.handled, .drop_caps = start->options->drop_caps};
	start->supervised = supervisor_is_needed(&start->reach);
	start->ruleset.own_served = start->supervised;
	if (start->options->verify)
		return verify(start, err);
	if (start->options->explain || start->options->only_look)
		return explain_and_execute(start, err);
	return start->options->timeout || start->supervised ? stay_and_execute(start, err) : confine_and_execute(start);
}

int start_run(const struct start_options *options, struct error *err)
{
	struct start start = {.options = options};
	int status = go(&start, err);

	start_finish(&start);
	return status;
}
