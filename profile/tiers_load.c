#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "profile/open_given.h"
#include "profile/tiers_table.h"

#define TIERS_BYTES_MAX (1UL << 20)
#define TIERS_NAME	"trace-learn/tiers.ini"

/* Reads the table in an open file. */
static int load_from(int fd, const char *path, const struct variables *variables, struct tiers **tiers,
		     struct error *err)
{
	scoped_free char *text = NULL;
	char hash[HASH_TEXT_SIZE];
	size_t length;
	int result;

	if (read_file(fd, TIERS_BYTES_MAX, &text, &length, err) < 0)
		return error_context(err, "%s", path);
	result = tiers_read_text(text, length, path, variables, tiers, err);
	if (result < 0)
		return result;
	hash_text(text, length, hash);
	(*tiers)->hash = duplicate(hash);
	(*tiers)->file = duplicate(path);
	return 0;
}

static bool is_file(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int load_named(const char *path, const struct variables *variables, struct tiers **tiers, struct error *err)
{
	struct stat status;
	scoped_fd fd = open_given(path, "tiers file", &status, err);

	if (fd < 0)
		return error_context(err, "tiers file");
	return load_from(fd, path, variables, tiers, err);
}

/* Returns 0 when it was loaded, 1 when there is no such file, -errno when there is, but it cannot be used. */
static int load_found(const char *path, const struct variables *variables, struct tiers **tiers, struct error *err)
{
	/* Without waiting: nobody asked for this file, and in its place there may be a named pipe. */
	scoped_fd fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (fd < 0)
		return error_set_errno(err, errno, "tiers file %s", path);
	if (!is_file(fd))
		return error_set(err, EINVAL, "tiers file %s: not a file", path);
	return load_from(fd, path, variables, tiers, err);
}

/* The user's own table; NULL when there is no place for one. The caller frees. */
static char *user_file(const struct variables *variables)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	scoped_error no_home = {0};
	const char *home;

	if (config && config[0] == '/')
		return format_text("%s/%s", config, TIERS_NAME);
	if (variables_get(variables, "HOME", &home, &no_home) < 0)
		return NULL;
	return format_text("%s/.config/%s", home, TIERS_NAME);
}

int tiers_load(const char *file, const struct variables *variables, struct tiers **tiers, struct error *err)
{
	scoped_free char *user = user_file(variables);
	int result = 1;

	if (file)
		return load_named(file, variables, tiers, err);
	if (user)
		result = load_found(user, variables, tiers, err);
	if (result == 1)
		result = load_found(SYSCONFDIR "/" TIERS_NAME, variables, tiers, err);
	if (result == 1)
		*tiers = tiers_builtin_table(variables);
	return result < 0 ? result : 0;
}
