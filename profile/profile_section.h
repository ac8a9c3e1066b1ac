/* Private to the reader: the lines of each section. */
#pragma once

#include "profile/profile_value.h"

/* Takes one line below this heading. */
int section_read(struct profile_reader *reader, enum heading heading, const struct ini_line *line, struct error *err);

/* At the end of the file: each environment variable has one line. Its errors have name and line. */
int environment_check(const struct profile_reader *reader, struct error *err);
