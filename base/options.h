/*
 * Command lines through argp, with what all commands have in common: --help, --version, and one line for a wrong
 * option (argp itself would print more, and names from outside unescaped).
 */
#pragma once

#include <argp.h>

#include "base/error.h"

/*
 * Parses argv with argp's options; --help and --version are added. `name` is the command's, as help and version print
 * it. `flags`: 0, or ARGP_IN_ORDER where the first operand begins another command line (its parser then takes the rest
 * with options_take_rest()). A parser of the caller's that refuses something sets err, which it finds through its
 * input, and returns err->number. An argument in a word of its own that begins with - is refused: it is an option,
 * before which the argument is missing; so is one that begins with = behind a short option, in one word. Returns 0; 1 when help or version was printed and the command is done; -errno
 * with err set to one clear line.
 */
int options_parse(const struct argp *argp, const char *name, int argc, char **argv, unsigned flags, void *input,
		  struct error *err);

/* In a parser, for ARGP_KEY_ARG: the operand at hand and all that follows, none of it read as an option. */
char **options_take_rest(struct argp_state *state, int *count);
