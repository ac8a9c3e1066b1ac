/*
 * The program once more, under the profile that was just learned, as trace-run -e runs it (trace-learn --replay). The
 * process for it is made before the session, so that it has nothing of it: no signal that is blocked, no timer, no
 * processor of its own.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "runner/capture.h"
#include "runner/start.h"

struct replay {
	pid_t process;		/* that waits to be told to begin; 0 for none */
	int socket;		/* to it */
	bool output;		/* is compared as well */
	struct capture capture; /* of the session */
	struct captured captured[2];
};
#define REPLAY_NONE ((struct replay){.socket = -1, .capture = CAPTURE_NONE})

/* How it went. */
struct replay_end {
	bool failed; /* it could not be run; why was said */
	int status;  /* wait status */
	struct captured captured[2];
};

/* Before the session. The options are those of the start, without the profile's name. */
int replay_prepare(struct replay *replay, const struct start_options *options, bool output, struct error *err);

/* In the program's process of the session, before it is executed. */
void replay_take_place(const struct replay *replay);

/* After the session: all that it wrote was passed on. */
void replay_session_ended(struct replay *replay);

/*
 * Runs it under the profile of that name, and waits: what is sent to us is sent on, and we stop with it. -errno when it
 * could not be told to begin.
 */
int replay_run(struct replay *replay, const char *profile, struct replay_end *end, struct error *err);

/* What differs from the session, whose wait status that is, as a reason for a profile to be incomplete; NULL if nothing
 * does. The caller frees. */
char *replay_difference(const struct replay *replay, int status, const struct replay_end *end);

/* Ends what waits. Fine on REPLAY_NONE. */
void replay_finish(struct replay *replay);
