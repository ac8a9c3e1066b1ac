/* How the dialogue ends: what was answered is saved, or lost on purpose; and what a question ends with. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/review_talk.h"

/* What page_show() or terminal_key() said that is no key. */
int talk_end_of(int result)
{
	return result == TERMINAL_SIGNAL ? REVIEW_KILLED : REVIEW_LEFT;
}

int talk_show(struct page *page, int then)
{
	int result = page_show(page);

	return result < 0 ? talk_end_of(result) : then;
}

int talk_say(struct talk *talk, enum style style, const char *text)
{
	struct page page = {.talk = talk};

	page_add(&page, style, 2, "  %s", text);
	return talk_show(&page, ASK_AGAIN);
}

void talk_tell(const struct talk *talk, const struct review_item *item, enum review_told told)
{
	if (talk->with->told)
		talk->with->told(talk->with->data, item, told);
}

/* Asks for the same key once more: SHOW_ITEM when it is not pressed, else `then`. */
static int confirm(struct talk *talk, int wanted, int then, const char *fact)
{
	int key = talk_say(talk, STYLE_YELLOW, fact);

	if (key != ASK_AGAIN)
		return key;
	fprintf(talk->terminal->out, "%c again? ", wanted);
	do
		key = terminal_key(talk->terminal);
	while (key == TERMINAL_RESUMED);
	if (key == TERMINAL_CLOSED || key == TERMINAL_SIGNAL || key == TERMINAL_END_OF_INPUT)
		return talk_end_of(key);
	fputc('\n', talk->terminal->out);
	return key == wanted ? then : SHOW_ITEM;
}

int talk_quit(struct talk *talk)
{
	size_t answers = review_answer_count(talk->review);
	scoped_free char *question = NULL;

	if (talk->with->gate)
		question = format_text("No profile will be written then.");
	else if (answers)
		question = format_text("%zu answer%s will be lost.", answers, answers == 1 ? "" : "s");
	return question ? confirm(talk, 'q', REVIEW_LEFT, question) : REVIEW_LEFT;
}

/* Until it is written, or the person goes back. */
static int save_under_another_name(struct talk *talk)
{
	for (;;) {
		scoped_free char *name = NULL;
		scoped_error err = {0};
		int result;

		fputs("Another name (empty: back): ", talk->terminal->out);
		result = terminal_line(talk->terminal, &name);
		if (result < 0)
			return talk_end_of(result);
		if (!*name)
			return SHOW_ITEM;
		if (talk->with->save(talk->with->data, name, &err) == 0)
			return REVIEW_SAVED;
		result = talk_say(talk, STYLE_RED, err.message);
		if (result != ASK_AGAIN)
			return result;
	}
}

static int save(struct talk *talk)
{
	scoped_error err = {0};
	int result, said;

	if (!talk->with->save)
		return REVIEW_SAVED;
	result = talk->with->save(talk->with->data, NULL, &err);
	if (result == 0)
		return REVIEW_SAVED;
	said = talk_say(talk, STYLE_RED, err.message);
	return said != ASK_AGAIN ? said : save_under_another_name(talk);
}

static void hold_rest(const struct talk *talk)
{
	size_t answers = review_answer_count(talk->review);

	review_hold_rest(talk->review);
	for (; answers < review_answer_count(talk->review); answers++)
		talk_tell(talk, review_answered(talk->review, answers), REVIEW_UNANSWERED);
}

int talk_save(struct talk *talk)
{
	size_t open = review_open_count(talk->review);
	scoped_free char *question = NULL;
	int then = REVIEW_SAVED;

	if (open)
		question = format_text("Not answered: %zu. %s", open,
				       talk->with->gate ? "That will be held; what cannot be held, dropped."
							: "That stays as it is, and the file is not trusted by this.");
	if (question)
		then = confirm(talk, 's', REVIEW_SAVED, question);
	if (then != REVIEW_SAVED)
		return then;
	if (talk->with->gate)
		hold_rest(talk);
	return save(talk);
}
