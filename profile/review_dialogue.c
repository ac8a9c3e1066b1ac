#include "profile/review_dialogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/review_talk.h"

#define PROMPT_COLUMNS 80 /* below that letters must do */

static bool is_at_item(const struct talk *talk)
{
	return talk->at < review_count(talk->review);
}

/* To the next line that is not answered, from `from` on and round. */
static void go_to_open(struct talk *talk, size_t from)
{
	size_t count = review_count(talk->review);

	for (size_t i = 0; i < count; i++) {
		talk->at = (from + i) % count;
		if (review_item(talk->review, talk->at)->answer == REVIEW_OPEN)
			return;
	}
	talk->at = count;
}

static int take_answer(struct talk *talk, enum review_answer answer)
{
	struct page page = {.talk = talk};
	scoped_error err = {0};
	const struct review_item *given;

	if (!is_at_item(talk))
		return talk_say(talk, STYLE_YELLOW,
				"There is no line to answer here: p goes back, u takes an answer back.");
	if (review_answer(talk->review, talk->at, answer, &err) < 0)
		return talk_say(talk, STYLE_YELLOW, err.message);
	given = review_answered(talk->review, review_answer_count(talk->review) - 1);
	talk_tell(talk, given, REVIEW_GIVEN);
	page_add(&page, STYLE_GREEN, 4, "  %s%s%s", review_answer_name(answer), given->wider ? " to " : "",
		 given->wider ? given->wider : "");
	talk_add_consequences(talk, &page, given);
	go_to_open(talk, review_find(talk->review, given));
	return talk_show(&page, SHOW_ITEM);
}

static int do_grant(struct talk *talk)
{
	return take_answer(talk, REVIEW_GRANTED);
}

static int do_hold(struct talk *talk)
{
	return take_answer(talk, REVIEW_HELD);
}

static int do_drop(struct talk *talk)
{
	return take_answer(talk, REVIEW_DROPPED);
}

/* The wider line comes next, so that it is seen what it reaches, and can be widened again. */
static int do_widen(struct talk *talk)
{
	size_t answers = review_answer_count(talk->review);
	int then = take_answer(talk, REVIEW_WIDENED);

	if (review_answer_count(talk->review) > answers) {
		const struct review_item *given = review_answered(talk->review, answers);

		talk->at = review_find(talk->review, &(struct review_item){.kind = REVIEW_GRANT, .text = given->wider});
	}
	return then;
}

static int do_explain(struct talk *talk)
{
	struct page page = {.talk = talk};

	if (is_at_item(talk))
		talk_add_explanation(talk, &page);
	return talk_show(&page, ASK_AGAIN);
}

static int do_undo(struct talk *talk)
{
	const struct review_item *item = review_undo(talk->review);
	struct page page = {.talk = talk};

	if (!item)
		return talk_say(talk, STYLE_YELLOW, "There is no answer to take back.");
	talk_tell(talk, item, REVIEW_UNDONE);
	page_add(&page, STYLE_GREEN, 4, "  no longer %s", review_answer_name(item->answer));
	talk->at = review_find(talk->review, item);
	return talk_show(&page, SHOW_ITEM);
}

static int do_view(struct talk *talk)
{
	struct page page = {.talk = talk};

	talk_add_change(talk, &page);
	return talk_show(&page, ASK_AGAIN);
}

static int do_list(struct talk *talk)
{
	struct page page = {.talk = talk};

	talk_add_list(talk, &page);
	return talk_show(&page, ASK_AGAIN);
}

static int do_next(struct talk *talk)
{
	talk->at += is_at_item(talk);
	return SHOW_ITEM;
}

static int do_previous(struct talk *talk)
{
	talk->at -= talk->at > 0;
	return SHOW_ITEM;
}

static int do_help(struct talk *talk);

static const struct {
	char key;
	const char *word; /* in the prompt; NULL: only in the help */
	const char *help;
	int (*run)(struct talk *talk);
} keys[] = {
	{'g', "rant", "grant it; what is held is moved to where it is enforced", do_grant},
	{'h', "old", "hold it: it stays in the file and is not enforced", do_hold},
	{'d', "rop", "drop the line", do_drop},
	{'w', "iden", "grant the same on the directory above, in its stead", do_widen},
	{'e', "xplain", "why it is there, why it has its tier, what it reaches", do_explain},
	{'u', "ndo", "take the last answer back, then the one before it", do_undo},
	{'v', "iew", "what the answers change, as trace-diff shows it", do_view},
	{'s', "ave", "save and end", talk_save},
	{'q', "uit", "end, and write nothing; so do ^C and ^D", talk_quit},
	{'?', "", "this", do_help},
	{'n', NULL, "the next line, or enter or space", do_next},
	{'p', NULL, "the line before", do_previous},
	{'l', NULL, "list all lines", do_list},
};

static int do_help(struct talk *talk)
{
	struct page page = {.talk = talk};

	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		page_add(&page, STYLE_PLAIN, 4, "  %c  %s", keys[i].key, keys[i].help);
	return talk_show(&page, ASK_AGAIN);
}

static void prompt(const struct talk *talk)
{
	FILE *out = talk->terminal->out;
	unsigned columns, rows;

	terminal_size(talk->terminal, &columns, &rows);
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (keys[i].word && columns >= PROMPT_COLUMNS)
			fprintf(out, "[%c]%s ", keys[i].key, keys[i].word);
		else if (keys[i].word)
			fprintf(out, "%c", keys[i].key);
	fputs("> ", out);
}

static int show_item(struct talk *talk)
{
	struct page page = {.talk = talk};

	if (is_at_item(talk))
		talk_add_item(talk, &page);
	else
		page_add(&page, STYLE_BOLD, 2,
			 review_open_count(talk->review) ? "That was the last line."
							 : "All is answered: v shows the change, s saves.");
	return talk_show(&page, ASK_AGAIN);
}

static int press(struct talk *talk, int key)
{
	if (key == '\n' || key == ' ')
		key = 'n';
	if (key == TERMINAL_END_OF_INPUT || key == TERMINAL_CLOSED || key == TERMINAL_SIGNAL) {
		fputc('\n', talk->terminal->out);
		return talk_end_of(key);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (keys[i].key == key) {
			fprintf(talk->terminal->out, "%c\n", key);
			return keys[i].run(talk);
		}
	fputc('\n', talk->terminal->out);
	return key == TERMINAL_RESUMED ? SHOW_ITEM : talk_say(talk, STYLE_YELLOW, "No such key: ? shows them.");
}

static int converse(struct talk *talk)
{
	int then = SHOW_ITEM;

	go_to_open(talk, 0);
	for (;;) {
		if (then == SHOW_ITEM)
			then = show_item(talk);
		if (then != ASK_AGAIN)
			return then;
		prompt(talk);
		then = press(talk, terminal_key(talk->terminal));
	}
}

int review_talk(const struct review_dialogue *dialogue, int *signal, struct error *err)
{
	struct terminal terminal;
	struct talk talk = {.with = dialogue, .review = dialogue->review, .terminal = &terminal};
	int result = terminal_open(&terminal, err);

	*signal = 0;
	if (result < 0)
		return result;
	talk.colour = output_has_colour(terminal.out);
	terminal_begin(&terminal);
	result = converse(&talk);
	*signal = result == REVIEW_KILLED ? terminal.signal : 0;
	terminal_finish(&terminal);
	return result;
}
