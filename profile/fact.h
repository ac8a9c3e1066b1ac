/*
 * Facts of a profile for those who print them: in the words of its lines (profile/profile_line.h), but never in the
 * spelling of the file, which may hide what a line means ("\x2e\x73sh"). The caller frees.
 */
#pragma once

#include "base/json.h"
#include "base/output.h"
#include "profile/profile.h"
#include "profile/tiers.h"

/*
 * What stands for the controlling terminal while a profile is only looked at: `${TTY}` is the same fact on every
 * terminal, and on none. It is printed as ${TTY}.
 */
#define TERMINAL_PLACEHOLDER "/dev/${TTY}"

char *fact_path(const char *path); /* or any other value: escaped */
char *fact_rights(rights_t rights);
char *fact_grant(rights_t rights, const char *path);
char *fact_port(rights_t rights, int port);
char *fact_move(const struct move *move);
char *fact_environment(const struct environment_line *line); /* "set = LANG=C" */
char *fact_value(const char *key, const char *value);	     /* "program = /usr/bin/x" */
/* In one line, for people: neither escaped nor made to be read back. */
char *fact_arguments(const struct profile *profile);

/* How much a line deserves a look: that is what colour tells, in a diff as well. */
enum style tier_style(enum tier tier);

/* Members of JSON output: a path as fact_path() has it (NULL puts null), and a list of rights. */
void fact_put_path(struct json *object, const char *key, const char *path);
void fact_put_rights(struct json *object, const char *key, rights_t rights);
