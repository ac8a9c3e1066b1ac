#include "base/json_read.h"

#include <errno.h>
#include <jansson.h>

struct json_value *json_read(const char *text, size_t length, struct error *err)
{
	json_error_t where;
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);

	if (!value)
		error_set(err, EINVAL, "not JSON: %s", where.text);
	return (struct json_value *)value;
}

void json_value_destroy(struct json_value *value)
{
	json_decref((json_t *)value);
}

static const json_t *member(const struct json_value *object, const char *key)
{
	return json_object_get((const json_t *)object, key);
}

const char *json_text(const struct json_value *object, const char *key)
{
	return json_string_value(member(object, key));
}

bool json_number(const struct json_value *object, const char *key, long long *number)
{
	const json_t *value = member(object, key);

	if (!json_is_integer(value))
		return false;
	*number = json_integer_value(value);
	return true;
}

bool json_flag(const struct json_value *object, const char *key)
{
	return json_is_true(member(object, key));
}

const struct json_value *json_list(const struct json_value *object, const char *key)
{
	const json_t *value = member(object, key);

	return json_is_array(value) ? (const struct json_value *)value : NULL;
}

const struct json_value *json_child(const struct json_value *object, const char *key)
{
	const json_t *value = member(object, key);

	return json_is_object(value) ? (const struct json_value *)value : NULL;
}

bool json_has(const struct json_value *object, const char *key)
{
	return member(object, key) != NULL;
}

size_t json_count(const struct json_value *array)
{
	return json_array_size((const json_t *)array);
}

static const json_t *element(const struct json_value *array, size_t i)
{
	return json_array_get((const json_t *)array, i);
}

const char *json_text_at(const struct json_value *array, size_t i)
{
	return json_string_value(element(array, i));
}

const struct json_value *json_object_at(const struct json_value *array, size_t i)
{
	return json_is_object(element(array, i)) ? (const struct json_value *)element(array, i) : NULL;
}
