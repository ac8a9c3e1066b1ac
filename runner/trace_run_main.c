/* trace-run: runs a program with what its profile grants, and nothing else. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/nearest.h"
#include "base/options.h"
#include "base/output.h"
#include "base/shell.h"
#include "base/write_signals.h"
#include "profile/profile_name.h"
#include "runner/doctor.h"
#include "runner/launch.h"
#include "runner/start.h"
#include "tracer/trace_confined.h"

enum {
	KEY_PRINT = 0x100,
	KEY_BEST_EFFORT,
	KEY_ALLOW_WRITABLE,
	KEY_DROP_CAPS,
	KEY_TIMEOUT,
	KEY_APPLY,
	KEY_REPORT,
	KEY_VERIFY
};

static const struct argp_option option_table[] = {
	{"profile", 'p', "FILE", 0, "the profile to enforce", 0},
	{"explain", 'e', NULL, 0, "say at the end what was denied, and which lines would allow it", 0},
	{"no-enforcement", 'n', NULL, 0, "enforce nothing, and say at the end what would have been denied", 0},
	{"apply", KEY_APPLY, "FILE", 0,
	 "with -e or -n: write the profile with those lines to FILE (it may be the profile itself); what is above "
	 "normal or "
	 "on a directory is held",
	 0},
	{"format", KEY_REPORT, "text|json", 0,
	 "of what -e, -n and --verify say; of -e and -n json is one line on stderr", 0},
	{"log", 'l', "LOG", 0, "with -e or -n: write what the program did, and what came of it, to LOG, a new file", 0},
	{"quiet", 'q', NULL, 0, "errors, warnings and what was asked for only", 0},
	{"print", KEY_PRINT, NULL, 0, "show what would be enforced on this kernel, and start nothing", 0},
	{"verify", KEY_VERIFY, NULL, 0,
	 "prove from inside that each control is in force, print declared against observed, and start no program", 0},
	{"best-effort", KEY_BEST_EFFORT, NULL, 0,
	 "start also on a kernel below the profile's Landlock ABI, and say what is then not enforced; never without "
	 "Landlock",
	 0},
	{"allow-writable-profile", KEY_ALLOW_WRITABLE, NULL, 0,
	 "start also when the profile lets the program change the profile itself, and nobody has let its bytes in", 0},
	{"drop-caps", KEY_DROP_CAPS, NULL, 0, "give up all capabilities before the program starts", 0},
	{"timeout", KEY_TIMEOUT, "SECONDS", 0, "end the program after that time, with status 124", 0},
	{0},
};

static const char usage[] = "-p FILE [--] [PROGRAM [ARGUMENT...]]\n-p FILE --print\n-p FILE --verify\ndoctor";

static const char help[] =
	"Runs PROGRAM (or the one that the profile names) with what the profile grants, enforced by the kernel's "
	"Landlock, and nothing else. Either every control that the profile demands is in force, or nothing is started."
	"\v"
	"\"trace-run doctor\" says what this kernel, container and user can do. The exit status is the program's, or "
	"124 "
	"after --timeout, 125 when we fail, 126 when the program cannot be executed, 127 when it is not found. "
	"See trace-run(1).";

struct command {
	struct start_options start;
	struct error *err;
};

static int read_timeout(const char *text, struct command *command)
{
	char *end;
	unsigned long seconds = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !seconds || seconds > INT_MAX)
		return -error_set(command->err, EINVAL, "--timeout=%s: give whole seconds, from 1 on", text);
	command->start.timeout = (unsigned)seconds;
	return 0;
}

static int read_format(const char *text, struct command *command)
{
	if (strcmp(text, "text") != 0 && strcmp(text, "json") != 0)
		return -error_set(command->err, EINVAL, "--format=%s: it can be text or json", text);
	command->start.json = *text == 'j';
	return 0;
}

/* The one command beside a program's name; a mistyped one is taken for such. */
static bool may_be_doctor(char *const *program)
{
	static const char *const known[] = {"doctor"};
	scoped_free char *meant = program ? nearest_help(*program, strlen(*program), known, 1) : NULL;

	return meant && strncmp(meant, ", perhaps", strlen(", perhaps")) == 0;
}

static error_t refuse_without_profile(const struct command *command)
{
	char *const *program = command->start.program;

	if (may_be_doctor(program))
		return -error_set(
			command->err, EINVAL,
			"no profile to run %s under: name one with -p FILE; or was \"trace-run doctor\" meant? "
			"(see trace-run --help)",
			*program);
	if (program && may_be_profile(*program)) {
		scoped_free char *name = shell_file(*program);

		return -error_set(command->err, EINVAL,
				  "no profile: name one with -p FILE; was \"-p %s\" meant? (see trace-run --help)",
				  name);
	}
	for (size_t i = 1; program && program[0] && program[i]; i++)
		if (!strcmp(program[i], "-p"))
			return -error_set(
				command->err, EINVAL,
				"no profile: -p behind %s is an option of that program; name the profile before it "
				"(see trace-run --help)",
				program[0]);
	return -error_set(command->err, EINVAL, "no profile: name one with -p FILE (see trace-run --help)");
}

static int check(const struct command *command)
{
	const struct start_options *start = &command->start;

	if (!start->profile)
		return refuse_without_profile(command);
	if (start->explain && start->only_look)
		return -error_set(command->err, EINVAL, "-e and -n: one of them, since -n enforces nothing");
	if (start->verify && (start->explain || start->only_look || start->print || start->program))
		return -error_set(command->err, EINVAL,
				  "--verify starts no program: name none, and leave out -e, -n and --print");
	if (start->explain || start->only_look)
		return 0;
	if (start->apply)
		return -error_set(command->err, EINVAL, "--apply is of use with -e or -n only");
	if (start->log)
		return -error_set(command->err, EINVAL,
				  "-l is of use with -e or -n only: nobody sees what it does else");
	if (start->json && !start->verify)
		return -error_set(command->err, EINVAL, "--format=json is of use with -e, -n or --verify only");
	return 0;
}

static error_t read_option(int key, char *argument, struct argp_state *state)
{
	struct command *command = state->input;
	int count;

	switch (key) {
	case 'p':
		if (command->start.profile)
			return -profile_named_twice("-p", command->start.profile, argument, command->err);
		command->start.profile = argument;
		return 0;
	case 'e':
		command->start.explain = true;
		return 0;
	case 'n':
		command->start.only_look = true;
		return 0;
	case 'l':
		command->start.log = argument;
		return 0;
	case 'q':
		message_set_level(MESSAGE_QUIET);
		return 0;
	case KEY_VERIFY:
		command->start.verify = true;
		return 0;
	case KEY_APPLY:
		command->start.apply = argument;
		return 0;
	case KEY_REPORT:
		return read_format(argument, command);
	case KEY_PRINT:
		command->start.print = true;
		return 0;
	case KEY_BEST_EFFORT:
		command->start.best_effort = true;
		return 0;
	case KEY_ALLOW_WRITABLE:
		command->start.allow_writable = true;
		return 0;
	case KEY_DROP_CAPS:
		command->start.drop_caps = true;
		return 0;
	case KEY_TIMEOUT:
		return read_timeout(argument, command);
	case ARGP_KEY_ARG:
		command->start.program = options_take_rest(state, &count);
		return 0;
	case ARGP_KEY_END:
		return check(command);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run_doctor(struct error *err)
{
	int status = doctor_report(stdout);

	return output_finish(stdout, err) < 0 ? STATUS_FAILURE : status;
}

static int run(int argc, char **argv, struct error *err)
{
	const struct argp argp = {option_table, read_option, usage, help, NULL, NULL, NULL};
	struct command command = {.start.trace = trace_confined, .err = err};
	int result;

	if (argc >= 2 && strcmp(argv[1], "doctor") == 0) {
		if (argc == 2)
			return run_doctor(err);
		if (argc == 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-?") == 0))
			return options_parse(&argp, "trace-run", argc - 1, argv + 1, ARGP_IN_ORDER, &command, err) < 0
				       ? STATUS_FAILURE
				       : 0;
		error_set(err, EINVAL, "%s: doctor takes nothing else (see trace-run --help)", argv[2]);
		return STATUS_FAILURE;
	}
	result = options_parse(&argp, "trace-run", argc, argv, ARGP_IN_ORDER, &command, err);
	if (result != 0)
		return result < 0 ? STATUS_FAILURE : 0;
	return start_run(&command.start, err);
}

int main(int argc, char **argv)
{
	struct error err = {0};
	int status;

	write_signals_ignore(WRITE_SIGNALS_ALL);
	message_init("trace-run", STATUS_FAILURE);
	status = run(argc, argv, &err);
	if (err.number)
		message_error(&err);
	error_finish(&err);
	return status;
}
