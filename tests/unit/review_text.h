/* For tests of reviews: profiles as text, lines by what they say, answers by their keys. */
#pragma once

#include <errno.h>

#include "profile/review.h"
#include "tiers_text.h"

static struct review *begin(const char *text, bool all)
{
	scoped_free char *whole = format_text(HEAD "%s", text);
	scoped_profile profile = {0};

	read_text(whole, &test_variables, &profile);
	return review_create(&profile, &(struct review_options){.tiers = tiers, .all = all});
}

/* Of the item with this fact. */
static size_t find(const struct review *review, const char *fact)
{
	for (size_t i = 0; i < review_count(review); i++) {
		scoped_free char *text = review_fact(review_item(review, i));

		if (!strcmp(text, fact))
			return i;
	}
	cr_assert_fail("not offered: %s", fact);
	return 0;
}

static enum review_answer letter(char key)
{
	return key == 'g' ? REVIEW_GRANTED : key == 'h' ? REVIEW_HELD : key == 'd' ? REVIEW_DROPPED : REVIEW_WIDENED;
}

/* "h read_file /etc/shadow" */
static void answer(struct review *review, const char *what)
{
	scoped_error err = {0};

	cr_assert_eq(review_answer(review, find(review, what + 2), letter(*what), &err), 0, "%s: %s", what,
		     err.message);
}

static void refuse(struct review *review, const char *what, const char *why)
{
	size_t answers = review_answer_count(review);
	scoped_error err = {0};

	cr_assert_eq(review_answer(review, find(review, what + 2), letter(*what), &err), -EPERM, "%s", what);
	cr_expect_str_eq(err.message, why, "%s: %s", what, err.message);
	cr_expect_eq(review_answer_count(review), answers, "nothing was changed");
}

static char *text_of(const struct review *review)
{
	struct profile *profile = (struct profile *)review_profile(review);
	scoped_buffer text = {0};

	profile_write(profile, &text);
	return duplicate(strstr(text.data, "complete = "));
}

static void expect(const struct review *review, const char *want)
{
	scoped_free char *got = text_of(review);

	cr_expect_str_eq(got, want);
}

static void expect_offered(const struct review *review, const char *want)
{
	scoped_buffer got = {0};

	for (size_t i = 0; i < review_count(review); i++) {
		const struct review_item *item = review_item(review, i);
		scoped_free char *fact = review_fact(item);

		buffer_format(&got, "%s%s %s: %s\n", tier_name(item->tier), item->held ? " held" : "", fact,
			      review_answer_name(item->answer));
	}
	cr_expect_str_eq(buffer_text(&got), want);
}

#define COMPLETE "complete = yes\n"
#define HELD	 "complete = no\nincomplete = grants that were needed are held\n"
#define DROPPED	 "complete = no\nincomplete = grants that were needed were dropped in a review\n"
#define SHADOW	 "read_file /etc/shadow"
