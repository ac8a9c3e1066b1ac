/*
 * Two ways to write bytes that came from outside, both in plain ASCII escapes.
 *
 * A value of a profile or log must come back as the same bytes: `\\`, `\n`, `\t` and `\xHH` for control bytes, bytes
 * that are not UTF-8, `;`, `#`, a blank at either end or after another one, the `$` of a `${`, and characters that
 * reorder or hide what stands beside them, show nothing, or look like a blank (the file is for human eyes too).
 *
 * A terminal must not be steered: escape_display() makes the same controls and characters visible, in the same form,
 * whatever the locale, and leaves everything else (backslashes too) as it is. Every byte string from outside is printed
 * through it; base/message.h does so for whole messages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

void escape_value(struct buffer *out, const char *value);

/*
 * Finds the value of `${name}` while unescape_value() reads. Returns 0 with *value set (not owned by the caller), or
 * -errno with err set.
 */
typedef int escape_variable_fn(void *data, const char *name, const char **value, struct error *err);

/*
 * Appends the bytes that the escaped `text` stands for. `variable` may be NULL: then `${` is an error, as are a bad or
 * cut escape, `\x00`, and an unclosed or empty variable name. -EINVAL, or what `variable` returned.
 */
int unescape_value(struct buffer *out, const char *text, escape_variable_fn *variable, void *data, struct error *err);

void escape_display(struct buffer *out, const char *text);

/* Length of the part of text before the first byte that is not UTF-8 or belongs to a control (a tab may pass). */
size_t clean_length(const char *text, bool with_tabs);

/* Length of the letters, digits and the like at text, which every way of writing (JSON too) leaves as they are. */
size_t plain_length(const char *text);

/* Length of the valid UTF-8 sequence at text (1 to 4) with its code point, or 0 when the byte there begins none. */
size_t utf8_sequence(const char *text, unsigned *code_point);
