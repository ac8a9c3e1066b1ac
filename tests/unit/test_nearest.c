/* What a message says of a name that is not known. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/nearest.h"

static const char *const known[] = {"read_file", "read_dir", "write_file", "udp"};

static void expect(const char *unknown, const char *start)
{
	scoped_free char *help = nearest_help(unknown, strlen(unknown), known, ARRAY_LENGTH(known));
	scoped_free char *want = format_text("%s (known: read_file, read_dir, write_file, udp)", start);

	cr_expect_str_eq(help, want);
}

Test(nearest, is_named_first)
{
	expect("raed_file", ", perhaps read_file");
	expect("readfile", ", perhaps read_file");
	expect("write_fileee", ", perhaps write_file");
	expect("read_dri", ", perhaps read_dir");
	expect("upd", ", perhaps udp");
	expect("READ_FILE", ", perhaps read_file");
}

Test(nearest, what_is_far_is_not_named)
{
	expect("execute", "");
	expect("", "");
	expect("xy", "");  /* of udp it has nothing */
	expect("uxy", ""); /* and here a third */
	expect("write_fileeee", "");
	expect("read_fileread_fileread_fileread_fileread_fileread_fileread_file", "");
}

Test(nearest, stops_at_the_length)
{
	scoped_free char *help = nearest_help("read_fil,write_file", 8, known, 1);
	scoped_free char *none = nearest_help("x", 1, NULL, 0);

	cr_expect_str_eq(help, ", perhaps read_file (known: read_file)");
	cr_expect_str_eq(none, "");
}
