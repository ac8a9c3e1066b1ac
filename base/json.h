/*
 * JSON for output. It is plain ASCII (other characters as \uXXXX), so the same bytes are safe in a log, in a pipe and
 * on a terminal. Members stay in the order in which they were put; the text grows with each, so a record of a log costs
 * no tree of values. json_read.h is the other way.
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

struct json; /* an object or an array */

struct json *json_create_object(void);
struct json *json_create_array(void);
void json_destroy(struct json *json); /* NULL is fine */
void json_clear(struct json *json);   /* empty again, with its memory */

/* Each puts a member of that key into an object, or, when key is NULL, an element at the end of an array. */
void json_put(struct json *json, const char *key, struct json *value);	  /* owns value from now on */
void json_put_text(struct json *json, const char *key, const char *text); /* words of our own; NULL puts null */
void json_put_number(struct json *json, const char *key, long long number);
void json_put_flag(struct json *json, const char *key, bool flag);

/* The same as json_put() of an array, without a value of its own: what is put between the two is in it, without keys.
 */
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);

/*
 * For bytes from outside (paths, arguments, names): always with the escapes of a profile's value, so that every byte
 * string can be told from every other and read back with unescape_value(). NULL puts null.
 */
void json_put_bytes(struct json *json, const char *key, const char *bytes);

/* Appends it to out: indented with a newline at the end, or in one line without (JSON Lines). */
void json_write(const struct json *json, bool indented, struct buffer *out);

static inline void cleanup_json(struct json **json)
{
	json_destroy(*json);
}

#define scoped_json __attribute__((cleanup(cleanup_json))) struct json *
