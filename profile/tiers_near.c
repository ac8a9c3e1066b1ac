/* Which lines of a table may speak of a path: asked once for each directory, as paths mostly come by the directory. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"
#include "profile/tiers_table.h"

/*
 * What lies apart from a directory lies apart from what is in it too, since its parts were compared in their order.
 * Only a pattern for any depth may begin at the last part itself.
 */
static void add_line(struct tiers_near *near, const struct tier_line *line)
{
	bool is_apart = tier_pattern_is_elsewhere(&line->pattern, buffer_text(&near->directory)) ||
			tier_pattern_relation(&line->pattern, buffer_text(&near->directory)) == TIER_APART;

	if (!is_apart || line->pattern.anywhere)
		*ARRAY_APPEND(near->lines, near->count, near->capacity) =
			(struct tiers_near_line){.line = line, .at_end = is_apart};
}

const struct tiers_near *tiers_near(const struct tiers *tiers, const char *path)
{
	struct tiers_near *near = tiers->near;
	size_t length = path_parent_length(path);

	if (near->directory.length && near->directory.length == length &&
	    memcmp(near->directory.data, path, length) == 0)
		return near;
	buffer_clear(&near->directory);
	buffer_add(&near->directory, path, length);
	near->count = 0;
	for (size_t i = 0; i < tiers->count; i++)
		add_line(near, &tiers->lines[i]);
	return near;
}

enum tier_relation tiers_near_relation(const struct tiers_near_line *near, const char *path)
{
	return near->at_end ? tier_pattern_relation_from(&near->line->pattern, strrchr(path, '/'))
			    : tier_pattern_relation(&near->line->pattern, path);
}

void tiers_near_destroy(struct tiers_near *near)
{
	if (!near)
		return;
	buffer_finish(&near->directory);
	free(near->lines);
	free(near);
}
