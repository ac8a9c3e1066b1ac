#include "profile/export.h"

#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "profile/export_plan.h"
#include "profile/profile_file.h"

static int find_format(const char *name, enum export_format *format, struct error *err)
{
	if (name && strcmp(name, "bwrap") == 0)
		*format = EXPORT_BWRAP;
	else if (name && strcmp(name, "systemd") == 0)
		*format = EXPORT_SYSTEMD;
	else if (name)
		return error_set(err, EINVAL, "--format=%s: it can be bwrap or systemd", name);
	else
		return error_set(err, EINVAL, "which form? give --format=bwrap or --format=systemd");
	return 0;
}

/* Returns how many things are wider, or not carried over. */
static size_t write_as(const struct profile *profile, enum export_format format, FILE *out)
{
	scoped_export_plan plan;

	export_plan_make(&plan, profile);
	export_note_common(&plan);
	if (format == EXPORT_BWRAP)
		export_write_bwrap(&plan, out);
	else
		export_write_systemd(&plan, out);
	return plan.note_count;
}

int export_command_run(const char *name, const char *format, const struct look *look, struct error *err)
{
	scoped_profile profile = {0};
	enum export_format found = EXPORT_BWRAP;
	size_t notes;

	if (find_format(format, &found, err) < 0 || profile_load(name, &look->variables, &profile, NULL, NULL, err) < 0)
		return -err->number;
	notes = write_as(&profile, found, stdout);
	message("%s: %zu things are wider than in the profile, or not carried over; the output begins with them", name,
		notes);
	return 0;
}
