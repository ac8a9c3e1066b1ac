#include "profile/review_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/shell.h"
#include "base/terminal.h"
#include "profile/profile_copy.h"
#include "profile/profile_file.h"
#include "profile/review_dialogue.h"
#include "profile/review_why.h"
#include "profile/trust.h"

struct reviewing {
	const struct review_command *command;
	struct review *review;
	char sha256[HASH_TEXT_SIZE]; /* of the bytes that were read */
	struct review_why why;
	char *saved; /* name under which it was written; NULL: it was not */
};

static int load(struct reviewing *reviewing, const struct look *look, struct profile *profile, struct error *err)
{
	const char *name = reviewing->command->name;
	struct stat status;
	int result = profile_load(name, &look->variables, profile, reviewing->sha256, &status, err);

	if (result == 0 && !S_ISREG(status.st_mode))
		return error_set(err, EINVAL, "%s: only a file can be reviewed, since it is written again", name);
	return result;
}

/* -ESTALE when other bytes stand there now, or none: they are not ours to write over. */
static int check_unchanged(const struct reviewing *reviewing, struct error *err)
{
	const char *name = reviewing->command->name;
	struct profile now;
	scoped_error why = {0};
	char sha256[HASH_TEXT_SIZE] = "";

	profile_load(name, NULL, &now, sha256, NULL, &why);
	profile_finish(&now);
	if (!strcmp(sha256, reviewing->sha256))
		return 0;
	return error_set(
		err, ESTALE,
		"%s was changed meanwhile, and nothing was written over it: name another file here, and merge the two "
		"afterwards",
		name);
}

/* What a person let in: all of it was seen and answered, or it was let in before, and the answers change it. */
static bool may_trust(const struct reviewing *reviewing)
{
	scoped_free char *real = realpath(reviewing->command->name, NULL);
	scoped_error err = {0};
	bool seen = reviewing->command->all && !review_open_count(reviewing->review);

	return seen || (real && trust_has(reviewing->sha256, real, &err) > 0);
}

/* Before the new bytes stand there: may_trust() asks about the old ones. */
static void trust(const struct reviewing *reviewing, const char *name, const char *sha256, bool may)
{
	const struct profile *profile = review_profile(reviewing->review);
	scoped_free char *real = realpath(name, NULL), *file = shell_file(name);
	scoped_error err = {0};

	if (!real || (may && trust_add(sha256, real, &err) == 0) || !trust_is_writable(profile, real, NULL))
		return;
	message_warning("%s: the program may change this profile, so trace-run takes it only after \"trace-profile "
			"trust %s\"%s%s",
			name, file, err.message ? ": " : "", err.message ? err.message : "");
}

static int write_file(const char *name, bool replace, const struct buffer *bytes, struct error *err)
{
	struct atomic_file file;
	int result = atomic_file_open(&file, name, 0666, replace, err);

	if (result == -EEXIST)
		return error_set(err, EEXIST, "%s exists already: name another", name);
	if (result < 0)
		return result;
	result = atomic_file_commit(&file, bytes->data, bytes->length, err);
	atomic_file_finish(&file);
	return result;
}

static int save(void *data, const char *other, struct error *err)
{
	struct reviewing *reviewing = data;
	const char *name = other ? other : reviewing->command->name;
	bool may = may_trust(reviewing);
	scoped_profile profile = {0};
	scoped_buffer bytes = {0};
	char sha256[HASH_TEXT_SIZE];

	if (!other && check_unchanged(reviewing, err) < 0)
		return -err->number;
	profile_copy(review_profile(reviewing->review), &profile);
	profile_write(&profile, &bytes);
	if (write_file(name, !other, &bytes, err) < 0)
		return -err->number;
	hash_text(bytes.data, bytes.length, sha256);
	trust(reviewing, name, sha256, may);
	reviewing->saved = duplicate(name);
	return 0;
}

/* "2 granted, 1 held" */
static char *count_answers(const struct review *review)
{
	size_t counts[REVIEW_WIDENED + 1] = {0};
	scoped_buffer text = {0};

	for (size_t i = 0; i < review_count(review); i++)
		counts[review_item(review, i)->answer]++;
	for (enum review_answer answer = REVIEW_GRANTED; answer <= REVIEW_WIDENED; answer++)
		if (counts[answer])
			buffer_format(&text, ", %zu %s", counts[answer], review_answer_name(answer));
	return buffer_steal(&text);
}

static void explain(void *data, const struct review_item *item, FILE *out, bool colour)
{
	struct reviewing *reviewing = data;

	review_why_print(&reviewing->why, item, out, colour);
}

static int talk(struct reviewing *reviewing, const struct look *look, struct error *err)
{
	const struct review_dialogue dialogue = {.review = reviewing->review,
						 .tiers = look->tiers,
						 .name = reviewing->command->name,
						 .why = explain,
						 .save = save,
						 .data = reviewing};
	int signal, result = review_talk(&dialogue, &signal, err);
	scoped_free char *counts = count_answers(reviewing->review);

	if (result < 0)
		return error_context(err, "%s: nothing was changed", reviewing->command->name);
	if (result == REVIEW_SAVED)
		message("%s: saved%s", reviewing->saved, counts);
	else
		message("%s: left as it was", reviewing->command->name);
	if (result == REVIEW_KILLED)
		terminal_die(signal);
	return result == REVIEW_SAVED ? 0 : 1;
}

static int ask(struct reviewing *reviewing, const struct profile *profile, const struct look *look, struct error *err)
{
	const char *name = reviewing->command->name;

	reviewing->review =
		review_create(profile, &(struct review_options){.tiers = look->tiers, .all = reviewing->command->all});
	if (review_count(reviewing->review))
		return talk(reviewing, look, err);
	message("%s: nothing to ask: nothing is above normal, and nothing is held (--all asks about all lines)", name);
	return 0;
}

int review_command_run(const struct review_command *command, const struct look *look, struct error *err)
{
	struct reviewing reviewing = {.command = command, .why = {.tiers = look->tiers}};
	scoped_profile profile = {0};
	int result = load(&reviewing, look, &profile, err);

	for (size_t i = 0; result == 0 && i < command->log_count; i++)
		result = review_why_read(&reviewing.why, command->logs[i], err);
	if (result == 0)
		result = ask(&reviewing, &profile, look, err);
	review_destroy(reviewing.review);
	review_why_finish(&reviewing.why);
	free(reviewing.saved);
	return result;
}
