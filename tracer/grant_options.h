/* The options of trace-learn that decide which grants come of a session. */
#pragma once

#include "base/error.h"
#include "profile/collapse.h"

/* Each reads what stands behind the option; 0, or errno with err set to one clear line. */
int read_collapse(const char *text, struct collapse_options *collapse, struct error *err); /* NULL: the default */
int read_collapse_prefix(const char *text, struct collapse_options *collapse, struct error *err);
int read_proc(const char *text, bool *all, struct error *err);
int read_min_abi(const char *text, int *abi, struct error *err);

/* Whether what was given goes together; the same results. */
int check_collapse(const struct collapse_options *collapse, struct error *err);

void collapse_options_finish(struct collapse_options *collapse);
