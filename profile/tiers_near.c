/*
 * Which lines of a table may speak of a path: asked once for each directory, as paths mostly come by the directory; and
 * not of the whole table, but of what may speak of the directory's first part.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/path.h"
#include "profile/tiers_table.h"

/*
 * What lies apart from a directory lies apart from what is in it too, since its parts were compared in their order.
 * Only a pattern for any depth may begin at the last part itself. And what reaches all beneath the directory reaches
 * all that is in it.
 */
/* Of the pattern's first part. */
static char last_byte(const struct tier_pattern *pattern)
{
	const char *part = pattern->path + 1, *end = pattern->path + pattern->length;
	const char *slash = memchr(part, '/', (size_t)(end - part));

	end = slash ? slash : end;
	if (memchr(part, '[', (size_t)(end - part)) || end[-1] == '*' || end[-1] == '?')
		return '\0';
	return end[-1];
}

/* What most lines say of most directories, and of all in them. */
static bool is_far(const struct tier_line *line, const char *directory)
{
	return !line->pattern.text || (!line->pattern.anywhere && tier_pattern_is_elsewhere(&line->pattern, directory));
}

static void add_line(struct tiers_near *near, const struct tier_line *line)
{
	const struct tier_pattern *pattern = &line->pattern;
	const char *directory = buffer_text(&near->directory);
	enum tier_relation relation = tier_pattern_relation(pattern, directory);
	char last = '\0';

	if (!pattern->anywhere && (relation == TIER_APART || (relation == TIER_AT && !pattern->beneath)))
		return; /* of the directory alone, not of what is in it */
	if (relation == TIER_APART)
		last = last_byte(pattern);
	*ARRAY_APPEND(near->lines, near->count, near->capacity) = (struct tiers_near_line){
		.line = line,
		.at_end = relation == TIER_APART,
		.last = last,
		.around = pattern->beneath && (relation == TIER_AT || relation == TIER_AROUND),
	};
}

/* Whether it is of this directory already; else it is from now on, and empty. */
static bool is_of(struct tiers_near *near, const char *path, size_t length)
{
	if (near->directory.length && near->directory.length == length &&
	    memcmp(near->directory.data, path, length) == 0)
		return true;
	buffer_clear(&near->directory);
	buffer_add(&near->directory, path, length);
	near->count = 0;
	return false;
}

/* The parent of what lies in / is / itself: then the first part is all that there is. */
static size_t first_part_length(const char *path, size_t parent)
{
	return parent == 1 ? 1 : 1 + strcspn(path + 1, "/");
}

const struct tiers_near *tiers_near(const struct tiers *tiers, const char *path)
{
	struct tiers_near *near = tiers->near, *top = near + 1;
	size_t length = path_parent_length(path);

	if (is_of(near, path, length))
		return near;
	if (tiers_read_for(tiers, buffer_text(&near->directory)))
		buffer_clear(&top->directory); /* it lacks them */
	if (!is_of(top, path, first_part_length(path, length)))
		for (size_t i = 0; i < tiers->count; i++)
			if (!is_far(&tiers->lines[i], buffer_text(&top->directory)))
				add_line(top, &tiers->lines[i]);
	for (size_t i = 0; i < top->count; i++)
		add_line(near, top->lines[i].line);
	return near;
}

/* With a name that begins otherwise than the pattern there is nothing to take apart. */
static bool may_begin_with(const struct tier_pattern *pattern, char first)
{
	char own = pattern->path[1];

	return own == first || own == '*' || own == '?' || own == '[';
}

enum tier_relation tiers_near_relation(const struct tiers_near *near, const struct tiers_near_line *line,
				       const char *path)
{
	const struct tier_pattern *pattern = &line->line->pattern;
	const char *name = near->directory.length > 1 ? path + near->directory.length : path;

	if (line->around)
		return TIER_AROUND;
	if (!line->at_end)
		return tier_pattern_relation(pattern, path);
	if (line->last && name[strlen(name) - 1] != line->last)
		return TIER_APART;
	return may_begin_with(pattern, name[1]) ? tier_pattern_relation_from(pattern, name) : TIER_APART;
}

struct tiers_near *tiers_near_create(void)
{
	return allocate_array(2, sizeof(struct tiers_near));
}

void tiers_near_destroy(struct tiers_near *near)
{
	for (size_t i = 0; near && i < 2; i++) {
		buffer_finish(&near[i].directory);
		free(near[i].lines);
	}
	free(near);
}
