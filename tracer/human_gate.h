/* --review: between the end of the program and the writing of its profile stands a person. */
#pragma once

#include "profile/learn.h"
#include "tracer/log.h"

struct human_gate {
	struct profile *profile; /* what was learned; afterwards with the answers */
	const struct tiers *tiers;
	struct learner *learner;
	struct log *log;
	const struct profile *before; /* that the session adds to: what it has needs no answer; NULL for none */
	const char *name;	      /* of the profile, or NULL */
};

/* Before the program starts: -ENXIO when there is no terminal to ask on. */
int human_gate_check(struct error *err);

/*
 * Asks about all that is above normal, and holds what was not accepted. Each answer goes to the log. 0; -ECANCELED when
 * the person left without saving: no profile is to be written; -ENXIO when the terminal is gone, which is the same.
 */
int human_gate_pass(const struct human_gate *gate, struct error *err);
