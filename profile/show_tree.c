#include "profile/show_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path_order.h"
#include "profile/show.h"

/* Grants from..to-1, sorted by path_order(): all beneath a directory whose name has `length` bytes. */
struct range {
	const struct grant **grants;
	size_t from, to;
	size_t length;
};

static int compare_grants(const void *left, const void *right)
{
	const struct grant *const *a = left, *const *b = right;

	return path_order((*a)->path, (*b)->path);
}

static void add_line(struct tree *tree, size_t depth, const char *path, size_t from, size_t to,
		     const struct grant *grant)
{
	struct tree_line *line = ARRAY_APPEND(tree->lines, tree->count, tree->capacity);
	scoped_free char *part = duplicate_bytes(path + from, to - from);
	const char *slash = to == 1 ? "" : "/";
	const char *end = !grant ? slash : show_is_wide(grant) ? (to == 1 ? "**" : "/**") : "";

	*line = (struct tree_line){.depth = depth, .name = format_text("%s%s", part, end), .grant = grant};
}

/* How many bytes two paths have in common, in whole parts; at least `from`. */
static size_t common_length(const char *a, const char *b, size_t from)
{
	size_t at = from, common = from;

	for (;; at++) {
		if ((!a[at] || a[at] == '/') && (!b[at] || b[at] == '/'))
			common = at;
		if (a[at] != b[at] || !a[at])
			return common;
	}
}

/* End of the run of grants from `from` on that share the first part behind `length` with it. */
static size_t end_of_part(const struct range *range, size_t from, size_t start)
{
	const char *first = range->grants[from]->path;
	size_t to = from + 1;

	while (to < range->to && common_length(first, range->grants[to]->path, start - 1) >= start)
		to++;
	return to;
}

static void add_range(struct tree *tree, size_t depth, const struct range *range)
{
	size_t start = range->length == 1 ? 1 : range->length + 1; /* where names beneath begin */

	for (size_t from = range->from; from < range->to;) {
		const struct grant *first = range->grants[from];
		size_t to = end_of_part(range, from, start);
		size_t length = common_length(first->path, range->grants[to - 1]->path, start - 1);
		bool granted = first->path[length] == '\0';
		struct range beneath = {range->grants, from, to, length};

		add_line(tree, depth, first->path, start, length, granted ? first : NULL);
		while (beneath.from < to && !range->grants[beneath.from]->path[length])
			beneath.from++;
		add_range(tree, depth + 1, &beneath);
		from = to;
	}
}

void tree_make(const struct profile *profile, struct tree *tree)
{
	scoped_free const struct grant **grants = allocate_array(profile->grant_count + 1, sizeof(struct grant *));
	struct range all = {.grants = grants, .length = 1};
	bool root;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]))
			grants[all.to++] = &profile->grants[i];
	if (!all.to)
		return;
	qsort(grants, all.to, sizeof(struct grant *), compare_grants);
	root = strcmp(grants[0]->path, "/") == 0;
	add_line(tree, 0, "/", 0, 1, root ? grants[0] : NULL);
	all.from = root;
	add_range(tree, 1, &all);
}

void tree_finish(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->lines[i].name);
	free(tree->lines);
	*tree = (struct tree){0};
}
