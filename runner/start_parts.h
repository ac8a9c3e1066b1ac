/* What the parts of a start share: start.c, and start_explained.c for -e and -n. */
#pragma once

#include <sys/stat.h>

#include "base/hash.h"
#include "profile/profile_file.h"
#include "runner/early_rules.h"
#include "runner/explain_apply.h"
#include "runner/launch_command.h"
#include "runner/parent.h"
#include "runner/ruleset.h"
#include "runner/start.h"
#include "runner/supervisor.h"

/* All that is known before anything is restricted. */
struct start {
	const struct start_options *options;
	struct profile profile;
	struct buffer bytes;	     /* of the profile's file */
	char sha256[HASH_TEXT_SIZE]; /* of them, with -e and -n */
	struct stat status;	     /* of the profile's file */
	struct tiers *tiers;
	struct reach reach;
	struct ruleset ruleset;
	struct early_rules early;
	char **environment; /* NULL: as it is */
	struct launch_command command;
	struct supervisor supervisor;
	bool supervised;
	struct explain_apply apply; /* unnamed without --apply */
	char *tty;		    /* name of the controlling terminal, or NULL */
	size_t warned;		    /* lines that are not applied */
};

/* In the program's process: puts it under the profile; executes it. `start` is a struct start. */
int start_restrict(void *start, struct error *err);
int start_execute(void *start, struct error *err);

/* Opens, or checks, the files that -e and -n write: before they say a word. */
int start_open_files(struct start *start, struct error *err);
/* Traces the program and explains. 0 with *end when it ran; else the exit status with err set. */
int start_explained(struct start *start, struct parent_end *end, struct error *err);
