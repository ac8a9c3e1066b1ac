/* Between the files of merge. */
#pragma once

#include "profile/cover.h"
#include "profile/merge.h"

struct merging {
	const struct merge_input *inputs;
	size_t count;
	size_t min_seen;
	struct cover **covers; /* what each input grants */
	struct cover *kept;    /* rights that stay on their lines, though a line above gives them too */
	struct profile *merged;
};

/* What two lines with the same fact carry: the same result in any order. */
void merge_origin(struct origin *into, const struct origin *from);

/*
 * Comments are sets of paragraphs, divided by an empty comment line: equal ones stay as they are, others become the
 * sorted union. Both may be NULL; `into` is owned.
 */
void merge_comment(char **into, const char *from);

/* [profile], and comments that stand at no line. */
void merge_head(struct merging *merging, const struct tiers *tiers);

/* The grants of all sections as they stand in the inputs. Sets what is kept. */
void merge_grants(struct merging *merging);

/* [moves], [network], [scope], [environment] and [seccomp]. */
int merge_lists(struct merging *merging, struct error *err);

/* Items of all inputs that are about the same. */
struct merge_item {
	const void *item;
	size_t input;
};
typedef int merge_compare_fn(const void *a, const void *b); /* of two struct merge_item */
/* Takes the items of one group, which compare as equal. */
typedef int merge_take_fn(struct merging *merging, const struct merge_item *group, size_t count, struct error *err);

struct merge_list {
	size_t items, count; /* offsets in struct profile: of the array's pointer and of its length */
	size_t size;	     /* of an item */
	merge_compare_fn *compare;
	merge_take_fn *take;
};
int merge_list(struct merging *merging, const struct merge_list *list, struct error *err);
