/*
 * trace-run --verify: a probe is started with all controls of a profile, as its program would be, and tries each of
 * them from inside. What the probe may have beyond the profile are rules on a scratch tree, on two devices and on ports
 * of its own, so that what is granted can be tried without touching anything.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "profile/reach.h"
#include "runner/ruleset.h"
#include "runner/supervisor.h"

/* Puts the process that calls it under all controls, the ruleset's with what was added to it. */
typedef int verify_restrict_fn(void *data, struct error *err);

struct verify_options {
	const char *file;	       /* the profile's name */
	struct ruleset *ruleset;       /* gets the probe's own rules */
	const struct reach *reach;     /* borrowed */
	struct supervisor *supervisor; /* NULL: there is none */
	bool notified;		       /* the supervisor is asked about opens */
	bool drop_caps, json;
	verify_restrict_fn *restrict_probe;
	void *data;
};

/* Prints declared against observed on stdout. 0: all is as declared; 1: something differs; 125 with err set. */
int verify_run(const struct verify_options *options, struct error *err);
