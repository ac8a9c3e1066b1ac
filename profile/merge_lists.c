#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/fact.h"
#include "profile/merge_parts.h"

static struct merge_item *gather(const struct merging *merging, const struct merge_list *list, size_t *count)
{
	struct merge_item *items = NULL;
	size_t capacity = 0;

	*count = 0;
	for (size_t i = 0; i < merging->count; i++) {
		const char *profile = (const char *)merging->inputs[i].profile;
		const char *array = *(const char *const *)(profile + list->items);
		size_t length = *(const size_t *)(profile + list->count);

		for (size_t j = 0; j < length; j++)
			*ARRAY_APPEND(items, *count, capacity) = (struct merge_item){array + j * list->size, i};
	}
	if (*count)
		qsort(items, *count, sizeof *items, list->compare);
	return items;
}

int merge_list(struct merging *merging, const struct merge_list *list, struct error *err)
{
	size_t count;
	scoped_free struct merge_item *items = gather(merging, list, &count);

	for (size_t begin = 0, end = 0; begin < count; begin = end) {
		while (end < count && list->compare(&items[begin], &items[end]) == 0)
			end++;
		if (list->take(merging, items + begin, end - begin, err) < 0)
			return -err->number;
	}
	return 0;
}

static const void *item_of(const void *item)
{
	return ((const struct merge_item *)item)->item;
}

static int compare_moves(const void *a, const void *b)
{
	const struct move *first = item_of(a), *second = item_of(b);
	int order = strcmp(first->from, second->from);

	if (order == 0)
		order = strcmp(first->to, second->to);
	return order ? order : first->directory - second->directory;
}

static int take_moves(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	const struct move *first = group[0].item;
	bool counts = count >= merging->min_seen;
	struct move *move;

	(void)err;
	for (size_t i = 0; i < count; i++)
		counts |= ((const struct move *)group[i].item)->origin.comment != NULL;
	if (!counts)
		return 0;
	move = profile_add_move(merging->merged, first->from, first->to);
	move->directory = first->directory;
	for (size_t i = 0; i < count; i++)
		merge_origin(&move->origin, &((const struct move *)group[i].item)->origin);
	return 0;
}

static int compare_ports(const void *a, const void *b)
{
	return ((const struct port_grant *)item_of(a))->port - ((const struct port_grant *)item_of(b))->port;
}

/* What an input allows on a port, also through `any`. */
static rights_t port_rights(const struct profile *profile, int port)
{
	rights_t rights = 0;

	for (size_t i = 0; i < profile->port_count; i++)
		if (profile->ports[i].port == port || profile->ports[i].port == PORT_ANY)
			rights |= profile->ports[i].rights;
	return rights;
}

static bool is_port_seen(const struct merging *merging, int port, rights_t bit)
{
	size_t seen = 0;

	for (size_t i = 0; i < merging->count; i++)
		seen += (port_rights(merging->inputs[i].profile, port) & bit) != 0;
	return seen >= merging->min_seen;
}

static int take_ports(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	int number = ((const struct port_grant *)group[0].item)->port;
	rights_t rights = 0, meant = 0;
	struct port_grant *port;

	(void)err;
	for (size_t i = 0; i < count; i++) {
		const struct port_grant *input = group[i].item;

		rights |= input->rights;
		meant |= input->origin.comment ? input->rights : 0;
	}
	for (rights_t bit = 1ULL << RIGHTS_NETWORK_SHIFT; bit & RIGHTS_NETWORK; bit <<= 1)
		if (rights & ~meant & bit && !is_port_seen(merging, number, bit))
			rights &= ~bit;
	if (!rights)
		return 0;
	port = profile_add_port(merging->merged, rights, number);
	for (size_t i = 0; i < count; i++)
		merge_origin(&port->origin, &((const struct port_grant *)group[i].item)->origin);
	return 0;
}

/* By name alone: two lines for one variable are one group. */
static int compare_environment(const void *a, const void *b)
{
	const struct environment_line *first = item_of(a), *second = item_of(b);

	return strcmp(first->name, second->name);
}

static bool says_same(const struct environment_line *a, const struct environment_line *b)
{
	return a->action == b->action && (!a->value || !strcmp(a->value, b->value));
}

static int refuse(const struct merging *merging, const struct merge_item *a, const struct merge_item *b,
		  struct error *err)
{
	const struct environment_line *first = a->item, *second = b->item;
	scoped_free char *one = fact_environment(first), *other = fact_environment(second);

	return error_set(err, EINVAL, "%s:%u: \"%s\" and %s:%u: \"%s\" contradict each other: change one of the two",
			 merging->inputs[a->input].name, first->origin.line, one, merging->inputs[b->input].name,
			 second->origin.line, other);
}

static int take_environment(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	const struct environment_line *first = group[0].item;
	struct environment_line *line;

	for (size_t i = 1; i < count; i++)
		if (!says_same(first, group[i].item))
			return refuse(merging, &group[0], &group[i], err);
	line = profile_add_environment(merging->merged, first->action, first->name, first->value);
	for (size_t i = 0; i < count; i++)
		merge_origin(&line->origin, &((const struct environment_line *)group[i].item)->origin);
	return 0;
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(((const struct word *)item_of(a))->text, ((const struct word *)item_of(b))->text);
}

static void join_words(struct word *word, const struct merge_item *group, size_t count)
{
	for (size_t i = 0; i < count; i++)
		merge_origin(&word->origin, &((const struct word *)group[i].item)->origin);
}

static int take_reasons(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	(void)err;
	join_words(profile_add_incomplete(merging->merged, ((const struct word *)group[0].item)->text), group, count);
	return 0;
}

static int take_seccomp(struct merging *merging, const struct merge_item *group, size_t count, struct error *err)
{
	(void)err;
	join_words(profile_add_seccomp(merging->merged, ((const struct word *)group[0].item)->text), group, count);
	return 0;
}

static void merge_scope(struct merging *merging)
{
	for (size_t i = 0; i < ARRAY_LENGTH(merging->merged->scope_origins); i++) {
		rights_t bit = 1ULL << (RIGHTS_SCOPE_SHIFT + i);
		size_t seen = 0;
		bool meant = false;

		for (size_t j = 0; j < merging->count; j++) {
			const struct profile *profile = merging->inputs[j].profile;

			seen += (profile->scope & bit) != 0;
			meant |= profile->scope & bit && profile->scope_origins[i].comment;
		}
		if (!seen || (seen < merging->min_seen && !meant))
			continue;
		merging->merged->scope |= bit;
		for (size_t j = 0; j < merging->count; j++)
			merge_origin(&merging->merged->scope_origins[i], &merging->inputs[j].profile->scope_origins[i]);
	}
}

static void merge_sections(struct merging *merging)
{
	struct profile *merged = merging->merged;

	for (size_t i = 0; i < merging->count; i++) {
		const struct profile *profile = merging->inputs[i].profile;

		merged->has_network |= profile->has_network;
		merged->has_scope |= profile->has_scope;
		merged->has_environment |= profile->has_environment;
		merged->has_seccomp |= profile->has_seccomp;
	}
}

#define LIST(array, length, compare, take)                                                                             \
	{                                                                                                              \
		offsetof(struct profile, array), offsetof(struct profile, length),                                     \
			sizeof *((struct profile *)0)->array, compare, take                                            \
	}

static const struct merge_list lists[] = {
	LIST(incomplete, incomplete_count, compare_words, take_reasons),
	LIST(moves, move_count, compare_moves, take_moves),
	LIST(ports, port_count, compare_ports, take_ports),
	LIST(environment, environment_count, compare_environment, take_environment),
	LIST(seccomp, seccomp_count, compare_words, take_seccomp),
};

int merge_lists(struct merging *merging, struct error *err)
{
	merge_sections(merging);
	merge_scope(merging);
	for (size_t i = 0; i < ARRAY_LENGTH(lists); i++)
		if (merge_list(merging, &lists[i], err) < 0)
			return -err->number;
	return 0;
}
