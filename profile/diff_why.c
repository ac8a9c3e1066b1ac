#include "profile/diff_why.h"

#include <string.h>

#include "base/memory.h"
#include "profile/fact.h"

#define SHOWN 3 /* accesses for a line; JSON has all */

/* The question that a gained line is; a path that stands for the terminal has its own name (fact.h). */
static bool question_of(const struct change *change, struct question *question)
{
	static const struct variables none;
	char *words[] = {change->text};
	struct error err = {0};
	bool asked;

	*question = (struct question){0};
	if (!change->enforced || (change->kind != CHANGE_GAINED && change->kind != CHANGE_WIDENED))
		return false;
	if (change->path) {
		question->kind = QUESTION_GRANT;
		question->rights = change->rights;
		question->path = duplicate(change->path);
		return true;
	}
	if (strcmp(change->section, "network") != 0 && strcmp(change->section, "scope") != 0 &&
	    strcmp(change->section, "seccomp") != 0)
		return false;
	asked = question_read(words, 1, &none, question, &err) == 0;
	error_finish(&err);
	return asked;
}

void diff_why_print(const struct diff_why *source, const struct change *change, FILE *out, bool colour)
{
	scoped_question question = {0};
	scoped_why why = {0};

	if (!source || !question_of(change, &question))
		return;
	why_find(source->evidence, source->tiers, &question, &why);
	why_print(&why, &question, "    ", SHOWN, out, colour);
}

void diff_why_put(const struct diff_why *source, const struct change *change, struct json *object)
{
	scoped_question question = {0};
	scoped_why why = {0};

	if (!source || !question_of(change, &question))
		return;
	why_find(source->evidence, source->tiers, &question, &why);
	json_put(object, "why", why_json(&why));
	fact_put_rights(object, "unexplained", why.unexplained);
}
