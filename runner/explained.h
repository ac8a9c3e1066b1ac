/* A start with -e or -n: traced, then explained, and what would allow it written where --apply says. */
#pragma once

#include "runner/explain_apply.h"
#include "runner/traced.h"

struct explained {
	struct explain_options options;
	struct traced traced;
	bool json;		     /* --format=json */
	struct explain_apply *apply; /* NULL without --apply */
};

/* 0 with *end when the program ran; else the exit status with err set, or, with JSON, said before it already. */
int explained_run(const struct explained *explained, struct parent_end *end, struct error *err);
