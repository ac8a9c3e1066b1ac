#include "profile/widening.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

void widenings_add(struct widenings *widenings, enum widening_reason reason, const char *path, rights_t rights,
		   size_t entries)
{
	*ARRAY_APPEND(widenings->items, widenings->count, widenings->capacity) =
		(struct widening){.reason = reason, .path = duplicate(path), .rights = rights, .entries = entries};
}

void widenings_finish(struct widenings *widenings)
{
	for (size_t i = 0; i < widenings->count; i++)
		free(widenings->items[i].path);
	free(widenings->items);
	*widenings = (struct widenings){0};
}

bool widenings_has(const struct widenings *widenings, const char *path)
{
	for (size_t i = 0; i < widenings->count; i++)
		if (widenings->items[i].reason <= WIDENED_BY_PREFIX && !strcmp(widenings->items[i].path, path))
			return true;
	return false;
}

/* Later steps may have held it, or dropped it under a wider line. */
static rights_t granted_of(const struct widening *widening, struct profile *profile)
{
	const struct grant *grant = profile_find_grant(profile, SECTION_NORMAL, widening->path);

	return grant ? grant->rights & widening->rights : 0;
}

static char *text_of(const struct widening *widening, const char *rights)
{
	const char *path = widening->path;

	switch (widening->reason) {
	case WIDENED_BY_COUNT:
		return format_text("collapsed: %s is granted on all of %s, for %zu entries of it", rights, path,
				   widening->entries);
	case WIDENED_BY_PREFIX:
		return format_text("collapsed: %s is granted on all of %s, for what is granted beneath it", rights,
				   path);
	case WIDENED_BY_MOVE:
		return format_text("widened: %s on %s, because of what is moved or linked from there to where that is "
				   "granted (nothing may gain a right by a move)",
				   rights, path);
	case NOT_WIDENED_TIER:
		return format_text("not collapsed: %s on all of %s reaches what is guarded or protected; "
				   "--force-sensitive-collapse does it all the same",
				   rights, path);
	case NOT_WIDENED_HELD:
		return format_text("not collapsed: %s on all of %s would let in what is held beneath it", rights, path);
	case NOT_WIDENED_NO_LINES:
		break;
	}
	return format_text("not collapsed: no line lies beneath %s", path);
}

char *widening_text(const struct widening *widening, struct profile *profile)
{
	rights_t rights = widening->rights;
	scoped_buffer names = {0};

	if (widening->reason <= WIDENED_BY_MOVE)
		rights = granted_of(widening, profile);
	if (!rights && widening->reason != NOT_WIDENED_NO_LINES)
		return NULL;
	rights_write(&names, rights);
	return text_of(widening, buffer_text(&names));
}
