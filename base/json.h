/*
 * JSON both ways, through jansson, which only json.c sees. What is written is plain ASCII (other characters as
 * \uXXXX), so the same bytes are safe in a log, in a pipe and on a terminal. Members stay in the order in which they
 * were put.
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

struct json; /* an object or an array */

struct json *json_create_object(void);
struct json *json_create_array(void);
void json_destroy(struct json *json); /* NULL is fine */

/* Each puts a member of that key into an object, or, when key is NULL, an element at the end of an array. */
void json_put(struct json *json, const char *key, struct json *value);	  /* owns value from now on */
void json_put_text(struct json *json, const char *key, const char *text); /* words of our own; NULL puts null */
void json_put_number(struct json *json, const char *key, long long number);
void json_put_flag(struct json *json, const char *key, bool flag);

/*
 * For bytes from outside (paths, arguments, names): always with the escapes of a profile's value, so that every byte
 * string can be told from every other and read back with unescape_value(). NULL puts null.
 */
void json_put_bytes(struct json *json, const char *key, const char *bytes);

/* Appends it to out: indented with a newline at the end, or in one line without (JSON Lines). */
void json_write(const struct json *json, bool indented, struct buffer *out);

/*
 * The value that is `length` bytes of text, an object or an array; NULL with err set (-EINVAL) for anything else, a
 * member that is there twice, and a string that is not UTF-8 or holds a NUL. It may come from anybody: what it holds is
 * asked for by type, and missing where it has another one.
 */
struct json *json_read(const char *text, size_t length, struct error *err);

/* Of an object, by key: NULL (or false) where there is no such member of that type. They belong to the object. */
const char *json_text(const struct json *object, const char *key);
bool json_number(const struct json *object, const char *key, long long *number);
bool json_flag(const struct json *object, const char *key); /* it is there, and true */
const struct json *json_list(const struct json *object, const char *key);
const struct json *json_child(const struct json *object, const char *key); /* an object in it */
bool json_has(const struct json *object, const char *key);		   /* of whatever type */

/* Of an array; json_count(NULL) is 0. NULL for an element that is not a string, or not an object. */
size_t json_count(const struct json *array);
const char *json_text_at(const struct json *array, size_t i);
const struct json *json_object_at(const struct json *array, size_t i);

static inline void cleanup_json(struct json **json)
{
	json_destroy(*json);
}

#define scoped_json __attribute__((cleanup(cleanup_json))) struct json *
