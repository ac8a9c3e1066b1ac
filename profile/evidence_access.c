/* Records of accesses, as the text form that access.h reads: it checks them, and knows all names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "profile/evidence.h"

static int wrong_type(struct error *err, const char *key, const char *type)
{
	return error_set(err, EINVAL, "%s is not %s", key, type);
}

/* A value as the log has it is escaped as the text form wants it, but for the blank, which ends a word there. */
static void add_word(struct buffer *text, const char *key, const char *value)
{
	buffer_format(text, " %s=", key);
	for (const char *at = value; *at; at++) {
		if (*at == ' ')
			buffer_add_text(text, "\\x20");
		else
			buffer_add_byte(text, *at);
	}
}

static int add_text(struct buffer *text, const struct json_value *record, const char *member, const char *key,
		    struct error *err)
{
	const char *value = json_text(record, member);

	if (!value)
		return json_has(record, member) ? wrong_type(err, member, "a string") : 0;
	/* An errno without a name is E and its number there. */
	if (strcmp(member, "error") == 0 && value[0] == 'E' && value[1] >= '0' && value[1] <= '9')
		value++;
	add_word(text, key, value);
	return 0;
}

static int add_rights(struct buffer *text, const struct json_value *record, const char *key, struct error *err)
{
	const struct json_value *list = json_list(record, key);

	if (!list && json_has(record, key))
		return wrong_type(err, key, "a list");
	for (size_t i = 0; i < json_count(list); i++) {
		const char *name = json_text_at(list, i);

		if (!name || strpbrk(name, " ,"))
			return wrong_type(err, key, "a list of rights");
		buffer_format(text, i ? ",%s" : " %s=%s", i ? name : key, name);
	}
	return 0;
}

static int add_port(struct buffer *text, const struct json_value *record, struct error *err)
{
	const char *word = json_text(record, "port");
	long long number = 0;

	if (word && strcmp(word, "any") == 0)
		number = PORT_ANY;
	else if (!json_number(record, "port", &number) || number < 0)
		return json_has(record, "port") ? wrong_type(err, "port", "a port") : 0;
	buffer_format(text, " port=%lld", number);
	return 0;
}

/* What follows from the kind is not said again: of these the log has all that is taken, the text form what is extra. */
static bool has_own_rights(const char *kind)
{
	return strcmp(kind, "remove") != 0 && strcmp(kind, "rename") != 0 && strcmp(kind, "exchange") != 0 &&
	       strcmp(kind, "link") != 0;
}

int evidence_access_text(const struct json_value *record, struct buffer *text, struct error *err)
{
	static const struct {
		const char *member, *key;
	} words[] = {
		{"type", "type"},	  {"path", "path"},   {"group", "path"},   {"path2", "path2"}, {"link", "link"},
		{"replaced", "replaced"}, {"error", "error"}, {"syscall", "call"}, {"exe", "image"},
	};
	const char *kind = json_text(record, "kind");

	if (!kind || !*kind || strchr(kind, ' '))
		return wrong_type(err, "kind", "a kind of access");
	buffer_add_text(text, kind);
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
		if (add_text(text, record, words[i].member, words[i].key, err) < 0)
			return -err->number;
	if ((has_own_rights(kind) && add_rights(text, record, "rights", err) < 0) ||
	    add_rights(text, record, "absent", err) < 0 || add_port(text, record, err) < 0)
		return -err->number;
	if (strcmp(kind, access_kind_name(ACCESS_LOOK)) == 0 && !json_has(record, "result") &&
	    !json_has(record, "error"))
		add_word(text, "unanswered", "yes");
	if (json_flag(record, "asked"))
		add_word(text, "asked", "yes");
	if (json_flag(record, "inherited"))
		add_word(text, "inherited", "yes");
	return 0;
}

int evidence_access_read(const char *text, struct access *access, char **storage, struct error *err)
{
	if (access_read(text, access, storage, err) < 0)
		return -err->number;
	if (access->kind == ACCESS_CREATE)
		access->rights &= ~access_make_right(access->type);
	return 0;
}

char *evidence_flags(const struct json_value *record)
{
	const struct json_value *list = json_list(record, "flags");
	scoped_buffer text = {0};

	for (size_t i = 0; i < json_count(list); i++) {
		const char *name = json_text_at(list, i);

		if (name)
			buffer_format(&text, "%s%s", text.length ? "|" : "", name);
	}
	return text.length ? buffer_steal(&text) : NULL;
}

char *evidence_bytes(const struct json_value *record, const char *key, struct error *err)
{
	const char *value = json_text(record, key);
	scoped_buffer bytes = {0};

	if (!value && json_has(record, key))
		wrong_type(err, key, "a string");
	if (!value)
		return NULL;
	if (unescape_value(&bytes, value, NULL, NULL, err) < 0) {
		error_context(err, "%s", key);
		return NULL;
	}
	return buffer_steal(&bytes);
}
