#include "profile/review_why.h"

#include "profile/why.h"

#define ACCESSES_SHOWN 10

int review_why_read(struct review_why *why, const char *log, struct error *err)
{
	int result = evidence_read(&why->evidence, log, err);

	why->read |= result == 0;
	return result;
}

void review_why_finish(struct review_why *why)
{
	evidence_finish(&why->evidence);
}

/* Its strings are the item's. */
static struct question question_about(const struct review_item *item)
{
	static const enum question_kind kinds[] = {
		[REVIEW_GRANT] = QUESTION_GRANT,
		[REVIEW_PORT] = QUESTION_PORT,
		[REVIEW_SCOPE] = QUESTION_SCOPE,
		[REVIEW_CALLS] = QUESTION_CALL,
	};

	return (struct question){
		.kind = kinds[item->kind], .rights = item->rights, .port = item->port, .path = item->text};
}

void review_why_print(struct review_why *why, const struct review_item *item, FILE *out, bool colour)
{
	const struct question question = question_about(item);
	scoped_why found = {0};

	if (!why->read || item->kind > REVIEW_CALLS)
		return;
	why_find(&why->evidence, why->tiers, &question, &found);
	if (found.count)
		why_print(&found, &question, "  ", ACCESSES_SHOWN, out, colour);
	else
		fputs("  no access in the log took it\n", out);
}
