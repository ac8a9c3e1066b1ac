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
#include "profile/profile_copy.h"
#include "profile/variables.h"
#include "runner/launch.h"
#include "runner/learning_base.h"
#include "runner/profile_gate.h"
#include "runner/replay.h"
#include "tracer/command_line.h"
#include "tracer/end_as.h"
#include "tracer/grant_options.h"
#include "tracer/human_gate.h"
#include "tracer/log.h"
#include "tracer/previous.h"
#include "tracer/secret.h"
#include "tracer/store.h"
#include "tracer/summary.h"
#include "tracer/trace.h"

struct learning {
	struct command_line line;
	char *name;			      /* what execve(2) gets */
	int abi;			      /* of Landlock; -errno without it */
	struct variables variables, portable; /* `portable` without values that lead through links */
	struct tiers *tiers;
	struct previous previous;
	struct learning_base base;
	struct profile before; /* the one to add to, as it is; kept for --review */
	bool declined;
	struct store store;
	struct replay replay;
	bool differs; /* the replay did not go like the session */
	struct log *log;
	struct learn_options options;
	struct learner *learner;
	struct profile profile;
	struct trace_result result;
	char **notices; /* kept until the program has left the terminal */
	size_t notice_count, notice_capacity;
};

static void finish(struct learning *learning)
{
	for (size_t i = 0; i < learning->notice_count; i++)
		free(learning->notices[i]);
	free(learning->notices);
	free(learning->result.exec_message);
	profile_finish(&learning->profile);
	profile_finish(&learning->before);
	previous_finish(&learning->previous);
	learning_base_finish(&learning->base);
	learner_destroy(learning->learner);
	log_destroy(learning->log);
	replay_finish(&learning->replay);
	store_finish(&learning->store);
	tiers_destroy(learning->tiers);
	variables_finish(&learning->variables);
	variables_finish(&learning->portable);
	collapse_options_finish(&learning->line.collapse);
	free(learning->name);
}

/* In the child, as execute(). */
static int prepare(void *data, struct error *err)
{
	const struct learning *learning = data;

	return learning_base_confine(&learning->base, err);
}

static int execute(void *data, struct error *err)
{
	const struct learning *learning = data;

	replay_take_place(&learning->replay);
	return launch_exec(learning->name, learning->line.program, learning_base_environment(&learning->base), err);
}

/* Not before it is known that it can be traced: what fails until then stands alone. */
static void say_first(void *data)
{
	const struct learning *learning = data;

	if (learning->base.name)
		message_notice("Files are not restricted while learning; the rest is limited as in %s.",
			       learning->base.name);
	else
		message_notice("Files are not restricted while learning.");
	if (learning->abi < 0)
		message_notice("learning without a Landlock domain: %s", landlock_absence(learning->abi));
}

static void take_access(void *data, const struct access *access, pid_t pid, pid_t tid)
{
	const struct learning *learning = data;

	learner_add(learning->learner, access);
	log_access(learning->log, access, pid, tid);
}

static void take_stood(void *data, struct stack_moment *moment)
{
	const struct learning *learning = data;

	log_stood(learning->log, moment);
}

static void take_process(void *data, const struct trace_process *process)
{
	const struct learning *learning = data;

	log_process(learning->log, process);
}

static void take_notice(void *data, const char *text)
{
	struct learning *learning = data;

	*ARRAY_APPEND(learning->notices, learning->notice_count, learning->notice_capacity) = duplicate(text);
	log_notice(learning->log, "notice", text);
}

static void take_incomplete(void *data, const char *reason)
{
	const struct learning *learning = data;

	learner_add_incomplete(learning->learner, reason);
	log_notice(learning->log, "incomplete", reason);
}

/* A log that is lost is said at once: there may be no later. */
static bool take_idle(void *data, bool due)
{
	const struct learning *learning = data;
	scoped_error err = {0};

	if (log_flush(learning->log, due, &err) < 0)
		message_warning("the audit log ends here, the program goes on: %s", err.message);
	if (log_is_full(learning->log)) {
		message_warning("the audit log has reached --log-max, the program goes on");
		learner_add_incomplete(learning->learner, "the audit log reached --log-max");
	}
	return log_keeps(learning->log);
}

/* What is known of the session before it begins. */
static int describe(struct learning *learning, struct error *err)
{
	struct profile *profile = &learning->profile;

	profile->landlock = learning->abi > 0 ? learning->abi : 1;
	profile->sessions = 1;
	profile->complete = true;
	profile->argv0 = duplicate(learning->line.program[0]);
	profile->directory = getcwd(NULL, 0);
	profile->tiers = duplicate(tiers_hash(learning->tiers));
	for (int i = 1; i < learning->line.program_count && !learning->line.no_arguments; i++)
		profile_add_argument(profile, learning->line.program[i]);
	learning_base_put(&learning->base, profile);
	return launch_absolute(learning->name, &profile->program, err);
}

/* Where a log goes that cannot be in the state directory: to the profile, if that is a file. */
static char *beside_profile(const struct store *store)
{
	const char *slash = store->name && !store->file.in_place ? strrchr(store->name, '/') : NULL;

	return slash ? duplicate_bytes(store->name, (size_t)(slash + 1 - store->name)) : duplicate("./");
}

static int open_log(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	const struct log_start start = {.arguments = line->program,
					.no_arguments = line->no_arguments,
					.program = learning->profile.program,
					.directory = learning->profile.directory,
					.tiers = learning->profile.tiers,
					.calls = line->trace.calls,
					.learn = &learning->options,
					.abi = learning->abi};
	scoped_free char *beside = beside_profile(&learning->store);
	scoped_error why = {0};
	int result;

	result = log_open(&line->log, &start, learning->tiers, beside, &learning->log, &why, err);
	if (result < 0)
		return result;
	if (why.number)
		message_notice("the audit log goes to %s: %s", log_name(learning->log), why.message);
	return 0;
}

static void warn_of_secret(const struct command_line *line)
{
	int number = line->no_arguments ? 0 : secret_find(line->program_count, line->program);

	if (number)
		message_warning("argument %d looks like a secret, and %s it: --no-arguments leaves arguments out",
				number, line->log.off ? "the profile will show" : "profile and log will show");
}

/* What trace-run would not take is not added to: it would be let in with what is learned now. */
static int read_previous(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	struct previous *previous = &learning->previous;
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
							   .tiers = learning->tiers,
							   .no_way_round = true},
				    err);
	reach_finish(&reach);
	return result;
}

static int open_store(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	const char *output = line->output ? line->output : line->merge;
	bool adds = !line->output && learning->previous.name;

	return store_open(&learning->store, output, line->program[0], line->force || adds, err);
}

static void set_options(struct learning *learning)
{
	const struct command_line *line = &learning->line;
	scoped_buffer forgotten = {0};

	learning->options = (struct learn_options){.tty = learning->variables.tty,
						   .with_absent = line->with_absent,
						   .hold = line->hold,
						   .collapse = line->collapse};
	if (!line->portable)
		return;
	variables_of_process(&learning->portable);
	variables_forget_links(&learning->portable, &forgotten);
	if (forgotten.length)
		message_notice("--portable does without these variables, whose directories are not there or named "
			       "through symbolic links: %s",
			       forgotten.data);
	learning->options.portable = learning->options.collapse.portable = &learning->portable;
}

/* As the replay's tracer: trace-run -e has it the same way. */
static int trace_again(const struct traced_program *program, struct traced_end *end, struct error *err)
{
	const struct trace_options options = {.timeout = program->timeout, .confined = program->confined};
	const struct trace_program traced = {
		.prepare = program->prepare, .execute = program->execute, .make = program->make, .data = program->data};
	const struct trace_observer observer = {.access = program->access,
						.notice = program->notice,
						.incomplete = program->notice,
						.data = program->observer};
	struct trace_result result;
	int status = trace_session(&options, &traced, &observer, &result, err);

	*end = (struct traced_end){.end = {.status = result.interrupted ? result.interrupted : result.status,
					   .timed_out = result.timed_out},
				   .exec_error = result.exec_error,
				   .exec_message = result.exec_message};
	return status;
}

static int prepare_replay(struct learning *learning, struct error *err)
{
	const struct command_line *line = &learning->line;
	const struct start_options options = {
		.explain = true, .trace = trace_again, .timeout = line->trace.timeout, .program = line->program};

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
	const char *program = line->program[0];

	variables_of_process(&learning->variables);
	learning->abi = landlock_abi();
	if (tiers_load(line->tiers, &learning->variables, &learning->tiers, err) < 0 ||
	    learning_base_read(&learning->base, line->base, &learning->variables, learning->tiers, learning->abi, err) <
		    0)
		return STATUS_FAILURE;
	if (launch_find(program, learning_base_environment(&learning->base), &learning->name, err) < 0)
		return launch_status(err->number);
	set_options(learning);
	if (line->review && human_gate_check(err) < 0)
		return STATUS_FAILURE;
	if (describe(learning, err) < 0 || read_previous(learning, err) < 0 || open_store(learning, err) < 0 ||
	    prepare_replay(learning, err) < 0 || open_log(learning, err) < 0)
		return STATUS_FAILURE;
	warn_of_secret(line);
	learning->learner = learner_create(&learning->options);
	return 0;
}

static int run_session(struct learning *learning, struct error *err)
{
	const struct trace_program program = {.prepare = prepare, .execute = execute, .data = learning};
	const struct trace_observer observer = {.access = take_access,
						.notice = take_notice,
						.incomplete = take_incomplete,
						.data = learning,
						.begin = say_first,
						.process = take_process,
						.idle = take_idle,
						.stood = take_stood};

	if (learning->abi < 0)
		take_incomplete(learning, "there was no Landlock while learning");
	return trace_session(&learning->line.trace, &program, &observer, &learning->result, err);
}

/* The end of the log. `err` says why there is no profile, if it is set. */
static int close_log(struct learning *learning, const struct error *failure, struct error *err)
{
	scoped_free char *name = learning->store.name ? realpath(learning->store.name, NULL) : NULL;
	const struct log_end end = {.result = &learning->result,
				    .failure = failure->message,
				    .declined = learning->declined,
				    .profile = *learning->store.hash ? &learning->profile : NULL,
				    .profile_name = name,
				    .profile_hash = learning->store.hash};

	return log_close(learning->log, &end, err);
}

/* What was noticed is said before anything is decided. */
static void say_notices(struct learning *learning)
{
	for (size_t i = 0; i < learning->notice_count; i++) {
		message_notice("%s", learning->notices[i]);
		free(learning->notices[i]);
	}
	learning->notice_count = 0;
}

static int review(struct learning *learning, struct error *err)
{
	const struct human_gate gate = {.profile = &learning->profile,
					.tiers = learning->tiers,
					.learner = learning->learner,
					.log = learning->log,
					.before = learning->previous.name ? &learning->before : NULL,
					.name = learning->store.name};
	int result;

	say_notices(learning);
	result = human_gate_pass(&gate, err);
	learning->declined = result < 0;
	return result;
}

static int write_profile(struct learning *learning, struct error *err)
{
	struct previous *previous = &learning->previous;

	if (learning->line.review && previous->name)
		profile_copy(&previous->profile, &learning->before);
	if (previous->name && previous_merge(previous, learning->tiers, &learning->profile, err) < 0)
		return -err->number;
	learner_finish(learning->learner, learning->tiers, &learning->profile);
	if (learning->line.min_abi)
		learning->profile.landlock = learning->line.min_abi;
	if (learning->line.review && review(learning, err) < 0)
		return -err->number;
	if (previous->name && !learning->line.output && previous_check(previous, err) < 0)
		return -err->number;
	return store_write(&learning->store, &learning->profile, err);
}

/* What it tells makes the profile incomplete, and this a failure. */
static int take_difference(struct learning *learning, const char *difference, struct error *err)
{
	learning->differs = true;
	learning->profile.complete = false;
	profile_add_incomplete(&learning->profile, difference);
	log_notice(learning->log, "incomplete", difference);
	if (store_rewrite(&learning->store, &learning->profile, err) < 0)
		return -err->number;
	return error_set(err, ECANCELED, "%s: %s is incomplete", difference, learning->store.name);
}

static int replay(struct learning *learning, struct error *err)
{
	const struct trace_result *result = &learning->result;
	scoped_free char *difference = NULL;
	struct replay_end end;

	if (result->interrupted || result->timed_out) {
		message_notice("there is no replay: the session was ended before the program had");
		return 0;
	}
	say_notices(learning);
	message_notice("the replay, under %s:", learning->store.name);
	if (replay_run(&learning->replay, learning->store.name, &end, err) < 0)
		return -err->number;
	difference = replay_difference(&learning->replay, result->status, &end);
	if (difference)
		return take_difference(learning, difference, err);
	message_notice("the replay went like the session");
	log_notice(learning->log, "replay", "the replay went like the session");
	return 0;
}

static void say_last(struct learning *learning)
{
	char words[] = "ARGUMENT...", *const without[] = {learning->line.program[0], words, NULL};
	bool leave_out = learning->line.no_arguments && learning->line.program_count > 1;

	say_notices(learning);
	summary_print(&(struct summary){.profile = &learning->profile,
					.tiers = learning->tiers,
					.learner = learning->learner,
					.whole = learning->line.level == MESSAGE_VERBOSE,
					.name = learning->store.name,
					.hash = learning->store.hash,
					.log_name = log_name(learning->log),
					.log_hash = log_hash(learning->log),
					.program = leave_out ? without : learning->line.program,
					.gate = profile_gate_written});
}

static int end(const struct trace_result *result)
{
	if (result->timed_out)
		return STATUS_TIMEOUT;
	return result->interrupted ? end_by_signal(result->interrupted) : end_as(result->status);
}

/* From the start of the program to its profile: 0, or the status of what failed. */
static int run_to_profile(struct learning *learning, struct error *err)
{
	const struct trace_result *result = &learning->result;
	int status = run_session(learning, err);

	replay_session_ended(&learning->replay);
	take_idle(learning, true);
	log_totals(learning->log);
	if (status < 0)
		return STATUS_FAILURE;
	if (result->exec_error) {
		error_set(err, result->exec_error, "%s", result->exec_message);
		return launch_status(result->exec_error);
	}
	if (result->executed && write_profile(learning, err) < 0)
		return STATUS_FAILURE;
	return result->executed && learning->line.replay && replay(learning, err) < 0 ? STATUS_FAILURE : 0;
}

static int learn(struct learning *learning, struct error *err)
{
	int status = set_up(learning, err);
	scoped_error lost = {0};

	if (status)
		return status;
	status = run_to_profile(learning, err);
	close_log(learning, err, &lost);
	if (learning->declined && learning->log)
		message_notice("the log is %s (SHA-256 %s)", log_name(learning->log), log_hash(learning->log));
	if (learning->differs)
		say_last(learning);
	if (status)
		return status;
	if (learning->result.executed)
		say_last(learning);
	if (!lost.number)
		return end(&learning->result);
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
	struct learning learning = {.store = STORE_NONE, .replay = REPLAY_NONE};
	struct error err = {0};
	int status = 0;
	int result;

	write_signals_ignore(WRITE_SIGNALS_ALL);
	keep_standard_streams();
	message_init("trace-learn");
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
