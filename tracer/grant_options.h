/* The options of trace-learn that decide which grants come of a session. */
#pragma once

#include "base/error.h"
#include "profile/collapse.h"
#include "profile/learn.h"
#include "profile/variables.h"

struct command_line; /* tracer/command_line.h */

/* Each reads what stands behind the option; 0, or errno with err set to one clear line. */
int read_collapse(const char *text, struct collapse_options *collapse, struct error *err); /* NULL: the default */
int read_collapse_prefix(const char *text, struct collapse_options *collapse, struct error *err);
int read_proc(const char *text, bool *all, struct error *err);
int read_min_abi(const char *text, int *abi, struct error *err);

/* Whether what was given goes together; the same results. */
int check_collapse(const struct collapse_options *collapse, struct error *err);

void collapse_options_finish(struct collapse_options *collapse);

/*
 * All of them for the learner; *portable, the caller's to finish, are the variables of --portable. Says which of those
 * it has to do without.
 */
void grant_options_take(const struct command_line *line, const struct variables *variables, struct variables *portable,
			struct learn_options *options);
