/* What trace-run starts: the program that was named, or the one in the profile. */
#pragma once

#include "profile/profile.h"
#include "profile/reach.h"

struct launch_command {
	char *name;	  /* for execve(2) */
	char **arguments; /* the array is ours, the strings are not */
};

/* `program`: with its arguments, or NULL; `file` is the profile's name. 0, or the exit status with err set. */
int launch_command_find(struct launch_command *command, char **program, const struct profile *profile, const char *file,
			char *const environment[], struct error *err);
void launch_command_finish(struct launch_command *command); /* fine on a zeroed one */

/* The kernel refused the exec itself (EACCES): adds to err what the profile lacks. */
void launch_command_explain(const struct launch_command *command, const char *file, const struct reach *reach,
			    struct error *err);
