#include "profile/question.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/profile_value.h"
#include "profile/seccomp_groups.h"

static int unclear(const char *word, struct error *err)
{
	return error_set(err, EINVAL,
			 "%s: neither a path nor a line of a profile: give a PATH (./ in front of a bare name), "
			 "RIGHT[,RIGHT...] and a PATH or port, or a line as a profile has it",
			 *word ? word : "\"\"");
}

/* Whether the word begins with the name of a right, up to a comma, a blank or its end. */
static const struct right *first_right(const char *word)
{
	scoped_free char *name = duplicate_bytes(word, strcspn(word, ", "));

	return right_find(name);
}

static int read_port(const char *text, struct question *question, struct error *err)
{
	long port = PORT_ANY;

	if (!*text)
		return error_set(err, EINVAL, "a port is missing behind the right: a number, or any");
	if (strcmp(text, "any") != 0 && value_number(text, 0, 65535, &port, err) < 0)
		return error_context(err, "port");
	question->kind = QUESTION_PORT;
	question->port = (int)port;
	return 0;
}

/* The name without links, also of what is not there yet; NULL where nothing can be told. */
static char *resolve(const char *path)
{
	scoped_free char *parent = NULL, *real_parent = NULL;
	char *real = realpath(path, NULL);
	const char *slash = strrchr(path, '/');

	if (real || errno != ENOENT || !slash || !strcmp(slash, "/..") || !strcmp(slash, "/."))
		return real;
	parent = duplicate_bytes(path, slash == path ? 1 : (size_t)(slash - path));
	real_parent = realpath(parent, NULL);
	if (!real_parent)
		return NULL;
	return format_text("%s%s", strcmp(real_parent, "/") != 0 ? real_parent : "", slash);
}

/* Links in /proc are those of this process, not of the one that is asked about. */
static char *resolve_outside_proc(const char *path)
{
	char *real = path_is_beneath(path, "/proc") ? NULL : resolve(path);

	if (real && path_is_beneath(real, "/proc")) {
		free(real);
		real = NULL;
	}
	return real;
}

static int set_typed_path(struct question *question, const char *word, const struct variables *variables,
			  struct error *err)
{
	scoped_free char *whole = NULL;
	scoped_free char *clean = NULL;
	scoped_free char *real = NULL;

	if (!*word)
		return error_set(err, EINVAL, "the path is empty");
	if (word[0] != '/' && !variables->directory)
		return error_set(err, EINVAL, "%s: the present directory is unknown: give an absolute path", word);
	whole = word[0] == '/' ? duplicate(word) : format_text("%s/%s", variables->directory, word);
	clean = path_clean(whole);
	real = resolve_outside_proc(clean ? clean : whole);
	if (!clean && !real)
		return error_set(err, EINVAL, "%s: where .. leads cannot be told: give the path without it", word);
	question->path = real ? steal_pointer(&real) : duplicate(clean);
	if (clean && strcmp(clean, question->path) != 0)
		question->other = steal_pointer(&clean);
	return 0;
}

static int set_line_path(struct question *question, const char *word, const struct variables *variables,
			 struct error *err)
{
	struct profile_reader reader = {.variables = variables};

	if (!*word)
		return error_set(err, EINVAL, "a path is missing behind the rights");
	return value_known_path(&reader, word, &question->path, err);
}

typedef int set_path_fn(struct question *question, const char *word, const struct variables *variables,
			struct error *err);

static int read_rights(struct question *question, const char *rights, const char *rest,
		       const struct variables *variables, set_path_fn *set_path, struct error *err)
{
	const struct right *right = first_right(rights);
	size_t length = strcspn(rights, " ");

	if (!right)
		return rights_read(rights, length,
				   isdigit((unsigned char)*rest) ? RIGHT_CLASS_NETWORK : RIGHT_CLASS_FILE_SYSTEM,
				   &question->rights, err);
	if (rights_read(rights, length, right->class, &question->rights, err) < 0)
		return -err->number;
	if (right->class == RIGHT_CLASS_NETWORK)
		return read_port(rest, question, err);
	if (right->class == RIGHT_CLASS_SCOPE)
		return error_set(err, EINVAL, "%s: a scope stands alone", right->name);
	question->kind = QUESTION_GRANT;
	return set_path(question, rest, variables, err);
}

/* A scope or a word of [seccomp]. */
static bool read_word(struct question *question, const char *word)
{
	const struct right *right = right_find(word);

	if (right && right->class == RIGHT_CLASS_SCOPE) {
		question->kind = QUESTION_SCOPE;
		question->rights = right->bit;
		return true;
	}
	if (seccomp_group_of_word(word) == SECCOMP_GROUPS)
		return false;
	question->kind = QUESTION_CALL;
	question->path = duplicate(word);
	return true;
}

static int read_line(struct question *question, const char *line, const struct variables *variables, struct error *err)
{
	const char *blank = strchr(line, ' ');

	if (read_word(question, line))
		return 0;
	if (!first_right(line))
		return unclear(line, err);
	return read_rights(question, line, blank ? blank + strspn(blank, " ") : "", variables, set_line_path, err);
}

/* A long value goes on in the next line, indented, behind a lone backslash. */
static char *unfold(const char *text)
{
	scoped_buffer whole = {0};

	while (*text) {
		if (text[0] == '\\' && text[1] == '\n')
			text += 2 + strspn(text + 2, " \t");
		else
			buffer_add_byte(&whole, *text++);
	}
	while (whole.length && isspace((unsigned char)whole.data[whole.length - 1]))
		whole.data[--whole.length] = '\0';
	return buffer_steal(&whole);
}

/* What follows "allow =", or NULL. */
static const char *behind_allow(const char *text)
{
	text += strspn(text, " \t");
	if (strncmp(text, "allow", 5) != 0)
		return NULL;
	text += 5;
	text += strspn(text, " \t");
	return *text == '=' ? text + 1 + strspn(text + 1, " \t") : NULL;
}

static char *join(char *const *words, size_t count)
{
	scoped_buffer text = {0};

	for (size_t i = 0; i < count; i++)
		buffer_format(&text, "%s%s", i ? " " : "", words[i]);
	return buffer_steal(&text);
}

/* FILE:NUMBER */
static bool read_place(struct question *question, const char *word)
{
	const char *colon = strrchr(word, ':');
	struct stat status;
	struct error err = {0};
	long line;

	if (!colon || colon == word || lstat(word, &status) == 0)
		return false;
	if (value_number(colon + 1, 0, INT_MAX, &line, &err) < 0) {
		error_finish(&err);
		return false;
	}
	question->file = duplicate_bytes(word, (size_t)(colon - word));
	question->line = (unsigned)line;
	return true;
}

/* A bare name is one only where nothing else is meant by it, and there is such a file. */
static bool is_typed_path(const char *word)
{
	struct stat status;

	if (strchr(word, '/'))
		return *word == '/' || *word == '.' || !first_right(word);
	return !first_right(word) && seccomp_group_of_word(word) == SECCOMP_GROUPS && lstat(word, &status) == 0;
}

static int read_one(struct question *question, const char *word, const struct variables *variables, struct error *err)
{
	if (read_place(question, word))
		return 0;
	if (!is_typed_path(word))
		return read_line(question, word, variables, err);
	question->kind = QUESTION_PATH;
	return set_typed_path(question, word, variables, err);
}

int question_read(char *const *words, size_t count, const struct variables *variables, struct question *question,
		  struct error *err)
{
	scoped_free char *joined = join(words, count);
	scoped_free char *text = unfold(joined);
	const char *line = behind_allow(text);

	*question = (struct question){0};
	if (line)
		return read_line(question, line, variables, err);
	if (count == 1)
		return read_one(question, strchr(words[0], '\n') ? text : words[0], variables, err);
	if (count != 2)
		return unclear(text, err);
	question->use = true;
	return read_rights(question, words[0], words[1], variables, set_typed_path, err);
}

static bool find_grant(const struct profile *profile, struct question *question)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->origin.line != question->line || !grant->path)
			continue;
		question->kind = QUESTION_GRANT;
		question->rights = grant->rights;
		question->path = duplicate(grant->path);
		return true;
	}
	return false;
}

static bool find_rest(const struct profile *profile, struct question *question)
{
	for (size_t i = 0; i < profile->port_count; i++) {
		if (profile->ports[i].origin.line != question->line)
			continue;
		question->kind = QUESTION_PORT;
		question->rights = profile->ports[i].rights;
		question->port = profile->ports[i].port;
		return true;
	}
	for (size_t i = 0; i < profile->seccomp_count; i++)
		if (profile->seccomp[i].origin.line == question->line)
			return read_word(question, profile->seccomp[i].text);
	for (size_t i = 0; i < ARRAY_LENGTH(profile->scope_origins); i++) {
		if (profile->scope_origins[i].line != question->line)
			continue;
		question->kind = QUESTION_SCOPE;
		question->rights = 1ULL << (RIGHTS_SCOPE_SHIFT + i);
		return true;
	}
	return false;
}

int question_of_line(const struct profile *profile, unsigned number, struct question *question, struct error *err)
{
	question->line = number;
	/* Which is that of what was not read from a file. */
	if (number == 0)
		return error_set(err, EINVAL, "the first line of a file is line 1");
	if (find_grant(profile, question) || find_rest(profile, question))
		return 0;
	if (number > profile->last_line)
		return error_set(err, EINVAL, "nothing stands there: the last that this profile says is in line %u",
				 profile->last_line);
	return error_set(err, EINVAL,
			 "this line allows nothing by itself: a heading, a comment, a part of a longer line, "
			 "or what another one has said before");
}

void question_finish(struct question *question)
{
	free(question->path);
	free(question->other);
	free(question->file);
	*question = (struct question){0};
}

char *question_text(const struct question *question)
{
	switch (question->kind) {
	case QUESTION_GRANT:
		return fact_grant(question->rights, question->path);
	case QUESTION_PORT:
		return fact_port(question->rights, question->port);
	case QUESTION_SCOPE:
		return fact_rights(question->rights);
	default:
		return fact_path(question->path);
	}
}
