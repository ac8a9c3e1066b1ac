#include "profile/merge_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/shell.h"
#include "profile/merge.h"
#include "profile/profile_file.h"
#include "profile/trust.h"

struct session_files {
	const struct merge_command *command;
	struct profile *profiles;
	struct merge_input *inputs;
	bool all_trusted;
};

static bool is_trusted(const char *name, const char *sha256)
{
	scoped_free char *real = realpath(name, NULL);
	scoped_error err = {0};

	return real && trust_has(sha256, real, &err) > 0;
}

static int read_all(struct session_files *files, const struct look *look, struct error *err)
{
	const struct merge_command *command = files->command;

	files->profiles = allocate_array(command->count, sizeof *files->profiles);
	files->inputs = allocate_array(command->count, sizeof *files->inputs);
	files->all_trusted = true;
	for (size_t i = 0; i < command->count; i++) {
		const char *name = command->names[i];
		char sha256[HASH_TEXT_SIZE];

		if (profile_load(name, &look->variables, &files->profiles[i], sha256, NULL, err) < 0)
			return -err->number;
		files->inputs[i] = (struct merge_input){&files->profiles[i], name};
		files->all_trusted = files->all_trusted && is_trusted(name, sha256);
	}
	return 0;
}

static void session_files_finish(struct session_files *files)
{
	for (size_t i = 0; files->profiles && i < files->command->count; i++)
		profile_finish(&files->profiles[i]);
	free(files->profiles);
	free(files->inputs);
}

static void trust(const struct session_files *files, const struct profile *merged, const struct buffer *bytes)
{
	const char *name = files->command->output;
	scoped_free char *real = realpath(name, NULL), *file = shell_file(name);
	scoped_error err = {0};
	char sha256[HASH_TEXT_SIZE];

	if (!real)
		return;
	hash_text(bytes->data, bytes->length, sha256);
	if (files->all_trusted && trust_add(sha256, real, &err) == 0)
		return;
	if (trust_is_writable(merged, real, NULL))
		message("%s: the program may change this profile, so trace-run takes it only after \"trace-profile "
			"trust %s\"",
			name, file);
}

static int write_file(const struct session_files *files, const struct profile *merged, const struct buffer *bytes,
		      struct error *err)
{
	const char *name = files->command->output;
	struct atomic_file file;
	int result = atomic_file_open(&file, name, 0666, files->command->force, err);

	if (result == -EEXIST)
		return error_set(err, EEXIST, "%s exists already: replace it with -f, or name another with -o FILE",
				 name);
	if (result < 0)
		return result;
	result = atomic_file_commit(&file, bytes->data, bytes->length, err);
	atomic_file_finish(&file);
	if (result == 0)
		trust(files, merged, bytes);
	return result;
}

static int write_merged(const struct session_files *files, struct profile *merged, struct error *err)
{
	const char *output = files->command->output;
	scoped_buffer bytes = {0};

	profile_write(merged, &bytes);
	if (output && strcmp(output, "-") != 0)
		return write_file(files, merged, &bytes, err);
	fwrite(bytes.data, 1, bytes.length, stdout);
	return output_finish(stdout, err);
}

int merge_command_run(const struct merge_command *command, const struct look *look, struct error *err)
{
	struct session_files files = {.command = command};
	scoped_profile merged = {0};
	int result;

	if (command->min_seen > command->count)
		return error_set(err, EINVAL, "--min-seen=%zu: there %s no more than %zu %s", command->min_seen,
				 command->count == 1 ? "is" : "are", command->count,
				 command->count == 1 ? "profile" : "profiles");
	result = read_all(&files, look, err);
	if (result == 0)
		result = merge_profiles(files.inputs, command->count, command->min_seen, look->tiers, &merged, err);
	if (result == 0)
		result = write_merged(&files, &merged, err);
	session_files_finish(&files);
	return result;
}
