/*
 * Decimal digits by hand, where they are written at each stop of a traced program or each open that is served:
 * printf(3) takes half a microsecond for them.
 */
#pragma once

#define DIGITS_SIZE 24 /* the longest number with its sign and NUL */

/* Writes the number and a NUL to the end of `digits`. Returns where it begins there. */
const char *digits_of(char digits[DIGITS_SIZE], long long number);
