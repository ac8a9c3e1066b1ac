/* What --verify makes of outcomes: nothing is ok that does not differ from outside. */
#include <criterion/criterion.h>
#include <errno.h>

#include "runner/verify_sheet.h"

static const struct verify_item *judge(struct verify_sheet *sheet, const struct verify_tried *tried)
{
	*sheet = (struct verify_sheet){0};
	verify_access(sheet, "right", tried);
	cr_assert_eq(sheet->count, 1);
	return &sheet->items[0];
}

#define EXPECT(want, ...) cr_expect_eq(judge(&sheet, &(struct verify_tried){__VA_ARGS__})->result, want)

Test(verify, what_an_access_proves)
{
	struct verify_sheet sheet;

	EXPECT(VERIFY_OK, .refused = EACCES, .denial = EACCES);
	EXPECT(VERIFY_OK, .outside = ENOEXEC, .granted = ENOEXEC, .refused = EACCES, .denial = EACCES);
	EXPECT(VERIFY_DIFFERS, .refused = 0, .denial = EACCES);				/* not refused */
	EXPECT(VERIFY_DIFFERS, .refused = EPERM, .denial = EACCES);			/* by something else */
	EXPECT(VERIFY_DIFFERS, .granted = EACCES, .refused = EACCES, .denial = EACCES); /* whatever is granted */
	EXPECT(VERIFY_DIFFERS, .granted = EPERM, .refused = EACCES, .denial = EACCES);
	EXPECT(VERIFY_OK, .granted = EPERM, .refused = EACCES, .denial = EACCES, .later = EPERM);
	EXPECT(VERIFY_OK, .granted = EINVAL, .refused = EACCES, .denial = EACCES, .nothing_granted = true);
}

Test(verify, what_proves_nothing)
{
	struct verify_sheet sheet;

	EXPECT(VERIFY_NOT_PROVABLE, .outside = EACCES, .granted = EACCES, .refused = EACCES, .denial = EACCES);
	cr_expect_str_eq(sheet.items[0].reason, "without the control it fails in the same way here");
	EXPECT(VERIFY_NOT_PROVABLE, .refused = EACCES, .denial = EACCES, .unprovable = "why");
	cr_expect_str_eq(sheet.items[0].reason, "why");
	cr_expect_str_eq(sheet.items[0].observed, "nothing");
}

Test(verify, facts_are_equal_or_differ)
{
	struct verify_sheet sheet = {0};

	verify_fact(&sheet, "NoNewPrivs", "1", "1");
	verify_fact(&sheet, "NoNewPrivs", "1", "0");
	verify_open(&sheet, "group", ENOENT, ENOENT);
	verify_open(&sheet, "group", ENOENT, EPERM);
	cr_expect_eq(verify_sheet_count(&sheet, VERIFY_OK), 2);
	cr_expect_eq(verify_sheet_count(&sheet, VERIFY_DIFFERS), 2);
	cr_expect_str_eq(sheet.items[3].observed, "EPERM");
	/* Without /proc nothing is observed: neither as declared nor different. */
	verify_fact(&sheet, "NoNewPrivs", "1", "");
	cr_expect_eq(verify_sheet_count(&sheet, VERIFY_NOT_PROVABLE), 1);
}
