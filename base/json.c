#include "base/json.h"

#include <errno.h>
#include <jansson.h>

#include "base/escape.h"
#include "base/memory.h"

/* jansson fails only for want of memory here: strings are checked before, keys are ours. */
static json_t *made(json_t *value)
{
	if (!value)
		out_of_memory();
	return value;
}

static json_t *value_of(struct json *json)
{
	return (json_t *)json;
}

struct json *json_create_object(void)
{
	return (struct json *)made(json_object());
}

struct json *json_create_array(void)
{
	return (struct json *)made(json_array());
}

void json_destroy(struct json *json)
{
	json_decref(value_of(json));
}

static void put_value(struct json *json, const char *key, json_t *value)
{
	int failed = key ? json_object_set_new(value_of(json), key, made(value))
			 : json_array_append_new(value_of(json), made(value));

	if (failed)
		out_of_memory();
}

void json_put(struct json *json, const char *key, struct json *value)
{
	put_value(json, key, value_of(value));
}

void json_put_number(struct json *json, const char *key, long long number)
{
	put_value(json, key, json_integer(number));
}

void json_put_flag(struct json *json, const char *key, bool flag)
{
	put_value(json, key, json_boolean(flag));
}

static bool is_utf8(const char *text)
{
	unsigned code_point;
	size_t length;

	for (; *text; text += length) {
		length = utf8_sequence(text, &code_point);
		if (!length)
			return false;
	}
	return true;
}

void json_put_text(struct json *json, const char *key, const char *text)
{
	if (text && !is_utf8(text))
		json_put_bytes(json, key, text);
	else
		put_value(json, key, text ? json_string(text) : json_null());
}

void json_put_bytes(struct json *json, const char *key, const char *bytes)
{
	scoped_buffer escaped = {0};

	if (bytes)
		escape_value(&escaped, bytes);
	put_value(json, key, bytes ? json_string(buffer_text(&escaped)) : json_null());
}

static int add_to_buffer(const char *bytes, size_t length, void *data)
{
	buffer_add(data, bytes, length);
	return 0;
}

void json_write(const struct json *json, bool indented, struct buffer *out)
{
	size_t form = JSON_ENSURE_ASCII | (indented ? JSON_INDENT(2) : JSON_COMPACT);

	if (json_dump_callback((const json_t *)json, add_to_buffer, out, form))
		out_of_memory();
	if (indented)
		buffer_add_byte(out, '\n');
}

struct json *json_read(const char *text, size_t length, struct error *err)
{
	json_error_t where;
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);

	if (!value)
		error_set(err, EINVAL, "not JSON: %s", where.text);
	return (struct json *)value;
}

static const json_t *member(const struct json *object, const char *key)
{
	return json_object_get((const json_t *)object, key);
}

const char *json_text(const struct json *object, const char *key)
{
	return json_string_value(member(object, key));
}

bool json_number(const struct json *object, const char *key, long long *number)
{
	const json_t *value = member(object, key);

	if (!json_is_integer(value))
		return false;
	*number = json_integer_value(value);
	return true;
}

bool json_flag(const struct json *object, const char *key)
{
	return json_is_true(member(object, key));
}

const struct json *json_list(const struct json *object, const char *key)
{
	const json_t *value = member(object, key);

	return json_is_array(value) ? (const struct json *)value : NULL;
}

const struct json *json_child(const struct json *object, const char *key)
{
	const json_t *value = member(object, key);

	return json_is_object(value) ? (const struct json *)value : NULL;
}

bool json_has(const struct json *object, const char *key)
{
	return member(object, key) != NULL;
}

size_t json_count(const struct json *array)
{
	return json_array_size((const json_t *)array);
}

static const json_t *element(const struct json *array, size_t i)
{
	return json_array_get((const json_t *)array, i);
}

const char *json_text_at(const struct json *array, size_t i)
{
	return json_string_value(element(array, i));
}

const struct json *json_object_at(const struct json *array, size_t i)
{
	return json_is_object(element(array, i)) ? (const struct json *)element(array, i) : NULL;
}
