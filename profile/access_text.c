#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/access.h"

static const char *const kind_names[] = {
	[ACCESS_USE] = "use",		[ACCESS_CREATE] = "create",	[ACCESS_REMOVE] = "remove",
	[ACCESS_RENAME] = "rename",	[ACCESS_EXCHANGE] = "exchange", [ACCESS_LINK] = "link",
	[ACCESS_TMPFILE] = "tmpfile",	[ACCESS_MISSING] = "missing",	[ACCESS_PORT] = "port",
	[ACCESS_SCOPE] = "scope",	[ACCESS_CALL] = "call",		[ACCESS_LOOK] = "look",
	[ACCESS_METADATA] = "metadata",
};

static const char *const type_names[] = {
	[OBJECT_NONE] = "none",		  [OBJECT_FILE] = "file",   [OBJECT_DIRECTORY] = "directory",
	[OBJECT_SYMLINK] = "symlink",	  [OBJECT_FIFO] = "fifo",   [OBJECT_SOCKET] = "socket",
	[OBJECT_CHARACTER] = "character", [OBJECT_BLOCK] = "block",
};

/* Larger than any errno of Linux. */
#define ERRNO_END 134

static int find_name(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

const char *access_kind_name(enum access_kind kind)
{
	return kind_names[kind];
}

static int read_kind(const char *name, enum access_kind *kind, struct error *err)
{
	int found = find_name(kind_names, ARRAY_LENGTH(kind_names), name);

	if (found < 0)
		return error_set(err, EINVAL, "unknown kind of access: %s", name);
	*kind = (enum access_kind)found;
	return 0;
}

const char *object_type_name(enum object_type type)
{
	return type_names[type];
}

static int read_type(const char *name, enum object_type *type, struct error *err)
{
	int found = find_name(type_names, ARRAY_LENGTH(type_names), name);

	if (found < 0)
		return error_set(err, EINVAL, "unknown type %s", name);
	*type = (enum object_type)found;
	return 0;
}

static void add_text(struct buffer *out, const char *key, const char *value)
{
	scoped_buffer escaped = {0};

	if (!value)
		return;
	escape_value(&escaped, value);
	buffer_format(out, " %s=", key);
	for (const char *at = buffer_text(&escaped); *at; at++) {
		if (*at == ' ')
			buffer_add_text(out, "\\x20");
		else
			buffer_add_byte(out, *at);
	}
}

static void add_rights(struct buffer *out, const char *key, rights_t rights)
{
	if (!rights)
		return;
	buffer_format(out, " %s=", key);
	rights_write(out, rights);
}

static void add_error(struct buffer *out, int error)
{
	const char *name = error ? strerrorname_np(error) : NULL;

	if (name)
		buffer_format(out, " error=%s", name);
	else if (error)
		buffer_format(out, " error=%d", error);
}

void access_write(struct buffer *out, const struct access *access)
{
	buffer_add_text(out, kind_names[access->kind]);
	if (access->type != OBJECT_NONE)
		add_text(out, "type", type_names[access->type]);
	add_text(out, "path", access->path);
	add_text(out, "path2", access->path2);
	add_text(out, "link", access->link);
	if (access->replaced != OBJECT_NONE)
		add_text(out, "replaced", type_names[access->replaced]);
	if (access->kind == ACCESS_PORT)
		buffer_format(out, " port=%d", access->port);
	add_rights(out, "rights", access->rights);
	add_rights(out, "absent", access->absent);
	add_rights(out, "again", access->again);
	if (access->asked)
		add_text(out, "asked", "yes");
	if (access->unanswered)
		add_text(out, "unanswered", "yes");
	if (access->silent)
		add_text(out, "silent", "yes");
	if (access->inherited)
		add_text(out, "inherited", "yes");
	add_error(out, access->error);
	add_text(out, "call", access->call);
	add_text(out, "image", access->image);
}

static int read_rights(const char *value, enum access_kind kind, rights_t *rights, struct error *err)
{
	enum right_class class = kind == ACCESS_PORT	? RIGHT_CLASS_NETWORK
				 : kind == ACCESS_SCOPE ? RIGHT_CLASS_SCOPE
							: RIGHT_CLASS_FILE_SYSTEM;

	return rights_read(value, strlen(value), class, rights, err);
}

static int read_yes(const char *value, bool *flag, struct error *err)
{
	if (strcmp(value, "yes") != 0)
		return error_set(err, EINVAL, "not yes: %s", value);
	*flag = true;
	return 0;
}

static int read_number(const char *value, long limit, int *number, struct error *err)
{
	char *end;
	long read = strtol(value, &end, 10);

	if (end == value || *end || read < -1 || read > limit)
		return error_set(err, EINVAL, "not a number up to %ld: %s", limit, value);
	*number = (int)read;
	return 0;
}

/* An errno by its name, or a number. */
static int read_error(const char *name, int *number, struct error *err)
{
	for (int i = 1; i < ERRNO_END; i++) {
		const char *known = strerrorname_np(i);

		if (known && !strcmp(known, name)) {
			*number = i;
			return 0;
		}
	}
	return read_number(name, 4095, number, err);
}

static int read_field(struct access *access, const char *key, const char *value, struct error *err)
{
	const struct {
		const char *key;
		const char **text;
	} texts[] = {
		{"path", &access->path}, {"path2", &access->path2}, {"link", &access->link},
		{"call", &access->call}, {"image", &access->image},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		if (!strcmp(key, texts[i].key)) {
			*texts[i].text = value;
			return 0;
		}
	}
	if (!strcmp(key, "type"))
		return read_type(value, &access->type, err);
	if (!strcmp(key, "replaced"))
		return read_type(value, &access->replaced, err);
	if (!strcmp(key, "rights"))
		return read_rights(value, access->kind, &access->rights, err);
	if (!strcmp(key, "absent"))
		return read_rights(value, access->kind, &access->absent, err);
	if (!strcmp(key, "again"))
		return read_rights(value, access->kind, &access->again, err);
	if (!strcmp(key, "asked"))
		return read_yes(value, &access->asked, err);
	if (!strcmp(key, "unanswered"))
		return read_yes(value, &access->unanswered, err);
	if (!strcmp(key, "silent"))
		return read_yes(value, &access->silent, err);
	if (!strcmp(key, "inherited"))
		return read_yes(value, &access->inherited, err);
	if (!strcmp(key, "port"))
		return read_number(value, 65535, &access->port, err);
	if (!strcmp(key, "error"))
		return read_error(value, &access->error, err);
	return error_set(err, EINVAL, "unknown key %s", key);
}

/* Reads one KEY=VALUE word; its decoded value goes to *next, which moves on behind it. */
static int read_word(struct access *access, char *word, char **next, struct error *err)
{
	scoped_buffer decoded = {0};
	char *equals = strchr(word, '=');
	char *value = *next;

	if (!equals)
		return error_set(err, EINVAL, "not KEY=VALUE: %s", word);
	*equals = '\0';
	if (unescape_value(&decoded, equals + 1, NULL, NULL, err) < 0)
		return -err->number;
	memcpy(value, buffer_text(&decoded), decoded.length + 1);
	*next += decoded.length + 1;
	return read_field(access, word, value, err);
}

static int check_access(const struct access *access, struct error *err)
{
	bool has_path = access->kind != ACCESS_PORT && access->kind != ACCESS_SCOPE;
	bool has_path2 =
		access->kind == ACCESS_RENAME || access->kind == ACCESS_EXCHANGE || access->kind == ACCESS_LINK;

	if (has_path != !!access->path || has_path2 != !!access->path2)
		return error_set(err, EINVAL, "%s has %s path and %s path2", kind_names[access->kind],
				 has_path ? "a" : "no", has_path2 ? "a" : "no");
	return 0;
}

int access_read(const char *line, struct access *access, char **storage, struct error *err)
{
	/* Decoding never lengthens a value, so the copy of the line has room for all of them. */
	scoped_free char *words = duplicate(line);
	scoped_free char *values = allocate(strlen(line) + 1);
	char *rest = NULL, *next = values;
	const char *word = strtok_r(words, " ", &rest);

	*access = (struct access){0};
	if (read_kind(word ? word : "(nothing)", &access->kind, err) < 0)
		return -err->number;
	for (char *field = strtok_r(NULL, " ", &rest); field; field = strtok_r(NULL, " ", &rest))
		if (read_word(access, field, &next, err) < 0)
			return -err->number;
	if (check_access(access, err) < 0)
		return -err->number;
	*storage = steal_pointer(&values);
	return 0;
}
