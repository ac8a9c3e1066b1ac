/* trace-profile: checks, shows, merges, trusts and exports profiles. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "profile/check.h"
#include "profile/export.h"
#include "profile/landlock_abi.h"
#include "profile/look.h"
#include "profile/merge_command.h"
#include "profile/profile_file.h"
#include "profile/show.h"
#include "profile/trust.h"

/* As diff(1) and grep(1) have it. */
enum { STATUS_FINE, STATUS_FINDINGS, STATUS_TROUBLE };
enum { KEY_FORMAT_OPTION = 0x100, KEY_MIN_SEEN };

#define FILE_BYTES_LIMIT (64UL << 20)

struct arguments {
	const struct command *command;
	const char *format;	    /* --format, NULL when it is not given */
	struct merge_command merge; /* its options */
	char **names;		    /* operands, borrowed */
	int name_count;
	struct error *err;
};

/* Its own options, and what it does: exit status, or -errno with err set. */
struct command {
	const char *name, *full_name;
	const char *operands;
	int most_operands;
	const struct argp_option *options;
	const char *help;
	int (*run)(const struct arguments *arguments, const struct look *look, struct error *err);
};

/* An error of the reader, "name:line: text", as a finding like any other. */
static void add_refusal(struct check *check, const char *name, const struct error *err)
{
	size_t length = strlen(name);
	const char *text = err->message;
	char *end = NULL;
	unsigned line = 0;

	if (strncmp(text, name, length) == 0 && text[length] == ':') {
		line = (unsigned)strtoul(text + length + 1, &end, 10);
		text = end && *end == ':' ? end + 1 : text + length + 1;
		text += *text == ' ';
	}
	check_add(check, FINDING_ERROR, line, "%s", text);
}

static void check_profile(struct check *check, struct profile *profile, const struct look *look, const char *name,
			  const char *sha256)
{
	check_lines(check, profile, look->tiers);
	check_kernel(check, profile, landlock_abi());
	check_paths(check, profile);
	check_own_file(check, profile, name, sha256);
}

static int check_file(const char *name, const struct look *look)
{
	char sha256[HASH_TEXT_SIZE];
	scoped_profile profile = {0};
	struct check check = {0};
	scoped_error err = {0};
	int result = profile_load(name, &look->variables, &profile, sha256, NULL, &err);
	int status;

	if (result < 0 && result != -EINVAL) {
		message_error(&err);
		return STATUS_TROUBLE;
	}
	if (result < 0)
		add_refusal(&check, name, &err);
	else
		check_profile(&check, &profile, look, name, sha256);
	status = check_passes(&check) ? STATUS_FINE : STATUS_FINDINGS;
	check_print(&check, name, stdout, output_has_colour(stdout));
	check_finish(&check);
	return status;
}

static int run_check(const struct arguments *arguments, const struct look *look, struct error *err)
{
	int status = STATUS_FINE;

	(void)err;
	for (int i = 0; i < arguments->name_count; i++) {
		int of_file = check_file(arguments->names[i], look);

		status = of_file > status ? of_file : status;
	}
	return status;
}

static int find_show_format(const char *format, bool *json, struct error *err)
{
	*json = format && strcmp(format, "json") == 0;
	if (*json || !format || strcmp(format, "text") == 0)
		return 0;
	return error_set(err, EINVAL, "--format=%s: the forms are text and json", format);
}

static int run_show(const struct arguments *arguments, const struct look *look, struct error *err)
{
	const char *name = arguments->names[0];
	scoped_profile profile = {0};
	bool json = false;
	int result = find_show_format(arguments->format, &json, err);

	if (result == 0)
		result = profile_load(name, &look->variables, &profile, NULL, NULL, err);
	if (result < 0)
		return result;
	if (json)
		show_json(&profile, look->tiers, name, stdout);
	else
		show_text(&profile, look->tiers, name, stdout, output_has_colour(stdout));
	return STATUS_FINE;
}

static int run_export(const struct arguments *arguments, const struct look *look, struct error *err)
{
	int result = export_command_run(arguments->names[0], arguments->format, look, err);

	return result < 0 ? result : STATUS_FINE;
}

/* The whole file, or NULL with err set. The caller frees. */
static char *read_bytes(const char *name, size_t *length, struct error *err)
{
	scoped_fd fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *data = NULL;

	if (fd < 0)
		error_set_errno(err, errno, "%s", name);
	else if (read_file(fd, FILE_BYTES_LIMIT, &data, length, err) < 0)
		error_context(err, "%s", name);
	return data;
}

static int run_merge(const struct arguments *arguments, const struct look *look, struct error *err)
{
	struct merge_command merge = arguments->merge;
	int result;

	merge.names = arguments->names;
	merge.count = (size_t)arguments->name_count;
	result = merge_command_run(&merge, look, err);
	return result < 0 ? result : STATUS_FINE;
}

static void show_lines(char *text)
{
	char *rest = text;

	for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (rest || *line)
			print_line(stdout, "%s", line);
}

/* Shows a profile, or a tiers file line by line; what cannot be read as either is not to be trusted. */
static int show_bytes(const char *name, char *text, size_t length, const struct look *look, struct error *err)
{
	bool is_profile = strncmp(text, "[profile]", 9) == 0 || strstr(text, "\n[profile]");
	scoped_profile profile = {0};
	struct tiers *tiers = NULL;
	int result;

	if (is_profile) {
		result = profile_read_text(text, length, name, &look->variables, &profile, err);
		if (result == 0)
			show_text(&profile, look->tiers, name, stdout, output_has_colour(stdout));
		return result;
	}
	result = tiers_read_text(text, length, name, &look->variables, &tiers, err);
	if (result == 0)
		show_lines(text);
	tiers_destroy(tiers);
	return result;
}

/* What could not be shown is not let in. */
static int run_trust(const struct arguments *arguments, const struct look *look, struct error *err)
{
	const char *name = arguments->names[0];
	size_t length = 0;
	scoped_free char *text = read_bytes(name, &length, err);
	scoped_free char *real = realpath(name, NULL);
	char sha256[HASH_TEXT_SIZE];

	if (!text)
		return -err->number;
	if (!real)
		return error_set_errno(err, errno, "%s: only a file with a name can be trusted", name);
	hash_text(text, length, sha256);
	if (show_bytes(name, text, length, look, err) < 0 || output_finish(stdout, err) < 0 ||
	    trust_add(sha256, real, err) < 0)
		return -err->number;
	message("%s: trusted in these bytes and at this place (SHA-256 %s)", name, sha256);
	return STATUS_FINE;
}

static const struct argp_option show_options[] = {
	{"format", KEY_FORMAT_OPTION, "text|json", 0, "the form of the output; text unless told otherwise", 0},
	{0},
};

static const struct argp_option export_options[] = {
	{"format", KEY_FORMAT_OPTION, "bwrap|systemd", 0, "the form of the output; there is no default", 0},
	{0},
};

static const struct argp_option merge_options[] = {
	{"output", 'o', "FILE", 0, "write the profile there; - is standard output, which is the default", 0},
	{"force", 'f', NULL, 0, "replace a profile that is there", 0},
	{"min-seen", KEY_MIN_SEEN, "K", 0,
	 "take a right only if K of the profiles allow it; what is held or has a comment stays", 0},
	{0},
};

static const struct command commands[] = {
	{"check", "trace-profile check", "FILE...", INT_MAX, NULL,
	 "Say what is wrong with profiles, a finding a line, as FILE:LINE: LEVEL: TEXT."
	 "\v"
	 "error: the file cannot be read as a profile; a line under a heading below its tier; a held line that "
	 "another one allows all the same.\n"
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
	 run_show},
	{"merge", "trace-profile merge", "FILE...", INT_MAX, merge_options,
	 "Make one profile of many: all that one of them grants, under headings of the computed tiers. The order of "
	 "the files does not count. What is held in one of them stays held, with what would let it in; moves are "
	 "closed again; comments, spellings, environment and seccomp lines are kept."
	 "\v"
	 "Exit status: 0, or 2 in trouble: then nothing was written.",
	 run_merge},
	{"trust", "trace-profile trust", "FILE", 1, NULL,
	 "Show a profile, or a tiers file, and enter the SHA-256 of the very bytes that were shown in the list of what "
	 "a person let in. trace-run asks for this when a profile lets its program change the profile, or the tiers "
	 "file in use."
	 "\v"
	 "The list is $XDG_STATE_HOME/trace-learn/trusted (~/.local/state/trace-learn/trusted).\n\n"
	 "Exit status: 0, or 2 in trouble: then nothing was entered.",
	 run_trust},
	{"export", "trace-profile export", "FILE", 1, export_options,
	 "Write a profile as a bash script that starts bubblewrap, or as a service unit of systemd, as far as these "
	 "can "
	 "say it. What is wider there, or not carried over, stands in comments at the top of the output."
	 "\v"
	 "Exit status: 0, or 2 in trouble.",
	 run_export},
};

static int set_output(struct arguments *arguments, const char *name)
{
	arguments->merge.output = name;
	return *name ? 0 : -error_set(arguments->err, EINVAL, "the name of the profile is empty");
}

static int set_min_seen(struct arguments *arguments, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	arguments->merge.min_seen = number;
	if (*text >= '1' && *text <= '9' && !*end && number <= INT_MAX)
		return 0;
	return -error_set(arguments->err, EINVAL, "--min-seen=%s: give a number of profiles, from 1 on", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_FORMAT_OPTION:
		arguments->format = argument;
		return 0;
	case KEY_MIN_SEEN:
		return set_min_seen(arguments, argument);
	case 'o':
		return set_output(arguments, argument);
	case 'f':
		arguments->merge.force = true;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->name_count == arguments->command->most_operands)
			return ARGP_ERR_UNKNOWN;
		if (!arguments->name_count++)
			arguments->names = state->argv + state->next - 1;
		return 0;
	case ARGP_KEY_NO_ARGS:
		return -error_set(arguments->err, EINVAL, "which file? (see %s --help)", arguments->command->full_name);
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
	struct arguments arguments = {.command = command, .err = err};
	scoped_look look = {0};
	int result = options_parse(&argp, command->full_name, argc, argv, 0, &arguments, err);

	if (result != 0)
		return result < 0 ? result : STATUS_FINE;
	if (look_init(&look, err) < 0)
		return -err->number;
	return command->run(&arguments, &look, err);
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
		return -error_set(beginning->err, EINVAL,
				  "which command? check, show, merge, trust or export (see trace-profile --help)");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int find_and_run(const struct beginning *beginning, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LENGTH(commands); i++)
		if (strcmp(commands[i].name, beginning->command) == 0)
			return run_command(&commands[i], beginning->word_count, beginning->words, err);
	return error_set(
		err, EINVAL,
		"%s: no such command; there are check, show, merge, trust and export (see trace-profile --help)",
		beginning->command);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_beginning,
		.args_doc = "COMMAND [FILE...]",
		.doc = "Check, show, merge, trust and export profiles."
		       "\v"
		       "Commands:\n"
		       "  check FILE...   say what is wrong with profiles\n"
		       "  show FILE       show what a profile allows\n"
		       "  merge FILE...   make one profile of many\n"
		       "  trust FILE      show a profile or tiers file and let its bytes in\n"
		       "  export FILE     write a profile for bubblewrap or systemd\n\n"
		       "trace-profile COMMAND --help says more.",
	};
	scoped_error err = {0};
	struct beginning beginning = {.err = &err};
	int status;

	message_init("trace-profile");
	status = options_parse(&argp, "trace-profile", argc, argv, ARGP_IN_ORDER, &beginning, &err);
	if (status == 0)
		status = find_and_run(&beginning, &err);
	else if (status > 0)
		status = STATUS_FINE;
	if (status >= 0 && output_finish(stdout, &err) < 0)
		status = -err.number;
	if (status >= 0)
		return status;
	message_error(&err);
	return STATUS_TROUBLE;
}
