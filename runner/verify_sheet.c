#include "runner/verify_sheet.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

struct verify_sheet *verify_sheet_create(void)
{
	void *memory =
		mmap(NULL, sizeof(struct verify_sheet), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void verify_sheet_destroy(struct verify_sheet *sheet)
{
	if (sheet)
		munmap(sheet, sizeof *sheet);
}

size_t verify_sheet_count(const struct verify_sheet *sheet, enum verify_result result)
{
	size_t count = 0;

	for (size_t i = 0; i < sheet->count; i++)
		count += sheet->items[i].result == result;
	return count;
}

const char *verify_result_name(enum verify_result result)
{
	static const char *const names[] = {
		[VERIFY_OK] = "ok", [VERIFY_DIFFERS] = "differs", [VERIFY_NOT_PROVABLE] = "not provable"};

	return names[result];
}

static struct verify_item *add_item(struct verify_sheet *sheet, const char *control)
{
	static struct verify_item too_many;
	struct verify_item *item =
		sheet->count < ARRAY_LENGTH(sheet->items) ? &sheet->items[sheet->count++] : &too_many;

	snprintf(item->control, sizeof item->control, "%s", control);
	return item;
}

void verify_fact(struct verify_sheet *sheet, const char *control, const char *declared, const char *observed)
{
	struct verify_item *item = add_item(sheet, control);

	snprintf(item->declared, sizeof item->declared, "%s", declared);
	snprintf(item->observed, sizeof item->observed, "%s", observed);
	item->result = strcmp(item->declared, item->observed) == 0 ? VERIFY_OK : VERIFY_DIFFERS;
	if (*observed)
		return;
	item->result = VERIFY_NOT_PROVABLE;
	snprintf(item->reason, sizeof item->reason, "/proc/self/status does not tell it");
}

static const char *outcome(int error)
{
	const char *name = error ? strerrorname_np(error) : "success";

	return name ? name : "an unknown errno";
}

static enum verify_result judge(const struct verify_tried *tried)
{
	if (tried->refused != tried->denial)
		return VERIFY_DIFFERS;
	if (tried->nothing_granted || tried->granted == tried->outside)
		return VERIFY_OK;
	return tried->later && tried->granted == tried->later ? VERIFY_OK : VERIFY_DIFFERS;
}

static void describe(struct verify_item *item, const struct verify_tried *tried)
{
	if (tried->nothing_granted)
		snprintf(item->observed, sizeof item->observed, "%s, outside %s", outcome(tried->refused),
			 outcome(tried->outside));
	else
		snprintf(item->observed, sizeof item->observed, "%s, granted %s, outside %s", outcome(tried->refused),
			 outcome(tried->granted), outcome(tried->outside));
}

void verify_access(struct verify_sheet *sheet, const char *control, const struct verify_tried *tried)
{
	struct verify_item *item = add_item(sheet, control);

	snprintf(item->declared, sizeof item->declared, "%s", outcome(tried->denial));
	item->result = VERIFY_NOT_PROVABLE;
	if (tried->unprovable) {
		snprintf(item->observed, sizeof item->observed, "nothing");
		snprintf(item->reason, sizeof item->reason, "%s", tried->unprovable);
		return;
	}
	describe(item, tried);
	if (tried->outside == tried->denial)
		snprintf(item->reason, sizeof item->reason, "without the control it fails in the same way here");
	else
		item->result = judge(tried);
}

void verify_open(struct verify_sheet *sheet, const char *control, int outside, int inside)
{
	verify_fact(sheet, control, outcome(outside), outcome(inside));
}
