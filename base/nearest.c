#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"

#define LENGTH_MAX   32
#define DISTANCE_MAX 2

static bool is_same(char one, char other)
{
	return tolower((unsigned char)one) == tolower((unsigned char)other);
}

static unsigned smaller(unsigned one, unsigned other)
{
	return one < other ? one : other;
}

/* Letters to add, take away, change (but for their case), or exchange with the next; both names have at most
 * LENGTH_MAX. */
static unsigned distance(const char *one, size_t one_length, const char *other, size_t other_length)
{
	unsigned table[LENGTH_MAX + 1][LENGTH_MAX + 1];

	for (size_t i = 0; i <= one_length; i++)
		for (size_t j = 0; j <= other_length; j++) {
			bool same = i && j && is_same(one[i - 1], other[j - 1]);

			if (!i || !j) {
				table[i][j] = (unsigned)(i + j);
				continue;
			}
			table[i][j] =
				smaller(table[i - 1][j - 1] + !same, smaller(table[i - 1][j], table[i][j - 1]) + 1);
			if (i > 1 && j > 1 && is_same(one[i - 1], other[j - 2]) && is_same(one[i - 2], other[j - 1]))
				table[i][j] = smaller(table[i][j], table[i - 2][j - 2] + 1);
		}
	return table[one_length][other_length];
}

const char *nearest_name(const char *unknown, size_t length, const char *const known[], size_t count)
{
	const char *nearest = NULL;
	unsigned least = DISTANCE_MAX + 1;

	for (size_t i = 0; length <= LENGTH_MAX && i < count; i++) {
		size_t known_length = strlen(known[i]);
		unsigned this = known_length > LENGTH_MAX ? least : distance(unknown, length, known[i], known_length);

		if (this >= least || 2UL * this >= known_length)
			continue;
		least = this;
		nearest = known[i];
	}
	return nearest;
}

char *nearest_help(const char *unknown, size_t length, const char *const known[], size_t count)
{
	const char *nearest = nearest_name(unknown, length, known, count);
	struct buffer text = {0};

	if (nearest)
		buffer_format(&text, ", perhaps %s", nearest);
	for (size_t i = 0; i < count; i++)
		buffer_format(&text, "%s%s", i ? ", " : " (known: ", known[i]);
	buffer_add_text(&text, count ? ")" : "");
	return buffer_steal(&text);
}
