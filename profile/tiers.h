/*
 * Tiers: how much a grant deserves a look. The table is INI (profile/tiers.ini is the one built in); order:
 * the --tiers file, $XDG_CONFIG_HOME/trace-learn/tiers.ini, SYSCONFDIR/trace-learn/tiers.ini, built in.
 */
#pragma once

#include "base/error.h"
#include "profile/profile.h"
#include "profile/variables.h"

enum tier { TIER_NORMAL, TIER_GUARDED, TIER_PROTECTED };

/* Of what has no path, in every tool: a port, a scope, a word in [seccomp]. */
#define TIER_OF_PORT  TIER_GUARDED
#define TIER_OF_SCOPE TIER_PROTECTED
#define TIER_OF_WORD  TIER_PROTECTED

struct tiers;

/*
 * Loads the first table of the order above (`file` may be NULL). A file that exists but cannot be read or has an error
 * is a failure with file and line, never passed over. `variables` give `~`, and with it whose homes are other people's.
 */
int tiers_load(const char *file, const struct variables *variables, struct tiers **tiers, struct error *err);
int tiers_read_text(const char *text, size_t length, const char *name, const struct variables *variables,
		    struct tiers **tiers, struct error *err);
void tiers_destroy(struct tiers *tiers);

const char *tiers_hash(const struct tiers *tiers); /* SHA-256 of the file; NULL for the built-in table */
const char *tiers_file(const struct tiers *tiers); /* its name; NULL for the built-in table */

/* Tier of these rights on path alone, as if nothing lay beneath it. */
enum tier tiers_of_path(const struct tiers *tiers, const char *path, rights_t rights);
/* Tier of a grant: the highest of all that it reaches (a grant on a directory reaches everything beneath it). */
enum tier tiers_of_grant(const struct tiers *tiers, const char *path, rights_t rights);
/* Which line of the table gives the grant its tier, in words for people; not escaped. The caller frees. */
char *tiers_reason(const struct tiers *tiers, const char *path, rights_t rights);

const char *tier_name(enum tier tier); /* "normal", … */
int tier_read(const char *name, enum tier *tier, struct error *err);
enum section section_of_tier(enum tier tier);

/* Puts each enforced grant under the heading of its computed tier. Held and absent ones stay. */
void tiers_apply(const struct tiers *tiers, struct profile *profile);
