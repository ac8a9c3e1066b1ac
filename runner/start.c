#include "runner/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "profile/profile_file.h"
#include "profile/trust.h"
#include "runner/confine.h"
#include "runner/environment.h"
#include "runner/landlock.h"
#include "runner/launch.h"
#include "runner/parent.h"
#include "runner/profile_gate.h"
#include "runner/profile_notes.h"
#include "runner/supervisor.h"

/* All that is known before anything is restricted. */
struct start {
	const struct start_options *options;
	struct profile profile;
	char sha256[HASH_TEXT_SIZE];
	struct stat status; /* of the profile's file */
	struct tiers *tiers;
	struct reach reach;
	struct ruleset ruleset;
	char **environment; /* NULL: as it is */
	char *name;	    /* for execve(2) */
	char **arguments;   /* the array is ours, the strings are not */
	struct supervisor supervisor;
	bool supervised;
};

static void start_finish(struct start *start)
{
	free(start->name);
	free(start->arguments);
	environment_destroy(start->environment);
	ruleset_finish(&start->ruleset);
	reach_finish(&start->reach);
	tiers_destroy(start->tiers);
	profile_finish(&start->profile);
}

static char **environment_of(const struct start *start)
{
	return start->environment ? start->environment : environ;
}

static void warn(void *data, unsigned line, const char *text)
{
	const struct start *start = data;

	if (line)
		message_warning("%s:%u: %s", start->options->profile, line, text);
	else
		message_warning("%s: %s", start->options->profile, text);
}

static int load(struct start *start, struct error *err)
{
	struct variables variables = {0};
	int result;

	variables_of_process(&variables);
	result = profile_load(start->options->profile, &variables, &start->profile, start->sha256, &start->status, err);
	if (result == 0)
		result = tiers_load(NULL, &variables, &start->tiers, err);
	variables_finish(&variables);
	return result;
}

static int compile(struct start *start, struct error *err)
{
	int abi = landlock_abi();

	if (abi < 0)
		return error_set(err, -abi, "nothing can be enforced: %s", landlock_absence(abi));
	reach_init(&start->reach, &start->profile);
	ruleset_compile(&start->profile, abi, &start->ruleset);
	start->environment = environment_build(&start->profile, environ);
	return 0;
}

/* Refuses what must not start. */
static int pass_gate(const struct start *start, struct error *err)
{
	const struct profile_gate gate = {
		.file = start->options->profile,
		.status = &start->status,
		.sha256 = start->sha256,
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

/* The profile's own program: argv0 as it was typed, then the arguments. */
static char **arguments_of_profile(const struct profile *profile)
{
	char **arguments = allocate_array(profile->argument_count + 2, sizeof *arguments);

	arguments[0] = profile->argv0 ? profile->argv0 : profile->program;
	for (size_t i = 0; i < profile->argument_count; i++)
		arguments[i + 1] = profile->arguments[i].text;
	return arguments;
}

static char **arguments_named(char **program)
{
	size_t count = 0;
	char **arguments;

	while (program[count])
		count++;
	arguments = allocate_array(count + 1, sizeof *arguments);
	memcpy(arguments, program, count * sizeof *arguments);
	return arguments;
}

/* Whether the name that was typed while learning leads to the program from here too: a script then sees the same $0. */
static bool typed_name_fits(const struct profile *profile)
{
	scoped_free char *absolute = NULL;
	scoped_error err = {0};

	return profile->argv0 && strchr(profile->argv0, '/') && launch_absolute(profile->argv0, &absolute, &err) == 0 &&
	       absolute && strcmp(absolute, profile->program) == 0;
}

/* 0, or the exit status with err set. */
static int find_program(struct start *start, struct error *err)
{
	const struct profile *profile = &start->profile;
	const char *name;

	if (start->options->program) {
		name = start->options->program[0];
		start->arguments = arguments_named(start->options->program);
	} else if (profile->program) {
		name = typed_name_fits(profile) ? profile->argv0 : profile->program;
		start->arguments = arguments_of_profile(profile);
	} else {
		error_set(err, EINVAL, "%s names no program: name one after --", start->options->profile);
		return STATUS_FAILURE;
	}
	return launch_find(name, environment_of(start), &start->name, err) < 0 ? launch_status(err->number) : 0;
}

/* The kernel refused the exec itself: adds what the profile lacks. */
static void explain_refusal(const struct start *start, struct error *err)
{
	scoped_free char *real = realpath(start->name, NULL);
	scoped_free char *said = duplicate(err->message);
	rights_t lacking = RIGHT_EXECUTE | RIGHT_READ_FILE;
	scoped_buffer names = {0};

	if (!real)
		return;
	lacking &= ~reach_rights(&start->reach, real);
	rights_write(&names, lacking);
	if (lacking)
		error_set(err, EACCES, "%s; %s does not grant %s on %s", said, start->options->profile, names.data,
			  real);
	else
		error_set(err, EACCES,
			  "%s; %s grants it, but its interpreter or loader needs execute,read_file as well", said,
			  start->options->profile);
}

/* Returns only on failure, with the exit status; what failed is said. */
static int confine_and_execute(void *data)
{
	struct start *start = data;
	scoped_error err = {0};

	if (confine(&start->ruleset, &start->reach, warn, start, &err) < 0 ||
	    (start->supervised && supervisor_join(&start->supervisor, &err) < 0)) {
		message_error(&err);
		return STATUS_FAILURE;
	}
	launch_exec(start->name, start->arguments, environment_of(start), &err);
	if (err.number == EACCES)
		explain_refusal(start, &err);
	message_error(&err);
	return launch_status(err.number);
}

static int stay_and_execute(struct start *start, struct error *err)
{
	unsigned timeout = start->options->timeout;
	struct parent_end end;

	if (parent_run(confine_and_execute, start, start->supervised ? &start->supervisor : NULL, timeout, &end, err) <
	    0)
		return STATUS_FAILURE;
	if (end.lost)
		message("%s: its supervisor was killed, and the program and all that came of it with it",
			start->arguments[0]);
	if (end.timed_out)
		message("%s: ended after %u second%s (--timeout)", start->arguments[0], timeout,
			timeout == 1 ? "" : "s");
	return parent_end_as(&end);
}

static int print(struct start *start, struct error *err)
{
	ruleset_print(&start->ruleset, stdout);
	if (output_finish(stdout, err) < 0 || confine_look(&start->ruleset, &start->reach, warn, start, err) < 0)
		return STATUS_FAILURE;
	return 0;
}

static int go(struct start *start, struct error *err)
{
	int status = 0;

	if (load(start, err) < 0 || compile(start, err) < 0 || pass_gate(start, err) < 0)
		return STATUS_FAILURE;
	if (!start->options->print)
		status = find_program(start, err);
	if (status)
		return status;
	say_notes(start);
	if (start->options->print)
		return print(start, err);
	start->supervisor = (struct supervisor){.reach = &start->reach, .handled = start->ruleset.handled};
	start->supervised = supervisor_is_needed(&start->reach);
	start->ruleset.own_served = start->supervised;
	return start->options->timeout || start->supervised ? stay_and_execute(start, err) : confine_and_execute(start);
}

int start_run(const struct start_options *options, struct error *err)
{
	struct start start = {.options = options};
	int status = go(&start, err);

	start_finish(&start);
	return status;
}
