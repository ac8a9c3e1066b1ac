/* What the commands of trace-profile do with one profile, or several, once the command line is read. */
#pragma once

#include "profile/look.h"
#include "profile/merge_command.h"

/* Exit statuses, as diff(1) and grep(1) have them. */
enum { STATUS_FINE, STATUS_FINDINGS, STATUS_TROUBLE };

/* Of all commands; all strings are borrowed. */
struct command_arguments {
	bool all;		    /* lines, of review */
	const char *format;	    /* --format, NULL when it is not given */
	struct merge_command merge; /* its options */
	const char *profile;	    /* --profile, of why */
	char **logs;		    /* --log, of why and review */
	size_t log_count, log_capacity;
	char **names; /* operands */
	int name_count;
};

/* The exit status, or -errno with err set. */
typedef int command_fn(const struct command_arguments *arguments, const struct look *look, struct error *err);

command_fn command_show, command_why, command_merge, command_review, command_trust, command_export;
