/* The command line of trace-learn. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/message.h"
#include "profile/collapse.h"
#include "profile/tiers.h"
#include "tracer/log.h"
#include "tracer/trace.h"

struct command_line {
	const char *output; /* as given; NULL: PROGRAM.ini, "-": standard output */
	const char *base;   /* profile whose limits are in force, or NULL */
	const char *merge;  /* profile to add to, or NULL; where `output` is NULL it is written there */
	const char *tiers;  /* file, or NULL */
	char **program;	    /* with its arguments; ends with NULL */
	int program_count;
	struct trace_options trace;
	struct log_options log;
	enum tier hold; /* as struct learn_options */
	enum message_level level;
	struct collapse_options collapse; /* with collapse_options_finish() in the end */
	int min_abi;			  /* of the profile; 0: this kernel's */
	bool force;
	bool with_absent;
	bool review; /* a person decides about each grant above normal */
	bool portable;
	bool replay; /* run the program again under its profile, and compare */
	bool replay_output;
	bool no_arguments; /* of the program in profile and log */
};

/* Returns 0; 1 when help or version was printed to stdout; -EINVAL with one clear line. */
int command_line_read(int argc, char **argv, struct command_line *line, struct error *err);
