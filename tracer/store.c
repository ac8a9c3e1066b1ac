#include "tracer/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/shell.h"
#include "profile/profile_file.h"
#include "profile/trust.h"

static char *default_name(const char *program)
{
	const char *slash = strrchr(program, '/');

	return format_text("%s.ini", slash ? slash + 1 : program);
}

int store_open(struct store *store, const char *output, const char *program, bool replace, struct error *err)
{
	int result;

	if (output && strcmp(output, "-") == 0)
		return 0;
	store->name = output ? duplicate(output) : default_name(program);
	result = atomic_file_open(&store->file, store->name, 0666, replace, err);
	if (result == -EEXIST)
		error_set(err, EEXIST, "%s exists already: replace it with -f, or name another with -o FILE",
			  store->name);
	return result;
}

static int write_bytes(struct store *store, const struct buffer *bytes, struct error *err)
{
	if (store->name)
		return atomic_file_commit(&store->file, bytes->data, bytes->length, err);
	fwrite(bytes->data, 1, bytes->length, stdout);
	return output_finish(stdout, err);
}

static void trust(const struct store *store, const struct profile *profile)
{
	scoped_free char *path = realpath(store->name ? store->name : "/proc/self/fd/1", NULL);
	scoped_error err = {0};

	if (!path) /* a pipe: nothing is left that could be changed */
		return;
	/* a profile that its program cannot change is never looked up */
	if (trust_add(store->hash, path, &err) < 0 && trust_is_writable(profile, path, NULL))
		message_warning("the program may change this profile, and it could not be entered in the list of "
				"trusted ones: %s",
				err.message);
}

/* The first name beside the file that nothing has. On failure err says why; else the file is open. */
static int open_beside(const struct store *store, struct store *beside, struct error *err)
{
	for (unsigned attempt = 1; attempt < 100; attempt++) {
		int result;

		*beside = STORE_NONE;
		error_finish(err);
		beside->name = attempt == 1 ? format_text("%s.learned", store->name)
					    : format_text("%s.learned.%u", store->name, attempt);
		result = atomic_file_open(&beside->file, beside->name, 0666, false, err);
		if (result != -EEXIST)
			return result;
		store_finish(beside);
	}
	return -EEXIST;
}

int store_beside(struct store *store, struct profile *profile, struct error *err)
{
	scoped_free char *file = shell_file(store->name), *name = NULL;
	struct store beside;
	scoped_error lost = {0};
	int number = err->number;
	const char *what = number == EEXIST ? "made" : "changed";
	bool kept;

	/* It is to be merged with the file, which counts the sessions before this one. */
	profile->sessions = 1;
	kept = open_beside(store, &beside, &lost) == 0 && store_write(&beside, profile, &lost) == 0;
	error_finish(err);
	name = kept ? shell_file(beside.name) : NULL;
	if (kept)
		error_set(err, number,
			  "%s was %s while the program ran, and nothing was written over it: what was learned is in "
			  "%s; look "
			  "at both, and make one of them with \"trace-profile merge -f -o %s %s %s\"",
			  store->name, what, beside.name, file, file, name);
	else
		error_set(err, number,
			  "%s was %s while the program ran, and nothing was written over it; what was learned could "
			  "not be "
			  "written beside it either, and is in the log alone: %s",
			  store->name, what, lost.message);
	store_finish(&beside);
	return -number;
}

int store_write(struct store *store, struct profile *profile, struct error *err)
{
	scoped_buffer bytes = {0};
	int result;

	profile_write(profile, &bytes);
	result = write_bytes(store, &bytes, err);
	if (result == -EEXIST)
		return store_beside(store, profile, err);
	if (result < 0)
		return result;
	hash_text(bytes.data, bytes.length, store->hash);
	trust(store, profile);
	return 0;
}

int store_rewrite(struct store *store, struct profile *profile, struct error *err)
{
	int result;

	atomic_file_finish(&store->file);
	store->file = ATOMIC_FILE_NONE;
	result = atomic_file_open(&store->file, store->name, 0666, true, err);
	return result < 0 ? result : store_write(store, profile, err);
}

void store_finish(struct store *store)
{
	free(store->name);
	atomic_file_finish(&store->file);
	*store = STORE_NONE;
}
