/* trace-diff: what one profile allows and the other does not. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "base/write_signals.h"
#include "profile/diff_why.h"
#include "profile/look.h"
#include "profile/profile_file.h"

enum { STATUS_SAME, STATUS_DIFFERENT, STATUS_TROUBLE };
enum { KEY_FORMAT_OPTION = 0x100, KEY_FAIL_ON, KEY_WHY };
enum { FAIL_ON_ANY_CHANGE = -1 };

struct arguments {
	bool json;
	int fail_on; /* a tier, or FAIL_ON_ANY_CHANGE */
	const char *names[2];
	int name_count;
	char **logs; /* --why; the strings are borrowed */
	size_t log_count, log_capacity;
	struct error *err;
};

static const char help_text[] =
	"Say how two profiles differ: what NEW allows in addition (+), what only OLD allows (-), and what NEW allows "
	"where OLD allowed less, or says otherwise (~).\n\n"
	"Lines stand under their tiers, protected first. Tiers are computed anew, whatever the headings of the files "
	"say. The order of lines, comments, headings, the spelling of paths and lines that a directory above makes "
	"needless are no difference."
	"\v"
	"For --fail-on, a network line that was gained counts as guarded, and so does a variable that may pass to the "
	"program or gets a new value. A scope or a seccomp word that was gained, an [environment] section that is "
	"gone, a line that left [held] and a lowered `landlock' count as protected.\n\n"
	"Exit status: 0 when the profiles are the same, 1 when they differ (with --fail-on: only when that much was "
	"gained), 2 in trouble: a file that cannot be read or has an error, a wrong option.";

static const struct argp_option diff_options[] = {
	{"format", KEY_FORMAT_OPTION, "text|json", 0, "the form of the output; text unless told otherwise", 0},
	{"fail-on", KEY_FAIL_ON, "TIER", 0,
	 "end with 1 only when something of this tier or above was gained: normal, guarded or protected", 0},
	{"why", KEY_WHY, "LOG", 0,
	 "show for each line that was gained what this audit log of trace-learn tells of it; may be given many times",
	 0},
	{0},
};

static int set_format(struct arguments *arguments, const char *form)
{
	arguments->json = strcmp(form, "json") == 0;
	if (arguments->json || strcmp(form, "text") == 0)
		return 0;
	return -error_set(arguments->err, EINVAL, "--format=%s: it can be text or json", form);
}

static int set_fail_on(struct arguments *arguments, const char *name)
{
	enum tier tier;

	if (tier_read(name, &tier, arguments->err) < 0)
		return -error_context(arguments->err, "--fail-on=%s", name);
	arguments->fail_on = tier;
	return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_FORMAT_OPTION:
		return set_format(arguments, argument);
	case KEY_FAIL_ON:
		return set_fail_on(arguments, argument);
	case KEY_WHY:
		*ARRAY_APPEND(arguments->logs, arguments->log_count, arguments->log_capacity) = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->name_count == 2)
			return ARGP_ERR_UNKNOWN;
		arguments->names[arguments->name_count++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (arguments->name_count == 2)
			return 0;
		return -error_set(arguments->err, EINVAL,
				  "two profiles are needed, OLD and NEW (see trace-diff --help)");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* What is compared, and with what. */
struct comparison {
	struct look look;
	struct profile old, new;
	struct evidence evidence;
	struct diff diff;
};

static void comparison_finish(struct comparison *comparison)
{
	diff_finish(&comparison->diff);
	evidence_finish(&comparison->evidence);
	profile_finish(&comparison->old);
	profile_finish(&comparison->new);
	look_finish(&comparison->look);
}

static int compare(const struct arguments *arguments, struct comparison *comparison, struct error *err)
{
	const struct variables *variables = &comparison->look.variables;

	if (look_init(&comparison->look, err) < 0 ||
	    profile_load(arguments->names[0], variables, &comparison->old, NULL, NULL, err) < 0 ||
	    profile_load(arguments->names[1], variables, &comparison->new, NULL, NULL, err) < 0)
		return -err->number;
	for (size_t i = 0; i < arguments->log_count; i++)
		if (evidence_read(&comparison->evidence, arguments->logs[i], err) < 0)
			return -err->number;
	diff_profiles(&comparison->old, &comparison->new, comparison->look.tiers, &comparison->diff);
	return 0;
}

static int print(const struct arguments *arguments, struct comparison *comparison, struct error *err)
{
	const struct diff_why why = {.evidence = &comparison->evidence, .tiers = comparison->look.tiers};
	const struct diff_why *asked = arguments->log_count ? &why : NULL;

	if (arguments->json)
		diff_print_json(&comparison->diff, asked, arguments->names[0], arguments->names[1], stdout);
	else
		diff_print_text(&comparison->diff, asked, stdout, output_has_colour(stdout));
	return output_finish(stdout, err);
}

static int status_of(const struct arguments *arguments, const struct diff *diff)
{
	bool bad = arguments->fail_on == FAIL_ON_ANY_CHANGE ? diff->count > 0 : diff_gains(diff, arguments->fail_on);

	return bad ? STATUS_DIFFERENT : STATUS_SAME;
}

static int fail(const struct error *err)
{
	message_error(err);
	return STATUS_TROUBLE;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = diff_options, .parser = parse_option, .args_doc = "OLD NEW", .doc = help_text};
	scoped_error err = {0};
	struct arguments arguments = {.fail_on = FAIL_ON_ANY_CHANGE, .err = &err};
	struct comparison comparison = {0};
	int result, status;

	write_signals_ignore(WRITE_SIGNALS_LIMIT);
	message_init("trace-diff", STATUS_TROUBLE);
	result = options_parse(&argp, "trace-diff", argc, argv, 0, &arguments, &err);
	if (result > 0)
		status = output_finish(stdout, &err) < 0 ? fail(&err) : STATUS_SAME;
	else if (result < 0 || compare(&arguments, &comparison, &err) < 0 || print(&arguments, &comparison, &err) < 0)
		status = fail(&err);
	else
		status = status_of(&arguments, &comparison.diff);
	comparison_finish(&comparison);
	free(arguments.logs);
	return status;
}
