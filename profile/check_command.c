#include "profile/check_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/output.h"
#include "profile/check.h"
#include "profile/landlock_abi.h"
#include "profile/profile_file.h"

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

int check_command_run(const char *name, const struct look *look, struct error *err)
{
	char sha256[HASH_TEXT_SIZE];
	scoped_profile profile = {0};
	struct check check = {0};
	scoped_error refusal = {0};
	int result = profile_load(name, &look->variables, &profile, sha256, NULL, &refusal);
	bool passes;

	if (result < 0 && result != -EINVAL) {
		*err = refusal;
		refusal = (struct error){0};
		return result;
	}
	if (result < 0)
		add_refusal(&check, name, &refusal);
	else
		check_profile(&check, &profile, look, name, sha256);
	passes = check_passes(&check);
	check_print(&check, name, stdout, output_has_colour(stdout));
	check_finish(&check);
	return passes ? 0 : 1;
}
