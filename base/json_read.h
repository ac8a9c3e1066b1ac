/* Reading JSON, through jansson, which only json_read.c sees. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct json_value; /* an object or an array */

/*
 * The value that is `length` bytes of text, an object or an array; NULL with err set (-EINVAL) for anything else, a
 * member that is there twice, and a string that is not UTF-8 or holds a NUL. It may come from anybody: what it holds is
 * asked for by type, and missing where it has another one.
 */
struct json_value *json_read(const char *text, size_t length, struct error *err);
void json_value_destroy(struct json_value *value); /* what json_read() returned; NULL is fine */

/* Of an object, by key: NULL (or false) where there is no such member of that type. They belong to the object. */
const char *json_text(const struct json_value *object, const char *key);
bool json_number(const struct json_value *object, const char *key, long long *number);
bool json_flag(const struct json_value *object, const char *key); /* it is there, and true */
const struct json_value *json_list(const struct json_value *object, const char *key);
const struct json_value *json_child(const struct json_value *object, const char *key); /* an object in it */
bool json_has(const struct json_value *object, const char *key);		       /* of whatever type */

/* Of an array; json_count(NULL) is 0. NULL for an element that is not a string, or not an object. */
size_t json_count(const struct json_value *array);
const char *json_text_at(const struct json_value *array, size_t i);
const struct json_value *json_object_at(const struct json_value *array, size_t i);

static inline void cleanup_json_value(struct json_value **value)
{
	json_value_destroy(*value);
}

#define scoped_json_value __attribute__((cleanup(cleanup_json_value))) struct json_value *
