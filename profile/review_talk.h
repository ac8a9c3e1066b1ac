/* Between the files of the dialogue. */
#pragma once

#include "base/buffer.h"
#include "base/output.h"
#include "base/terminal.h"
#include "profile/review_dialogue.h"

struct talk {
	const struct review_dialogue *with;
	struct review *review;
	struct terminal *terminal;
	bool colour;
	size_t at; /* the item that is asked about; review_count(): none */
};

/* Lines that are to be shown as many at a time as the terminal has. */
struct page {
	struct talk *talk;
	char **lines; /* as they are written, with colours */
	size_t count, capacity;
};

/*
 * Adds text, escaped, broken at blanks where the terminal ends; what goes on is indented by `indent` columns. A word
 * that is longer than a line is left to the terminal, so that it can be copied.
 */
void page_add(struct page *page, enum style style, size_t indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds the lines of output that is escaped already. */
void page_add_output(struct page *page, char *output);
/* Shows it and empties it. Returns 0, or what terminal_key() said that ends the dialogue. */
int page_show(struct page *page);

/* The line that is asked about, with what must be known to answer. */
void talk_add_item(const struct talk *talk, struct page *page);
/* All that is known of it. */
void talk_add_explanation(const struct talk *talk, struct page *page);
/* All lines, one each. */
void talk_add_list(const struct talk *talk, struct page *page);
/* All that the answers change. */
void talk_add_change(const struct talk *talk, struct page *page);
/* What an answer changed besides the line that it was about. */
void talk_add_consequences(const struct talk *talk, struct page *page, const struct review_item *item);

/* What comes after a key: more questions, or one of enum review_end. */
enum { ASK_AGAIN = -100, SHOW_ITEM };

/* What page_show() or terminal_key() said that is no key, as an end. */
int talk_end_of(int result);
/* Shows the page; `then`, unless that ended the dialogue. */
int talk_show(struct page *page, int then);
/* Shows one line: then ASK_AGAIN. */
int talk_say(struct talk *talk, enum style style, const char *text);
void talk_tell(const struct talk *talk, const struct review_item *item, enum review_told told);

/* Keys that end it. */
int talk_quit(struct talk *talk);
int talk_save(struct talk *talk);
