#include "profile/portable.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/profile_line.h"

/* Of two with the same value the first: where the home is the present directory, the program may mean either. */
static const char *const names[] = {"HOME", "TMPDIR", "XDG_RUNTIME_DIR", "DIRECTORY"};

/* The variable whose value is the longest that path is beneath; NULL for none. */
static const char *find_variable(const struct variables *variables, const char *path, size_t *length)
{
	const char *found = NULL;

	*length = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		scoped_error err = {0};
		scoped_free char *clean = NULL;
		const char *value;

		if (variables_get(variables, names[i], &value, &err) < 0)
			continue;
		clean = path_clean(value);
		if (path_is_beneath(path, clean) && strlen(clean) > *length) {
			found = names[i];
			*length = strlen(clean);
		}
	}
	return found;
}

size_t portable_base(const struct variables *variables, const char *path)
{
	size_t length = 0;

	if (variables)
		find_variable(variables, path, &length);
	return length;
}

bool portable_is_above(const struct variables *variables, const char *path)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		scoped_error err = {0};
		const char *value;

		if (variables_get(variables, names[i], &value, &err) == 0 && path_is_strictly_beneath(value, path))
			return true;
	}
	return false;
}

/*
 * Where, in the first part of a path in a directory for all users, the id of the user stands: as the whole part in
 * /run/user, else behind a dash at its end. NULL when it does not.
 */
static const char *find_uid(const struct variables *variables, bool is_whole, const char *rest)
{
	size_t part = *rest == '/' ? 1 + strcspn(rest + 1, "/") : 0;
	size_t digits = variables->uid ? strlen(variables->uid) : 0;
	const char *at = rest + part - digits;

	if (!digits || part < digits + 1 + !is_whole || strncmp(at, variables->uid, digits) != 0)
		return NULL;
	return at[-1] == (is_whole ? '/' : '-') ? at : NULL;
}

static void add_escaped(struct buffer *out, const char *bytes, size_t length)
{
	scoped_free char *text = duplicate_bytes(bytes, length);

	escape_value(out, text);
}

static void add_with_uid(struct buffer *out, const struct variables *variables, const char *rest, const char *uid)
{
	add_escaped(out, rest, (size_t)(uid - rest));
	buffer_add_text(out, "${UID}");
	escape_value(out, uid + strlen(variables->uid));
}

/* A path beneath no variable's value. */
static char *text_of_shared(const struct variables *variables, const char *path)
{
	static const char *const directories[] = {"/run/user", "/tmp", "/var/tmp"};
	scoped_buffer out = {0};

	for (size_t i = 0; i < ARRAY_LENGTH(directories); i++) {
		size_t length = strlen(directories[i]);
		const char *uid = path_is_strictly_beneath(path, directories[i])
					  ? find_uid(variables, i == 0, path + length)
					  : NULL;

		if (!uid)
			continue;
		buffer_add_text(&out, directories[i]);
		add_with_uid(&out, variables, path + length, uid);
		return buffer_steal(&out);
	}
	return NULL;
}

char *portable_text(const struct variables *variables, const char *path)
{
	size_t length;
	const char *name = find_variable(variables, path, &length);
	const char *uid = name && !strcmp(name, "TMPDIR") ? find_uid(variables, false, path + length) : NULL;
	scoped_buffer out = {0};

	if (!name)
		return text_of_shared(variables, path);
	buffer_format(&out, "${%s}", name);
	if (uid)
		add_with_uid(&out, variables, path + length, uid);
	else
		escape_value(&out, path + length);
	return buffer_steal(&out);
}

/* As many parts as stand behind the variable are taken off the path. */
size_t grant_variable_base(const struct grant *grant)
{
	const char *written = grant->origin.written;
	const char *rest = written && grant->path && !strncmp(written, "${", 2) ? strchr(written, '}') : NULL;
	size_t length = rest ? strlen(grant->path) : 0;

	for (; rest && *rest; rest++) {
		if (*rest != '/' || rest[1] == '/' || rest[1] == '\0')
			continue;
		while (length && grant->path[length - 1] != '/')
			length--;
		length -= length > 1;
	}
	return length;
}

static void spell(struct origin *origin, const struct variables *variables, const char *text)
{
	scoped_free char *written = origin->written || *text != '/' ? NULL : portable_text(variables, text);

	if (written)
		origin_spell(origin, written, text);
}

/* --output=/home/me/x: what stands behind the first equals sign. */
static void spell_argument(struct word *word, const struct variables *variables)
{
	const char *equals = strchr(word->text, '=');
	scoped_free char *written = NULL;
	scoped_buffer out = {0};

	if (!equals || equals[1] != '/') {
		spell(&word->origin, variables, word->text);
		return;
	}
	written = portable_text(variables, equals + 1);
	if (!written || word->origin.written)
		return;
	add_escaped(&out, word->text, (size_t)(equals + 1 - word->text));
	buffer_add_text(&out, written);
	origin_spell(&word->origin, buffer_text(&out), word->text);
}

/* Blanks divide the two paths of a move. */
static void add_part(struct buffer *out, const struct variables *variables, const char *path)
{
	scoped_free char *written = portable_text(variables, path);
	scoped_buffer escaped = {0};

	if (!written) {
		escape_value(&escaped, path);
		written = buffer_steal(&escaped);
	}
	for (const char *at = written; *at; at++) {
		if (*at == ' ')
			buffer_add_text(out, "\\x20");
		else
			buffer_add_byte(out, *at);
	}
}

static void spell_move(struct move *move, const struct variables *variables)
{
	struct move bare = *move;
	scoped_buffer written = {0}, usual = {0};

	if (move->origin.written)
		return;
	bare.origin = (struct origin){0};
	line_move(&usual, &bare);
	add_part(&written, variables, move->from);
	buffer_add_text(&written, move->directory ? "/ " : " ");
	add_part(&written, variables, move->to);
	if (strcmp(written.data, usual.data) != 0)
		origin_spell(&move->origin, written.data, usual.data);
}

void portable_spell(struct profile *profile, const struct variables *variables)
{
	const struct {
		enum profile_key key;
		const char *text;
	} keys[] = {
		{KEY_PROGRAM, profile->program},
		{KEY_ARGV0, profile->argv0},
		{KEY_DIRECTORY, profile->directory},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (keys[i].text)
			spell(&profile->keys[keys[i].key], variables, keys[i].text);
	for (size_t i = 0; i < profile->argument_count; i++)
		spell_argument(&profile->arguments[i], variables);
	for (size_t i = 0; i < profile->grant_count; i++)
		if (profile->grants[i].path)
			spell(&profile->grants[i].origin, variables, profile->grants[i].path);
	for (size_t i = 0; i < profile->move_count; i++)
		spell_move(&profile->moves[i], variables);
}
