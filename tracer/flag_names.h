/* Names of the flags that a call got, for the log. Pure. */
#pragma once

#include <stdint.h>

#include "base/json.h"

/* Puts a list under `key` when there is anything to say; bits without a name stand last, as one hexadecimal number. */
void flag_names_put(struct json *json, const char *key, const char *call, uint64_t flags);
