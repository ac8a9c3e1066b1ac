#include "profile/merge.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/hold.h"
#include "profile/merge_parts.h"
#include "profile/settle.h"

static void make_covers(struct merging *merging)
{
	merging->kept = cover_create(&(struct profile){0}, COVER_ENFORCED);
	merging->covers = allocate_array(merging->count, sizeof *merging->covers);
	for (size_t i = 0; i < merging->count; i++)
		merging->covers[i] = cover_create(merging->inputs[i].profile, COVER_ENFORCED);
}

static void destroy_covers(struct merging *merging)
{
	for (size_t i = 0; i < merging->count; i++)
		cover_destroy(merging->covers[i]);
	free(merging->covers);
	cover_destroy(merging->kept);
}

int merge_profiles(const struct merge_input *inputs, size_t count, size_t min_seen, const struct tiers *tiers,
		   struct profile *merged, struct error *err)
{
	struct merging merging = {.inputs = inputs, .count = count, .min_seen = min_seen, .merged = merged};
	int result;

	*merged = (struct profile){0};
	make_covers(&merging);
	merge_head(&merging, tiers);
	result = merge_lists(&merging, err);
	if (result == 0) {
		merge_grants(&merging);
		if (settle(merged, tiers, merging.kept))
			profile_add_incomplete(merged, HOLD_REASON);
	} else {
		profile_finish(merged);
	}
	destroy_covers(&merging);
	return result;
}
