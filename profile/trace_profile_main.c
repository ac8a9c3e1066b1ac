/* trace-profile: checks, shows, explains, merges, reviews, trusts and exports profiles. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/nearest.h"
#include "base/options.h"
#include "base/output.h"
#include "base/write_signals.h"
#include "profile/check_command.h"
#include "profile/commands.h"
#include "profile/elsewhere.h"
#include "profile/profile_name.h"

enum { KEY_FORMAT_OPTION = 0x100, KEY_MIN_SEEN, KEY_ALL, KEY_LOG };

/* Its own options, and what it does: exit status, or -errno with err set. */
struct command {
	const char *name, *full_name;
	const char *operands;
	int most_operands;
	const struct argp_option *options;
	const char *help;
	command_fn *run;
};

struct parsing {
	const struct command *command;
	struct command_arguments arguments;
	struct error *err;
};

static int run_check(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	int status = STATUS_FINE;

	(void)err;
	for (int i = 0; i < arguments->name_count; i++) {
		scoped_error trouble = {0};
		int of_file = check_command_run(arguments->names[i], look, &trouble);

		if (of_file < 0) {
			message_error(&trouble);
			of_file = STATUS_TROUBLE;
		}
		status = of_file > status ? of_file : status;
	}
	return status;
}

/* Known only to say what to write instead. */
#define PROFILE_IS_OPERAND                                                                                             \
	{                                                                                                              \
		"profile", 'p', "FILE", OPTION_HIDDEN, NULL, 0                                                         \
	}

static const struct argp_option no_options[] = {PROFILE_IS_OPERAND, {0}};

static const struct argp_option show_options[] = {
	PROFILE_IS_OPERAND,
	{"format", KEY_FORMAT_OPTION, "text|json", 0, "the form of the output; text unless told otherwise", 0},
	{0},
};

static const struct argp_option why_options[] = {
	{"log", KEY_LOG, "LOG", 0, "an audit log of trace-learn to answer from; may be given many times", 0},
	{"profile", 'p', "FILE", 0, "the profile that is asked whether it allows that", 0},
	{"format", KEY_FORMAT_OPTION, "text|json", 0, "the form of the output; text unless told otherwise", 0},
	{0},
};

static const struct argp_option export_options[] = {
	PROFILE_IS_OPERAND,
	{"format", KEY_FORMAT_OPTION, "bwrap|systemd", 0, "the form of the output; there is no default", 0},
	{0},
};

static const struct argp_option merge_options[] = {
	PROFILE_IS_OPERAND,
	{"output", 'o', "FILE", 0, "write the profile there; - is standard output, which is the default", 0},
	{"force", 'f', NULL, 0, "replace a profile that is there", 0},
	{"min-seen", KEY_MIN_SEEN, "K", 0,
	 "take a right only if K of the profiles allow it; what is held or has a comment stays", 0},
	{0},
};

static const struct argp_option review_options[] = {
	PROFILE_IS_OPERAND,
	{"all", KEY_ALL, NULL, 0, "ask about every line: normal ones, and those that let in nothing by themselves", 0},
	{"log", KEY_LOG, "LOG", 0, "an audit log of trace-learn to explain lines from; may be given many times", 0},
	{0},
};

static const struct command commands[] = {
	{"check", "trace-profile check", "FILE...", INT_MAX, no_options,
	 "Say what is wrong with profiles, a finding a line, as FILE:LINE: LEVEL: TEXT."
	 "\v"
	 "error: the file cannot be read as a profile; a line under a heading below its tier; a held line that "
	 "another one allows all the same; a move that the grants are not closed over.\n"
	 "warning: a path that does not exist, or with a symbolic link on the way that is not followed; a right that "
	 "its object cannot have or that this kernel cannot enforce; a program that may not be executed; a profile "
	 "that the program may change.\n"
	 "incomplete: what can make a confined run differ from the session.\n"
	 "note: a line that can go or be written better; it does not count for the status.\n\n"
	 "Exit status: 0 nothing but notes, 1 findings, 2 trouble: a file that cannot be opened, a wrong option.",
	 run_check},
	{"show", "trace-profile show", "FILE", 1, show_options,
	 "Show what a profile allows: its files as a tree, with the rights on each and tiers above normal in front, "
	 "then "
	 "ports, scopes, environment, and what is kept but not enforced. Tiers are computed anew, whatever the "
	 "headings say. A path that ends in /** reaches everything beneath it."
	 "\v"
	 "Exit status: 0, or 2 in trouble.",
	 command_show},
	{"why", "trace-profile why", "QUESTION...", INT_MAX, why_options,
	 "Say whether a profile allows something, by which lines, or which line is to be added; and, from audit logs, "
	 "who did it, how often, and by which rule it was granted. A QUESTION is a PATH; RIGHT[,RIGHT...] and a PATH "
	 "(or a port); a line of a profile in one word, such as 'read_file /etc/hosts' or 'allow = signal'; or "
	 "FILE:NUMBER, a line of the profile FILE, which is then the one that is asked."
	 "\v"
	 "Exit status: 0 the profile allows it, or, where only logs were asked, they tell of it; 1 not; 2 trouble.",
	 command_why},
	{"merge", "trace-profile merge", "FILE...", INT_MAX, merge_options,
	 "Make one profile of many: all that one of them grants, under headings of the computed tiers. The order of "
	 "the files does not count. What is held in one of them stays held, with what would let it in; moves are "
	 "closed again; comments, spellings, environment and seccomp lines are kept."
	 "\v"
	 "Exit status: 0, or 2 in trouble: then nothing was written.",
	 command_merge},
	{"review", "trace-profile review", "FILE", 1, review_options,
	 "Ask on the terminal about each line of a profile that is above normal, or held: grant it, hold it, drop it, "
	 "or widen it to the directory above; one key each, ? shows them. Answers can be taken back, and the change "
	 "can be seen; nothing is written before it is saved."
	 "\v"
	 "Exit status: 0 saved, or nothing to ask; 1 left without saving; 2 trouble, such as no terminal: then nothing "
	 "was changed.",
	 command_review},
	{"trust", "trace-profile trust", "FILE", 1, no_options,
	 "Show a profile, or a tiers file, and enter the SHA-256 of the very bytes that were shown in the list of what "
	 "a person let in. trace-run asks for this when a profile lets its program change the profile, or the tiers "
	 "file in use."
	 "\v"
	 "The list is $XDG_STATE_HOME/trace-learn/trusted (~/.local/state/trace-learn/trusted).\n\n"
	 "Exit status: 0, or 2 in trouble: then nothing was entered.",
	 command_trust},
	{"export", "trace-profile export", "FILE", 1, export_options,
	 "Write a profile as a bash script that starts bubblewrap, or as a service unit of systemd, as far as these "
	 "can "
	 "say it. What is wider there, or not carried over, stands in comments at the top of the output."
	 "\v"
	 "Exit status: 0, or 2 in trouble.",
	 command_export},
};

static int set_output(struct parsing *parsing, const char *name)
{
	parsing->arguments.merge.output = name;
	return *name ? 0 : -error_set(parsing->err, EINVAL, "the name of the profile is empty");
}

static int set_min_seen(struct parsing *parsing, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	parsing->arguments.merge.min_seen = number;
	if (*text >= '1' && *text <= '9' && !*end && number <= INT_MAX)
		return 0;
	return -error_set(parsing->err, EINVAL, "--min-seen=%s: give a number of profiles, from 1 on", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct command_arguments *arguments = &parsing->arguments;

	switch (key) {
	case KEY_FORMAT_OPTION:
		arguments->format = argument;
		return 0;
	case KEY_MIN_SEEN:
		return set_min_seen(parsing, argument);
	case KEY_LOG:
		*ARRAY_APPEND(arguments->logs, arguments->log_count, arguments->log_capacity) = argument;
		return 0;
	case 'p':
		if (parsing->command->run != command_why)
			return -error_set(parsing->err, EINVAL, "-p: here the file stands without an option: %s %s",
					  parsing->command->full_name, argument);
		if (arguments->profile)
			return -profile_named_twice("-p", arguments->profile, argument, parsing->err);
		arguments->profile = argument;
		return 0;
	case KEY_ALL:
		arguments->all = true;
		return 0;
	case 'o':
		return set_output(parsing, argument);
	case 'f':
		arguments->merge.force = true;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->name_count == parsing->command->most_operands)
			return ARGP_ERR_UNKNOWN;
		if (!arguments->name_count++)
			arguments->names = state->argv + state->next - 1;
		return 0;
	case ARGP_KEY_NO_ARGS:
		return -error_set(parsing->err, EINVAL, "which %s? (see %s --help)",
				  parsing->command->run == command_why ? "path or line" : "file",
				  parsing->command->full_name);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The status, or -errno with err set. */
static int run_command(const struct command *command, int argc, char **argv, struct error *err)
{
	const struct argp argp = {.options = command->options,
				  .parser = parse_option,
				  .args_doc = command->operands,
				  .doc = command->help};
	struct parsing parsing = {.command = command, .err = err};
	scoped_look look = {0};
	int result = options_parse(&argp, command->full_name, argc, argv, 0, &parsing, err);

	if (result == 0)
		result = look_init(&look, err) < 0 ? -err->number : command->run(&parsing.arguments, &look, err);
	else if (result > 0)
		result = STATUS_FINE;
	free(parsing.arguments.logs);
	return result;
}

/* The command line up to the command. */
struct beginning {
	char *command;
	char **words; /* the command and what follows */
	int word_count;
	struct error *err;
};

static error_t parse_beginning(int key, char *argument, struct argp_state *state)
{
	struct beginning *beginning = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		beginning->command = argument;
		beginning->words = options_take_rest(state, &beginning->word_count);
		return 0;
	case ARGP_KEY_NO_ARGS:
		return -error_set(
			beginning->err, EINVAL,
			"which command? check, show, why, merge, review, trust or export (see trace-profile --help)");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool has_option(const struct command *command, const char *word)
{
	size_t length = strcspn(word, "=");

	for (const struct argp_option *option = command->options; option->name || option->key; option++)
		if (word[1] == '-' ? option->name && strlen(option->name) == length - 2 &&
					     !strncmp(option->name, word + 2, length - 2)
				   : option->key == word[1])
			return true;
	return false;
}

/* What is known of an option in front of the command that it belongs to. */
static void explain_option(int argc, char **argv, struct error *err)
{
	for (int i = 2; i < argc && argv[1][0] == '-' && argv[1][1]; i++)
		for (size_t j = 0; j < ARRAY_LENGTH(commands); j++)
			if (strcmp(commands[j].name, argv[i]) == 0 && has_option(&commands[j], argv[1])) {
				error_finish(err);
				error_set(err, EINVAL, "%s: the options of %s stand behind it (see %s --help)", argv[1],
					  argv[i], commands[j].full_name);
				return;
			}
}

static int find_and_run(const struct beginning *beginning, struct error *err)
{
	const char *names[ARRAY_LENGTH(commands)];
	const char *nearest;

	for (size_t i = 0; i < ARRAY_LENGTH(commands); names[i] = commands[i].name, i++)
		if (strcmp(commands[i].name, beginning->command) == 0)
			return run_command(&commands[i], beginning->word_count, beginning->words, err);
	if (elsewhere_command(beginning->command))
		return error_set(err, EINVAL, "%s: that is a command of its own: %s", beginning->command,
				 elsewhere_command(beginning->command));
	nearest = nearest_name(beginning->command, strlen(beginning->command), names, ARRAY_LENGTH(names));
	return error_set(err, EINVAL,
			 "%s: no such command%s%s; there are check, show, why, merge, review, trust and export (see "
			 "trace-profile --help)",
			 beginning->command, nearest ? ", perhaps " : "", nearest ? nearest : "");
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_beginning,
		.args_doc = "COMMAND [FILE...]",
		.doc = "Check, show, explain, merge, review, trust and export profiles."
		       "\v"
		       "Commands:\n"
		       "  check FILE...   say what is wrong with profiles\n"
		       "  show FILE       show what a profile allows\n"
		       "  why QUESTION    say whether and why something is allowed\n"
		       "  merge FILE...   make one profile of many\n"
		       "  review FILE     ask about each line that deserves a look\n"
		       "  trust FILE      show a profile or tiers file and let its bytes in\n"
		       "  export FILE     write a profile for bubblewrap or systemd\n\n"
		       "trace-profile COMMAND --help says more.",
	};
	scoped_error err = {0};
	struct beginning beginning = {.err = &err};
	int status;

	write_signals_ignore(WRITE_SIGNALS_LIMIT);
	message_init("trace-profile", STATUS_TROUBLE);
	status = options_parse(&argp, "trace-profile", argc, argv, ARGP_IN_ORDER, &beginning, &err);
	if (status == 0)
		status = find_and_run(&beginning, &err);
	else if (status > 0)
		status = STATUS_FINE;
	else
		explain_option(argc, argv, &err);
	if (status >= 0 && output_finish(stdout, &err) < 0)
		status = -err.number;
	if (status >= 0)
		return status;
	message_error(&err);
	return STATUS_TROUBLE;
}
