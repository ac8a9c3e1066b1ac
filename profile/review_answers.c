/* What the answers so far say of a line, found without going through all of them. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/review_parts.h"

/* Both answers that let in what a line beneath or in [absent] had, and those about the line itself. */
struct answered_line {
	size_t last;	   /* answer about it, counted from 1; 0: none */
	rights_t accepted; /* let in on this very line */
	bool is_target;	   /* of an answer about another line */
	bool is_listed;
	size_t length;
	char key[];
};

/* "/" alone may be held and granted. */
static void add_key(struct buffer *key, const struct review_item *item)
{
	buffer_format(key, "%d", (int)item->kind);
	switch (item->kind) {
	case REVIEW_PORT:
		buffer_format(key, "%d", item->port);
		break;
	case REVIEW_SCOPE:
		buffer_format(key, "%llx", (unsigned long long)item->rights);
		break;
	default:
		if (item->kind == REVIEW_GRANT && item->held && !strcmp(item->text, "/"))
			buffer_add_byte(key, 'h');
		buffer_add_text(key, item->text);
	}
}

static const void *key_of(const void *line, size_t *length)
{
	*length = ((const struct answered_line *)line)->length;
	return ((const struct answered_line *)line)->key;
}

static struct answered_line *find(const struct review *review, const struct review_item *item)
{
	scoped_buffer key = {0};

	if (!review->answered.count)
		return NULL;
	add_key(&key, item);
	return table_find(&review->answered, key_of, key.data, key.length);
}

static struct answered_line *find_or_add(struct review *review, const struct review_item *item)
{
	struct answered_line *line = find(review, item);
	scoped_buffer key = {0};

	if (line)
		return line;
	add_key(&key, item);
	line = allocate(sizeof *line + key.length);
	line->length = key.length;
	memcpy(line->key, key.data, key.length);
	table_add(&review->answered, key_of, line);
	return line;
}

bool review_is_same(const struct review_item *a, const struct review_item *b)
{
	scoped_buffer one = {0}, other = {0};

	add_key(&one, a);
	add_key(&other, b);
	return !strcmp(buffer_text(&one), buffer_text(&other));
}

/* What the answer lets in on another line than the one it is about. */
static void take_target(struct review *review, const struct review_item *answer)
{
	const char *path = answer->answer == REVIEW_WIDENED ? answer->wider : answer->text;
	struct answered_line *target;

	if (answer->answer != REVIEW_WIDENED && (answer->kind != REVIEW_ABSENT || answer->answer != REVIEW_GRANTED))
		return;
	target = find_or_add(review, &(struct review_item){.kind = REVIEW_GRANT, .text = (char *)path});
	target->accepted |= answer->rights;
	target->is_target = true;
}

void review_answers_drop(struct review *review)
{
	for (size_t i = 0; i < review->answered.capacity; i++)
		free(review->answered.slots[i]);
	table_finish(&review->answered);
}

void review_answers_collect(struct review *review)
{
	review_answers_drop(review);
	for (size_t i = 0; i < review->answer_count; i++) {
		const struct review_item *answer = &review->answers[i];
		struct answered_line *line = find_or_add(review, answer);

		line->last = i + 1;
		line->accepted = answer->answer == REVIEW_GRANTED ? answer->rights : 0;
		take_target(review, answer);
	}
}

const struct review_item *review_last_answer(const struct review *review, const struct review_item *item)
{
	const struct answered_line *line = find(review, item);

	return line && line->last ? &review->answers[line->last - 1] : NULL;
}

rights_t review_accepted(const struct review *review, const struct review_item *item)
{
	const struct answered_line *line = find(review, item);

	return line ? line->accepted : 0;
}

bool review_is_target(const struct review *review, const struct review_item *item)
{
	const struct answered_line *line = find(review, item);

	return line && line->is_target;
}

void review_mark_listed(struct review *review, const struct review_item *item)
{
	struct answered_line *line = find(review, item);

	if (line)
		line->is_listed = true;
}

bool review_is_listed(const struct review *review, const struct review_item *answer)
{
	const struct answered_line *line = find(review, answer);

	return line && line->is_listed;
}
