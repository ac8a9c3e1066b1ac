/* For tests that need tiers: the built-in table, with the variables that are the same everywhere. */
#pragma once

#include "profile/tiers_table.h"
#include "profile_text.h"

/* TestSuite(…, .init = load_tiers, .fini = drop_tiers) */
static struct tiers *tiers;

static void load_tiers(void)
{
	scoped_error err = {0};

	cr_assert_eq(tiers_read_text(tiers_builtin, strlen(tiers_builtin), "tiers", &test_variables, &tiers, &err), 0,
		     "%s", err.message);
}

static void drop_tiers(void)
{
	tiers_destroy(tiers);
}
