/* A directory of the test's own, below TMPDIR: tests/run-test removes it, also when the test was skipped or died. */
#pragma once

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static inline void own_directory(char path[PATH_MAX])
{
	const char *parent = getenv("TMPDIR");

	snprintf(path, PATH_MAX, "%s/test.XXXXXX", parent ? parent : "/tmp");
	cr_assert_not_null(mkdtemp(path), "%s", path);
}

static inline void remove_directory(const char *path)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "rm -rf '%s'", path);
	cr_assert_eq(system(command), 0);
}
