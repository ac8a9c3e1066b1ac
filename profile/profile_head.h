/* Private to the reader and the writer: the [profile] section, whose keys and their order stand in one table. */
#pragma once

#include "profile/profile_value.h"

/* Takes one key of [profile]. */
int head_read(struct profile_reader *reader, const struct ini_line *line, struct error *err);

/* At the end of the file: what must be there. Its errors have name and line. */
int head_check(const struct profile_reader *reader, struct error *err);

typedef void head_line_fn(struct buffer *out, const char *key, const char *value, const struct origin *origin);

/* Calls fn for each line of the section, in order; value is escaped. */
void head_write(const struct profile *profile, head_line_fn *fn, struct buffer *out);
