#include "profile/trust_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "profile/open_given.h"
#include "profile/profile_file.h"
#include "profile/show.h"
#include "profile/trust.h"

#define FILE_BYTES_LIMIT (64UL << 20)

/* The whole file, or NULL with err set. The caller frees. */
static char *read_bytes(const char *name, size_t *length, struct error *err)
{
	struct stat status;
	scoped_fd fd = open_given(name, "file", &status, err);
	char *data = NULL;

	if (fd >= 0 && read_file(fd, FILE_BYTES_LIMIT, &data, length, err) < 0)
		error_context(err, "%s", name);
	return data;
}

static void show_lines(char *text)
{
	char *rest = text;

	for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (rest || *line)
			print_line(stdout, "%s", line);
}

/* Shows a profile, or a tiers file line by line; what cannot be read as either is not to be trusted. A profile is left
 * in *profile. */
static int show_bytes(const char *name, char *text, size_t length, const struct look *look, struct profile *profile,
		      struct error *err)
{
	bool is_tiers = strncmp(text, "[tiers]", 7) == 0 || strstr(text, "\n[tiers]");
	struct tiers *tiers = NULL;
	int result;

	if (!is_tiers) {
		result = profile_read_text(text, length, name, &look->variables, profile, err);
		if (result == 0)
			show_text(profile, look->tiers, name, stdout, output_has_colour(stdout));
		return result;
	}
	result = tiers_read_text(text, length, name, &look->variables, &tiers, err);
	if (result == 0)
		show_lines(text);
	tiers_destroy(tiers);
	return result;
}

/* Being listed does not help a profile that lets its program change the list. */
static void warn_of_list(const char *name, const char *real, const struct profile *profile)
{
	scoped_free char *directory = NULL, *path = NULL, *list = NULL;
	const struct grant *grant = NULL;
	scoped_error err = {0};

	if (!trust_is_writable(profile, real, NULL) || state_directory(false, &directory, &err) < 0)
		return;
	path = format_text("%s/trusted", directory);
	list = realpath(path, NULL);
	if (list && trust_is_writable(profile, list, &grant))
		message_warning(
			"%s: trace-run refuses it all the same: the grant on %s (line %u) lets the program change "
			"the list of trusted files, %s: take that grant away, or start with "
			"--allow-writable-profile",
			name, grant->path, grant->origin.line, list);
}

/* What could not be shown is not let in. */
int trust_command_run(const char *name, const struct look *look, struct error *err)
{
	size_t length = 0;
	scoped_free char *text = read_bytes(name, &length, err);
	scoped_free char *real = realpath(name, NULL);
	char sha256[HASH_TEXT_SIZE];
	scoped_profile profile = {0};

	if (!text)
		return -err->number;
	if (!real)
		return error_set_errno(err, errno, "%s: only a file with a name can be trusted", name);
	hash_text(text, length, sha256);
	if (show_bytes(name, text, length, look, &profile, err) < 0 || output_finish(stdout, err) < 0 ||
	    trust_add(sha256, real, err) < 0)
		return -err->number;
	message("%s: trusted in these bytes and at this place (SHA-256 %s)", name, sha256);
	warn_of_list(name, real, &profile);
	return 0;
}
