#include "profile/commands.h"

#include <errno.h>
#include <string.h>

#include "base/output.h"
#include "profile/export.h"
#include "profile/profile_file.h"
#include "profile/review_command.h"
#include "profile/show.h"
#include "profile/trust_command.h"
#include "profile/why_command.h"

static int find_show_format(const char *format, bool *json, struct error *err)
{
	*json = format && strcmp(format, "json") == 0;
	if (*json || !format || strcmp(format, "text") == 0)
		return 0;
	return error_set(err, EINVAL, "--format=%s: it can be text or json", format);
}

int command_show(const struct command_arguments *arguments, const struct look *look, struct error *err)
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

int command_why(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	struct why_command why = {.words = arguments->names,
				  .count = (size_t)arguments->name_count,
				  .profile = arguments->profile,
				  .logs = arguments->logs,
				  .log_count = arguments->log_count};

	if (find_show_format(arguments->format, &why.json, err) < 0)
		return -err->number;
	return why_command_run(&why, look, err);
}

int command_export(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	int result = export_command_run(arguments->names[0], arguments->format, look, err);

	return result < 0 ? result : STATUS_FINE;
}

int command_merge(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	struct merge_command merge = arguments->merge;
	int result;

	merge.names = arguments->names;
	merge.count = (size_t)arguments->name_count;
	result = merge_command_run(&merge, look, err);
	return result < 0 ? result : STATUS_FINE;
}

int command_trust(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	return trust_command_run(arguments->names[0], look, err);
}

int command_review(const struct command_arguments *arguments, const struct look *look, struct error *err)
{
	const struct review_command command = {.name = arguments->names[0],
					       .all = arguments->all,
					       .logs = arguments->logs,
					       .log_count = arguments->log_count};

	return review_command_run(&command, look, err);
}
