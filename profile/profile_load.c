#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "profile/open_given.h"
#include "profile/profile_file.h"

#define PROFILE_BYTES_MAX (64UL << 20)

int profile_load_bytes(const char *path, const struct variables *variables, struct profile *profile,
		       struct buffer *bytes, struct stat *status, struct error *err)
{
	struct stat own;
	scoped_fd fd = open_given(path, "profile", status ? status : &own, err);

	*profile = (struct profile){0};
	if (fd < 0)
		return fd;
	if (read_file(fd, PROFILE_BYTES_MAX, &bytes->data, &bytes->length, err) < 0)
		return error_context(err, "%s", path);
	bytes->capacity = bytes->length + 1; /* its NUL is there */
	return profile_read_text(bytes->data, bytes->length, path, variables, profile, err);
}

int profile_load(const char *path, const struct variables *variables, struct profile *profile, char *sha256,
		 struct stat *status, struct error *err)
{
	scoped_buffer bytes = {0};
	int result = profile_load_bytes(path, variables, profile, &bytes, status, err);

	if (sha256 && bytes.data)
		hash_text(bytes.data, bytes.length, sha256);
	return result;
}
