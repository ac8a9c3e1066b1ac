#include "profile/check_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "profile/check.h"
#include "profile/landlock_abi.h"
#include "profile/profile_file.h"

#define REFUSALS_SHOWN 100

struct refused {
	struct check *check;
	const char *name;
	size_t count;
	unsigned line; /* of the first that is not shown */
};

/* An error of the reader, "name:line: text", as a finding like any other. */
static void add_refusal(void *data, const struct error *err)
{
	struct refused *refused = data;
	struct check *check = refused->check;
	const char *name = refused->name, *text = err->message;
	size_t length = strlen(name);
	char *end = NULL;
	unsigned line = 0;

	if (strncmp(text, name, length) == 0 && text[length] == ':') {
		line = (unsigned)strtoul(text + length + 1, &end, 10);
		text = end && *end == ':' ? end + 1 : text + length + 1;
		text += *text == ' ';
	}
	if (++refused->count <= REFUSALS_SHOWN)
		check_add(check, FINDING_ERROR, line, "%s", text);
	else if (!refused->line)
		refused->line = line;
}

/* Every line that is refused; where nothing could be read, why not. */
static void add_refusals(struct check *check, const char *name, const struct look *look, const struct buffer *bytes,
			 const struct error *why)
{
	struct refused refused = {.check = check, .name = name};
	struct ini_refusals refusals = {.fn = add_refusal, .data = &refused};

	if (!bytes->data) {
		add_refusal(&refused, why);
		return;
	}
	profile_refusals(bytes->data, bytes->length, name, &look->variables, &refusals);
	if (refused.count > REFUSALS_SHOWN)
		check_add(check, FINDING_ERROR, refused.line, "and so on: %zu more", refused.count - REFUSALS_SHOWN);
}

/* As trace-run would start it. */
static void check_start(struct check *check, const struct profile *profile, const struct look *look, const char *name,
			const struct buffer *bytes, const struct stat *status)
{
	struct reach reach;

	reach_init(&reach, profile);
	check_files(check,
		    &(struct profile_gate){
			    .file = name, .status = status, .bytes = bytes, .reach = &reach, .tiers = look->tiers});
	reach_finish(&reach);
}

static void check_profile(struct check *check, struct profile *profile, const struct look *look, const char *name,
			  const struct buffer *bytes, const struct stat *status)
{
	check_lines(check, profile, look->tiers);
	check_kernel(check, profile, landlock_abi());
	check_paths(check, profile);
	check_start(check, profile, look, name, bytes, status);
}

int check_command_run(const char *name, const struct look *look, struct error *err)
{
	scoped_profile profile = {0};
	struct check check = {0};
	struct stat status = {0};
	scoped_error refusal = {0};
	scoped_buffer bytes = {0};
	int result = profile_load_bytes(name, &look->variables, &profile, &bytes, &status, &refusal);
	bool passes;

	if (result < 0 && result != -EINVAL) {
		*err = refusal;
		refusal = (struct error){0};
		return result;
	}
	if (result < 0) {
		add_refusals(&check, name, look, &bytes, &refusal);
	} else {
		check_profile(&check, &profile, look, name, &bytes, &status);
	}
	passes = check_passes(&check);
	check_print(&check, name, stdout, output_has_colour(stdout));
	check_finish(&check);
	return passes ? 0 : 1;
}
