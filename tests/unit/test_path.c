#include <criterion/criterion.h>

#include "base/cleanup.h"
#include "profile/path.h"

Test(path, clean_ones)
{
	cr_expect(path_is_clean("/"));
	cr_expect(path_is_clean("/a"));
	cr_expect(path_is_clean("/a/b.c"));
	cr_expect(path_is_clean("/..."));
	cr_expect(path_is_clean("/.a/..b/c.."));
	cr_expect(path_is_clean("/a b/\n"));
}

Test(path, others)
{
	static const char *const paths[] = {"",	   "a",	   "a/b",   "//",   "/a/",   "/a//b",  "//a",	 "/.",
					    "/..", "/a/.", "/a/..", "/./a", "/../a", "/a/./b", "/a/../b"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		cr_expect_not(path_is_clean(paths[i]), "%s", paths[i]);
}

static void expect_clean(const char *path, const char *want)
{
	scoped_free char *clean = path_clean(path);

	cr_assert_not_null(clean, "%s", path);
	cr_expect_str_eq(clean, want);
	cr_expect(path_is_clean(clean));
}

Test(path, clean)
{
	expect_clean("/", "/");
	expect_clean("///", "/");
	expect_clean("/.", "/");
	expect_clean("/a/b", "/a/b");
	expect_clean("//a///b//", "/a/b");
	expect_clean("/./a/./b/.", "/a/b");
	expect_clean("/.../.b", "/.../.b");
	cr_expect_null(path_clean(""));
	cr_expect_null(path_clean("a/b"));
	cr_expect_null(path_clean("/a/.."));
	cr_expect_null(path_clean("/../a"));
}

Test(path, dots)
{
	cr_expect(path_has_dots("."));
	cr_expect(path_has_dots("/a/."));
	cr_expect(path_has_dots("/a/../b"));
	cr_expect(path_has_dots("../b"));
	cr_expect_not(path_has_dots(""));
	cr_expect_not(path_has_dots("/"));
	cr_expect_not(path_has_dots("/a//b/.c/d./..."));
}

Test(path, parent)
{
	scoped_free char *parent = path_parent("/a/b");
	scoped_free char *root = path_parent("/a");

	cr_expect_str_eq(parent, "/a");
	cr_expect_str_eq(root, "/");
	cr_expect_null(path_parent("/"));
	cr_expect_eq(path_parent_length("/a/b"), 2u);
	cr_expect_eq(path_parent_length("/a"), 1u);
	cr_expect_eq(path_parent_length("/"), 0u);
}

Test(path, beneath)
{
	cr_expect(path_is_beneath("/a/b", "/a"));
	cr_expect(path_is_beneath("/a", "/a"));
	cr_expect(path_is_beneath("/a", "/"));
	cr_expect(path_is_beneath("/", "/"));
	cr_expect_not(path_is_beneath("/ab", "/a"));
	cr_expect_not(path_is_beneath("/a", "/a/b"));
	cr_expect_not(path_is_beneath("/", "/a"));
	cr_expect(path_is_strictly_beneath("/a/b", "/a"));
	cr_expect(path_is_strictly_beneath("/a", "/"));
	cr_expect_not(path_is_strictly_beneath("/a", "/a"));
	cr_expect_not(path_is_strictly_beneath("/", "/"));
}
