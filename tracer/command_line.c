#include "tracer/command_line.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "profile/profile_name.h"
#include "tracer/grant_options.h"
#include "tracer/stack_helper.h"

enum {
	OPTION_CALLS = 0x100,
	OPTION_COLOCATE,
	OPTION_WITH_ABSENT,
	OPTION_HOLD,
	OPTION_REVIEW,
	OPTION_REPLAY,
	OPTION_COLLAPSE,
	OPTION_COLLAPSE_PREFIX,
	OPTION_FORCE_SENSITIVE_COLLAPSE,
	OPTION_MIN_ABI,
	OPTION_PORTABLE,
	OPTION_PROC,
	OPTION_TIERS,
	OPTION_TIMEOUT,
	OPTION_NO_LOG,
	OPTION_LOG_ALL,
	OPTION_LOG_MAX,
	OPTION_NO_ARGUMENTS,
	OPTION_ALLOW_IO_URING
};

static const struct argp_option option_table[] = {
	{"output", 'o', "FILE", 0, "write the profile there instead of to PROGRAM.ini; - is standard output", 0},
	{"merge", 'm', "FILE", 0, "add to this profile, and write it there unless -o names another file", 0},
	{"base", 'b', "BASE", 0,
	 "keep the ports, scopes, environment and system calls of this profile in force while learning", 0},
	{"force", 'f', NULL, 0, "replace a profile that is there", 0},
	{"calls", OPTION_CALLS, "all|enforced", 0,
	 "stop at every call that names a path (all), or only at those that Landlock may be asked for (enforced: "
	 "faster, with the same grants)",
	 0},
	{"colocate", OPTION_COLOCATE, "auto|never", 0,
	 "run the program on our own processor while only one of its tasks runs, where that is faster (auto), or never",
	 0},
	{"log", 'l', "LOG", 0, "write the audit log there instead of to a new file in the state directory", 0},
	{"no-log", OPTION_NO_LOG, NULL, 0, "keep no audit log", 0},
	{"log-all", OPTION_LOG_ALL, NULL, 0, "log each access every time, not the first time alone", 0},
	{"log-max", OPTION_LOG_MAX, "SIZE", 0,
	 "log nothing more once the log has SIZE bytes (or 64K, 10M, 1G); the profile is incomplete then", 0},
	{"stack", 'k', "DEPTH", OPTION_ARG_OPTIONAL,
	 "log with each access that is new the call stack that led to it, DEPTH (32) functions at most", 0},
	{"no-arguments", OPTION_NO_ARGUMENTS, NULL, 0, "keep the program's arguments out of profile and log", 0},
	{"allow-io-uring", OPTION_ALLOW_IO_URING, NULL, 0,
	 "let io_uring work, unseen: the profile is incomplete; without, it is refused", 0},
	{"with-absent", OPTION_WITH_ABSENT, NULL, 0, "grant also what was looked for and did not exist", 0},
	{"review", OPTION_REVIEW, NULL, 0,
	 "ask on the terminal about each grant above normal, once the program has ended; nothing that was not accepted "
	 "is "
	 "granted",
	 0},
	{"replay", OPTION_REPLAY, "output", OPTION_ARG_OPTIONAL,
	 "run PROGRAM again under the profile, and fail when its status differs, or (output) what it writes", 0},
	{"hold", OPTION_HOLD, "TIER", 0,
	 "hold what is guarded or protected (and above): it is not enforced until a person moves it", 0},
	{"collapse", OPTION_COLLAPSE, "N", OPTION_ARG_OPTIONAL,
	 "grant on a directory each right that at least N (4) of its entries have, where that is normal", 0},
	{"collapse-prefix", OPTION_COLLAPSE_PREFIX, "PATH", 0,
	 "grant on all of this directory what is granted beneath it, where that is normal; may be repeated", 0},
	{"force-sensitive-collapse", OPTION_FORCE_SENSITIVE_COLLAPSE, NULL, 0,
	 "--collapse-prefix also where it is guarded or protected", 0},
	{"min-abi", OPTION_MIN_ABI, "N", 0,
	 "let the profile run from this Landlock ABI on, instead of from that of this kernel", 0},
	{"portable", OPTION_PORTABLE, NULL, 0,
	 "make a profile for other users and directories: with variables, and names of links that outlast updates", 0},
	{"proc", OPTION_PROC, "all", 0,
	 "grant reading all of /proc when entries of other processes are used, instead of calling it incomplete", 0},
	{"tiers", OPTION_TIERS, "FILE", 0, "use this table of tiers", 0},
	{"timeout", OPTION_TIMEOUT, "SECONDS", 0, "end the program after that time, with status 124", 0},
	{"quiet", 'q', NULL, 0, "say nothing but errors, warnings and each grant above normal", 0},
	{"verbose", 'v', NULL, 0, "say more", 0},
	{0},
};

static const char usage[] = "[--] PROGRAM [ARGUMENT...]";

static const char help[] =
	"Files are not restricted while learning: PROGRAM can do all that it could do without us.\n\n"
	"Runs PROGRAM and writes a profile of the files that it used and the rights that it needed on them. trace-run "
	"runs it again with exactly those."
	"\v"
	"The exit status is the program's if its profile was written, or 124 after --timeout, 125 when we fail, 126 "
	"when the program cannot be executed, 127 when it is not found. See trace-learn(1).";

struct reader {
	struct command_line *line;
	struct error *err;
};

static int read_calls(const char *text, const struct reader *reader)
{
	reader->line->trace.calls = strcmp(text, "enforced") == 0 ? TRACE_CALLS_ENFORCED : TRACE_CALLS_ALL;
	if (reader->line->trace.calls == TRACE_CALLS_ENFORCED || strcmp(text, "all") == 0)
		return 0;
	return -error_set(reader->err, EINVAL, "--calls=%s: it can be all or enforced", text);
}

static int read_colocate(const char *text, const struct reader *reader)
{
	bool never = strcmp(text, "never") == 0;

	reader->line->trace.colocate = never ? TRACE_COLOCATE_NEVER : TRACE_COLOCATE_AUTO;
	if (never || strcmp(text, "auto") == 0)
		return 0;
	return -error_set(reader->err, EINVAL, "--colocate=%s: it can be auto or never", text);
}

static int read_hold(const char *text, const struct reader *reader)
{
	scoped_error unknown = {0};
	int result = tier_read(text, &reader->line->hold, &unknown);

	if (result == 0 && reader->line->hold != TIER_NORMAL)
		return 0;
	return -error_set(reader->err, EINVAL, "--hold=%s: %sit can be guarded or protected", text,
			  result == 0 ? "nothing would be left; " : "");
}

static int read_timeout(const char *text, const struct reader *reader)
{
	char *end;
	unsigned long seconds = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !seconds || seconds > INT_MAX)
		return -error_set(reader->err, EINVAL, "--timeout=%s: give whole seconds, from 1 on", text);
	reader->line->trace.timeout = (unsigned)seconds;
	return 0;
}

/* Bytes, with K, M or G behind them for powers of 1024. */
static bool read_size(const char *text, uint64_t *size)
{
	static const char units[] = "KMG";
	char *end;
	const char *unit;
	unsigned shift = 0;

	errno = 0;
	*size = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || !*size)
		return false;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (*end || *size > UINT64_MAX >> shift)
		return false;
	*size <<= shift;
	return true;
}

static int read_log_max(const char *text, const struct reader *reader)
{
	if (read_size(text, &reader->line->log.limit))
		return 0;
	return -error_set(reader->err, EINVAL, "--log-max=%s: give bytes, or a number with K, M or G", text);
}

static int read_log(const char *text, const struct reader *reader)
{
	if (!*text)
		return -error_set(reader->err, EINVAL, "the name of the log is empty");
	reader->line->log.name = text;
	return 0;
}

static int read_replay(const char *text, const struct reader *reader)
{
	reader->line->replay = true;
	reader->line->replay_output = text != NULL;
	if (!text || strcmp(text, "output") == 0)
		return 0;
	return -error_set(reader->err, EINVAL, "--replay=%s: it can be output, or nothing", text);
}

static int read_stack(const char *text, const struct reader *reader)
{
	unsigned long depth;
	char *end;

	reader->line->log.stacks = STACK_DEPTH;
	reader->line->log.stack_helper = stack_helper_be;
	reader->line->trace.stacks = true;
	if (!text)
		return 0;
	depth = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || !depth || depth > STACK_DEPTH_MOST)
		return -error_set(reader->err, EINVAL, "--stack=%s: give a number from 1 to %d", text,
				  STACK_DEPTH_MOST);
	reader->line->log.stacks = (unsigned)depth;
	return 0;
}

static int check(const struct reader *reader)
{
	const struct log_options *log = &reader->line->log;

	if (!reader->line->program)
		return -error_set(reader->err, EINVAL, "no program to learn (see trace-learn --help)");
	if (log->off && (log->name || log->all || log->limit || log->stacks))
		return -error_set(reader->err, EINVAL, "--no-log does not go with %s",
				  log->name    ? "-l"
				  : log->all   ? "--log-all"
				  : log->limit ? "--log-max"
					       : "--stack");
	if (reader->line->replay && reader->line->output && strcmp(reader->line->output, "-") == 0)
		return -error_set(reader->err, EINVAL, "--replay needs a file for the profile, not -o -");
	reader->line->trace.looks = !log->off;
	return check_collapse(&reader->line->collapse, reader->err);
}

static int read_output(const char *text, const struct reader *reader)
{
	if (!*text)
		return -error_set(reader->err, EINVAL, "the name of the profile is empty");
	reader->line->output = text;
	return 0;
}

/* -m and -b. */
static int read_profile_name(const char *option, const char *text, const char **name, const struct reader *reader)
{
	if (!*text || strcmp(text, "-") == 0)
		return -error_set(reader->err, EINVAL, "%s %s: give the name of a profile", option, text);
	if (*name)
		return -profile_named_twice(option, *name, text, reader->err);
	*name = text;
	return 0;
}

/* Options without an argument; whether it is one. */
static bool read_flag(int key, struct command_line *line)
{
	switch (key) {
	case 'f':
		line->force = true;
		return true;
	case 'q':
		line->level = MESSAGE_QUIET;
		return true;
	case 'v':
		line->level = MESSAGE_VERBOSE;
		return true;
	case OPTION_NO_LOG:
		line->log.off = true;
		return true;
	case OPTION_LOG_ALL:
		line->log.all = true;
		return true;
	case OPTION_NO_ARGUMENTS:
		line->no_arguments = true;
		return true;
	case OPTION_ALLOW_IO_URING:
		line->trace.allow_rings = true;
		return true;
	case OPTION_WITH_ABSENT:
		line->with_absent = line->trace.absent = true;
		return true;
	case OPTION_REVIEW:
		line->review = true;
		return true;
	case OPTION_FORCE_SENSITIVE_COLLAPSE:
		line->collapse.sensitive = true;
		return true;
	case OPTION_PORTABLE:
		line->portable = line->trace.keep_links = true;
		return true;
	default:
		return false;
	}
}

static error_t read_word(int key, char *argument, struct argp_state *state)
{
	const struct reader *reader = state->input;
	struct command_line *line = reader->line;

	if (read_flag(key, line))
		return 0;
	switch (key) {
	case 'o':
		return read_output(argument, reader);
	case 'm':
		return read_profile_name("-m", argument, &line->merge, reader);
	case 'b':
		return read_profile_name("-b", argument, &line->base, reader);
	case OPTION_CALLS:
		return read_calls(argument, reader);
	case OPTION_COLOCATE:
		return read_colocate(argument, reader);
	case 'l':
		return read_log(argument, reader);
	case OPTION_LOG_MAX:
		return read_log_max(argument, reader);
	case 'k':
		return read_stack(argument, reader);
	case OPTION_REPLAY:
		return read_replay(argument, reader);
	case OPTION_HOLD:
		return read_hold(argument, reader);
	case OPTION_COLLAPSE:
		return read_collapse(argument, &line->collapse, reader->err);
	case OPTION_COLLAPSE_PREFIX:
		return read_collapse_prefix(argument, &line->collapse, reader->err);
	case OPTION_MIN_ABI:
		return read_min_abi(argument, &line->min_abi, reader->err);
	case OPTION_PROC:
		return read_proc(argument, &line->trace.proc_all, reader->err);
	case OPTION_TIERS:
		line->tiers = argument;
		return 0;
	case OPTION_TIMEOUT:
		return read_timeout(argument, reader);
	case ARGP_KEY_ARG:
		line->program = options_take_rest(state, &line->program_count);
		return 0;
	case ARGP_KEY_END:
		return check(reader);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int command_line_read(int argc, char **argv, struct command_line *line, struct error *err)
{
	static const struct argp argp = {option_table, read_word, usage, help, NULL, NULL, NULL};
	struct reader reader = {.line = line, .err = err};

	*line = (struct command_line){.hold = TIER_NORMAL, .level = MESSAGE_USUAL};
	return options_parse(&argp, "trace-learn", argc, argv, ARGP_IN_ORDER, &reader, err);
}
