#include <criterion/criterion.h>
#include <string.h>

#include "base/buffer.h"
#include "runner/environment.h"

static struct profile profile;
static struct buffer joined;

static void finish(void)
{
	profile_finish(&profile);
	buffer_finish(&joined);
}

/* What the program would get, entries separated by '|'; "as it is" for no change. */
static const char *built_from(char *const environment[])
{
	char **built = environment_build(&profile, environment);

	buffer_clear(&joined);
	for (size_t i = 0; built && built[i]; i++)
		buffer_format(&joined, "%s%s", i ? "|" : "", built[i]);
	if (!built)
		buffer_add_text(&joined, "as it is");
	environment_destroy(built);
	return buffer_text(&joined);
}

static char *const three[] = {(char *)"PATH=/bin", (char *)"TOKEN=x=y", (char *)"LANG=de", NULL};

Test(environment, passes_unchanged_without_the_section, .fini = finish)
{
	cr_assert_str_eq(built_from(three), "as it is");
}

Test(environment, an_empty_section_changes_nothing, .fini = finish)
{
	profile.has_environment = true;
	cr_assert_str_eq(built_from(three), "PATH=/bin|TOKEN=x=y|LANG=de");
}

Test(environment, unset_removes, .fini = finish)
{
	profile_add_environment(&profile, ENVIRONMENT_UNSET, "TOKEN", NULL);
	profile_add_environment(&profile, ENVIRONMENT_UNSET, "LAN", NULL);
	cr_assert_str_eq(built_from(three), "PATH=/bin|LANG=de");
}

Test(environment, with_keep_nothing_else_passes, .fini = finish)
{
	profile_add_environment(&profile, ENVIRONMENT_KEEP, "LANG", NULL);
	profile_add_environment(&profile, ENVIRONMENT_KEEP, "MISSING", NULL);
	cr_assert_str_eq(built_from(three), "LANG=de");
}

Test(environment, set_replaces_and_adds, .fini = finish)
{
	profile_add_environment(&profile, ENVIRONMENT_SET, "LANG", "C");
	profile_add_environment(&profile, ENVIRONMENT_SET, "NEW", "");
	cr_assert_str_eq(built_from(three), "PATH=/bin|TOKEN=x=y|LANG=C|NEW=");
}

Test(environment, set_counts_beside_keep, .fini = finish)
{
	profile_add_environment(&profile, ENVIRONMENT_KEEP, "PATH", NULL);
	profile_add_environment(&profile, ENVIRONMENT_SET, "LANG", "C");
	cr_assert_str_eq(built_from(three), "PATH=/bin|LANG=C");
}

Test(environment, repeated_and_strange_entries_pass_as_they_are, .fini = finish)
{
	char *const strange[] = {(char *)"A=1", (char *)"novalue", (char *)"A=2", (char *)"=x", NULL};

	profile_add_environment(&profile, ENVIRONMENT_UNSET, "B", NULL);
	cr_assert_str_eq(built_from(strange), "A=1|novalue|A=2|=x");
}
