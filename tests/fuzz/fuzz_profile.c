/*
 * Any bytes are a profile or an error with a message, which is the first of all that check tells; what is read comes
 * back from what is written.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_file.h"

static const struct variables variables = {
	.home = (char[]){"/home/me"},
	.directory = (char[]){"/home/me/project"},
	.tmpdir = (char[]){"/tmp"},
	.uid = (char[]){"1000"},
};

struct first_refusal {
	const char *want;
	bool told;
};

static void take_refusal(void *data, const struct error *err)
{
	struct first_refusal *first = data;

	if (!err->message || (!first->told && (!first->want || strcmp(err->message, first->want) != 0)))
		abort();
	first->told = true;
}

static void check_refusals(const char *text, size_t length, const char *want)
{
	struct first_refusal first = {.want = want};
	struct ini_refusals refusals = {.fn = take_refusal, .data = &first};

	profile_refusals(text, length, "p.ini", &variables, &refusals);
	if (first.told != !!want || !refusals.count != !want)
		abort();
}

/* The written form of the profile in text; false when it is none. */
static bool written(const char *text, size_t length, struct buffer *out)
{
	struct profile profile = {0};
	scoped_error err = {0};
	int result = profile_read_text(text, length, "p.ini", &variables, &profile, &err);

	if (result == 0)
		profile_write(&profile, out);
	else if (result > 0 || !err.message)
		abort();
	check_refusals(text, length, err.message);
	profile_finish(&profile);
	return result == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scoped_buffer once = {0}, twice = {0};

	if (!written((const char *)data, size, &once))
		return 0;
	if (!written(buffer_text(&once), once.length, &twice))
		abort();
	if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
		abort();
	return 0;
}
