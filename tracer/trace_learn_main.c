/* trace-learn: runs a program under the tracer, in the runner's learning domain, and writes its profile. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/write_signals.h"
#include "profile/landlock_abi.h"
#include "profile/learn.h"
#include "profile/variables.h"
#include "runner/launch.h"
#include "runner/learning_base.h"
#include "runner/profile_gate.h"
#include "runner/replay.h"
#include "tracer/command_line.h"
#include "tracer/decode.h"
#include "tracer/end_as.h"
#include "tracer/grant_options.h"
#include "tracer/human_gate.h"
#include "tracer/learned.h"
#include "tracer/session_log.h"
#include "tracer/trace_confined.h"

struct learning {
	struct command_line line;
	char *name;			      /* what execve(2) gets */
	int abi;			      /* of Landlock; -errno without it */
	bool takes_portable;		      /* --portable, from the profile that is added to */
	struct variables variables, portable; /* `portable` without values that lead through links */
	struct learning_base base;
	struct replay replay;
	struct learn_options options;
	struct learned learned;
};

static void finish(struct learning *learning)
{
	learned_finish(&learning->learned);
	learning_base_finish(&learning->base);
	replay_finish(&learning->replay);
	variables_finish(&learning->variables);
	variables_finish(&learning->portable);
	collapse_options_finish(&learning->line.collapse);
	free(learning->name);
}

/* In the child, as execute(). */
static int prepare(void *data, struct error *err)
{
	const struct learning *learning = data;

	return learning_base_confine(&learning->base, FILTER_MARK_REFUSED, err);
}

static int execute(void *data, struct error *err)
{
	const struct learning *learning = data;

	replay_take_place(&learning->replay);
	return launch_exec(learning->name, learning->line.program, learning_base_environment(&learning->base), err);
}

/* What is known of the session before it begins. */
static int describe(struct learning *learning, struct error *err)
{
	struct profile *profile = &learning->learned.profile;

	profile->landlock = learning->abi > 0 ? learning->abi : 1;
	profile->sessions = 1;
	profile->complete = true;
	profile->argv0 = duplicate(learning->line.program[0]);
	profile->directory = getcwd(NULL, 0);
	profile->tiers = duplicate(tiers_hash(learning->learned.tiers));
	for (int i = 1; i < learning->line.program_count && !learning->line.no_arguments; i++)
		profile_add_argument(profile, learning->line.program[i]);
	learning_base_put(&learning->base, profile);
	return launch_absolute(learning->name, &profile->program, err);
}

static int open_log(struct learning *learning, struct error *err)
{
	struct learned *learned = &learning->learned;
	struct log_start start = {.program = learned->profile.program,
				  .directory = learned->profile.directory,
				  .tiers = learned->profile.tiers,
				  .learn = &learning->options,
				  .abi = learning->abi};

	return session_log_open(&learning->line, &start, learned->tiers, &learned->store, &learned->log, err);
}

/* What trace-run would not take is not added to: it would be let in with what is learned now. */
static int read_previous(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	struct previous *previous = &learning->learned.previous;
	struct reach reach;
	int result;

	if (!line->merge)
		return 0;
	result = previous_read(previous, line->merge, !line->output, &learning->variables, err);
	if (result < 0 || !previous->name)
		return result;
	reach_init(&reach, &previous->profile);
	result = profile_gate_files(&(struct profile_gate){.file = previous->name,
							   .status = &previous->status,
							   .sha256 = previous->sha256,
							   .reach = &reach,
							   .tiers = learning->learned.tiers,
							   .no_way_round = true},
				    err);
	reach_finish(&reach);
	return result;
}

/* One that names its paths by variables is added to in the same way: half of it would hold elsewhere, and half not. */
static void be_as_portable(struct learning *learning)
{
	struct command_line *line = &learning->line;

	learning->takes_portable =
		!line->portable && previous_is_portable(&learning->learned.previous, &learning->variables);
	if (learning->takes_portable)
		line->portable = line->trace.keep_links = true;
}

static int open_store(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	const char *output = line->output ? line->output : line->merge;
	bool adds = !line->output && learning->learned.previous.name;

	return store_open(&learning->learned.store, output, line->program[0], line->force || adds, err);
}

/* Said before the program runs, which may take long: afterwards there would be a profile that nobody can use. */
static void warn_of_place(const struct store *store)
{
	scoped_error why = {0};

	if (store->name && !store->file.in_place && profile_gate_place(store->name, &why) < 0)
		message_warning("trace-run will refuse the profile where it is to lie: %s", why.message);
}

static int prepare_replay(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	const struct start_options options = {.explain = true,
					      .replay = true,
					      .trace = trace_confined,
					      .timeout = line->trace.timeout,
					      .program = line->program};

	if (!line->replay)
		return 0;
	if (replay_prepare(&learning->replay, &options, line->replay_output, err) < 0)
		return -err->number;
	for (int i = 0; line->replay_output && i < 2; i++)
		if (!capture_is_taken(&learning->replay.capture, i))
			message_notice("%s is a terminal, or closed: the replay does not compare it",
				       i ? "standard error" : "standard output");
	return 0;
}

/* All that can go wrong before the program starts, each with its own status. */
static int set_up(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	struct learned *learned = &learning->learned;
	const char *program = line->program[0];

	variables_of_process(&learning->variables);
	learning->abi = landlock_abi();
	if (tiers_load(line->tiers, &learning->variables, &learned->tiers, err) < 0 ||
	    learning_base_read(&learning->base, line->base, &learning->variables, learned->tiers, learning->abi, err) <
		    0)
		return STATUS_FAILURE;
	if (launch_find(program, learning_base_environment(&learning->base), &learning->name, err) < 0)
		return launch_status(err->number);
	if (line->review && human_gate_check(err) < 0)
		return STATUS_FAILURE;
	if (read_previous(learning, err) < 0)
		return STATUS_FAILURE;
	be_as_portable(learning);
	grant_options_take(line, &learning->variables, &learning->portable, &learning->options);
	if (describe(learning, err) < 0 || open_store(learning, err) < 0 || prepare_replay(learning, err) < 0 ||
	    open_log(learning, err) < 0)
		return STATUS_FAILURE;
	session_log_warn(line);
	warn_of_place(&learned->store);
	learned->line = line;
	learned->learner = learner_create(&learning->options);
	learned->recorder = (struct recorder){.learner = learned->learner,
					      .log = learned->log,
					      .base = learning->base.name,
					      .abi = learning->abi,
					      .begun = learned->previous.name ? NULL : line->merge,
					      .portable = learning->takes_portable ? line->merge : NULL};
	return 0;
}

static int run_session(struct learning *learning, struct error *err)
{
	const struct trace_program program = {.prepare = prepare, .execute = execute, .data = learning};
	struct learned *learned = &learning->learned;
	const struct trace_observer observer = recorder_observer(&learned->recorder);

	learning->line.trace.unbound = learning->abi < 0;
	learning->line.trace.refuses = learning_base_is_heard(&learning->base);
	if (learning->abi < 0)
		recorder_incomplete(&learned->recorder, "there was no Landlock while learning");
	return trace_session(&learning->line.trace, &program, &observer, &learned->result, err);
}

static int replay(struct learning *learning, struct error *err)
{
	struct learned *learned = &learning->learned;
	const struct trace_result *result = &learned->result;
	scoped_free char *difference = NULL;
	struct replay_end end;

	if (result->interrupted || result->timed_out) {
		message_notice("there is no replay: the session was ended before the program had");
		return 0;
	}
	recorder_say(&learned->recorder);
	message_notice("the replay, under %s:", learned->store.name);
	if (replay_run(&learning->replay, learned->store.name, &end, err) < 0)
		return -err->number;
	difference = replay_difference(&learning->replay, result->status, &end);
	if (difference)
		return learned_differs(learned, difference, err);
	message_notice("the replay went like the session");
	log_notice(learned->log, "replay", "the replay went like the session");
	return 0;
}

/* From the start of the program to its profile: 0, or the status of what failed. */
static int run_to_profile(struct learning *learning, struct error *err)
{
	struct learned *learned = &learning->learned;
	const struct trace_result *result = &learned->result;
	int status = run_session(learning, err);

	replay_session_ended(&learning->replay);
	recorder_flush(&learned->recorder);
	log_totals(learned->log);
	if (status < 0)
		return STATUS_FAILURE;
	if (result->exec_error) {
		error_set(err, result->exec_error, "%s", result->exec_message);
		return launch_status(result->exec_error);
	}
	if (result->executed && learned_write(learned, err) < 0)
		return STATUS_FAILURE;
	return result->executed && learning->line.replay && replay(learning, err) < 0 ? STATUS_FAILURE : 0;
}

static int end(const struct trace_result *result)
{
	if (result->timed_out)
		return STATUS_TIMEOUT;
	return result->interrupted ? end_by_signal(result->interrupted) : end_as(result->status);
}

static int learn(struct learning *learning, struct error *err)
{
	struct learned *learned = &learning->learned;
	int status = set_up(learning, err);
	scoped_error lost = {0};

	if (status)
		return status;
	status = run_to_profile(learning, err);
	learned_close(learned, err->message, &lost);
	if (learned->difference)
		learned_say(learned);
	if (status)
		return status;
	if (learned->result.executed)
		learned_say(learned);
	if (!lost.number)
		return end(&learned->result);
	*err = lost;
	lost = (struct error){0};
	return STATUS_FAILURE;
}

/* A closed standard stream would be taken by the next file that we open, and our messages would go into it. */
static void keep_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", (fd ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct learning learning = {.learned = {.store = STORE_NONE, .gate = profile_gate_written},
				    .replay = REPLAY_NONE};
	struct error err = {0};
	int status = 0;
	int result;

	write_signals_ignore(WRITE_SIGNALS_ALL);
	keep_standard_streams();
	message_init("trace-learn", STATUS_FAILURE);
	result = command_line_read(argc, argv, &learning.line, &err);
	message_set_level(learning.line.level);
	if (result == 0)
		status = learn(&learning, &err);
	else if (result < 0 || output_finish(stdout, &err) < 0)
		status = STATUS_FAILURE;
	if (err.number)
		message_error(&err);
	finish(&learning);
	error_finish(&err);
	return status;
}
