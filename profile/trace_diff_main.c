/* trace-diff: what one profile allows and the other does not. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "profile/diff.h"
#include "profile/look.h"
#include "profile/profile_file.h"

enum { STATUS_SAME, STATUS_DIFFERENT, STATUS_TROUBLE };
enum { KEY_FORMAT_OPTION = 0x100, KEY_FAIL_ON };
enum { FAIL_ON_ANY_CHANGE = -1 };

struct arguments {
	bool json;
	int fail_on; /* a tier, or FAIL_ON_ANY_CHANGE */
	const char *names[2];
	int name_count;
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
	{0},
};

static int set_format(struct arguments *arguments, const char *form)
{
	arguments->json = strcmp(form, "json") == 0;
	if (arguments->json || strcmp(form, "text") == 0)
		return 0;
	return -error_set(arguments->err, EINVAL, "--format=%s: the forms are text and json", form);
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

static int compare(const char *const *names, struct diff *diff, struct error *err)
{
	scoped_look look = {0};
	scoped_profile old = {0};
	scoped_profile new = {0};
	int result = look_init(&look, err);

	if (result == 0)
		result = profile_load(names[0], &look.variables, &old, NULL, NULL, err);
	if (result == 0)
		result = profile_load(names[1], &look.variables, &new, NULL, NULL, err);
	if (result == 0)
		diff_profiles(&old, &new, look.tiers, diff);
	return result;
}

static int print(const struct arguments *arguments, const struct diff *diff, struct error *err)
{
	if (arguments->json)
		diff_print_json(diff, arguments->names[0], arguments->names[1], stdout);
	else
		diff_print_text(diff, stdout, output_has_colour(stdout));
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
	struct diff diff = {0};
	int result, status;

	message_init("trace-diff");
	result = options_parse(&argp, "trace-diff", argc, argv, 0, &arguments, &err);
	if (result < 0)
		return fail(&err);
	if (result > 0)
		return output_finish(stdout, &err) < 0 ? fail(&err) : STATUS_SAME;
	if (compare(arguments.names, &diff, &err) < 0 || print(&arguments, &diff, &err) < 0)
		status = fail(&err);
	else
		status = status_of(&arguments, &diff);
	diff_finish(&diff);
	return status;
}
