/* A profile as a reviewer reads it: what it allows, as a tree by computed tier, and what is known of its sessions. */
#pragma once

#include <stdio.h>

#include "profile/profile.h"
#include "profile/tiers.h"

/*
 * Paths that are directories now, or are not there and have rights that only a directory can have, end in a slash and
 * two stars: such a line reaches everything beneath. The profile's headings are not trusted; one that is too low is
 * named.
 */
void show_text(const struct profile *profile, const struct tiers *tiers, const char *name, FILE *out, bool colour);

/* The same in the form of docs/trace-profile-show.schema.json. */
void show_json(const struct profile *profile, const struct tiers *tiers, const char *name, FILE *out);

/* Whether a grant on path reaches what lies beneath it. */
bool show_is_wide(const struct grant *grant);
