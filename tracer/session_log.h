/* The audit log of a trace-learn: where it goes, what is said of it before the program starts, and how it ends. */
#pragma once

#include "tracer/command_line.h"
#include "tracer/log.h"
#include "tracer/store.h"

/*
 * As the command line has it; in doubt beside the profile, which is said. What of `start` the command line knows is
 * filled in. *log is NULL with --no-log. -errno when there can be no log.
 */
int session_log_open(const struct command_line *line, struct log_start *start, const struct tiers *tiers,
		     const struct store *store, struct log **log, struct error *err);

/* An argument that looks like a secret is warned of: it will stand in profile and log. */
void session_log_warn(const struct command_line *line);

/* The end, with the profile's name and hash where one was written. -errno with err set when the log is not whole. */
int session_log_close(struct log *log, struct log_end *end, const struct profile *profile, const struct store *store,
		      struct error *err);
