#include "profile/closure.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/needs.h"
#include "profile/path.h"
#include "profile/path_list.h"

/* is_access_to_paths_allowed() in the kernel's security/landlock/fs.c: a file can only gain what files can have. */
rights_t closure_gained(const struct move *move, const struct cover *cover)
{
	rights_t possible = move->directory ? RIGHTS_FILE_SYSTEM : RIGHTS_ON_FILE;

	return cover_rights(cover, move->to) & possible & ~cover_rights(cover, move->from);
}

/* Moves that may have become open. Those into one directory lie beside each other, so that a grant wakes only its own.
 */
struct closing {
	struct profile *profile;
	struct cover *cover;
	struct path_list moves; /* by where they lead to */
	bool *waiting;
	size_t *queue; /* a ring: each move is in it once at most */
	size_t first, count;
};

static void wake(struct closing *closing, size_t index)
{
	if (closing->waiting[index])
		return;
	closing->waiting[index] = true;
	closing->queue[(closing->first + closing->count++) % closing->moves.count] = index;
}

/* What is granted on path counts for every move that leads there or beneath it. */
static void wake_beneath(struct closing *closing, const char *path)
{
	for (size_t i = path_list_from(&closing->moves, path);
	     i < closing->moves.count && path_is_beneath(closing->moves.items[i].path, path); i++)
		wake(closing, i);
}

static void close_next(struct closing *closing)
{
	size_t index = closing->queue[closing->first];
	const struct move *move = closing->moves.items[index].of;
	rights_t missing = closure_gained(move, closing->cover);
	rights_t granted = missing ? needs_add(closing->profile, move->from, missing) : 0;

	closing->first = (closing->first + 1) % closing->moves.count;
	closing->count--;
	closing->waiting[index] = false;
	if (granted && cover_add(closing->cover, move->from, granted))
		wake_beneath(closing, move->from);
}

static bool is_open(const struct closing *closing)
{
	for (size_t i = 0; i < closing->moves.count; i++)
		if (closure_gained(closing->moves.items[i].of, closing->cover))
			return true;
	return false;
}

bool closure_close(struct profile *profile)
{
	size_t count = profile->move_count;
	struct closing closing = {.profile = profile};
	bool open;

	if (!count)
		return true;
	closing.cover = cover_create(profile, COVER_ENFORCED);
	closing.waiting = allocate_array(count, sizeof *closing.waiting);
	closing.queue = allocate_array(count, sizeof *closing.queue);
	for (size_t i = 0; i < count; i++)
		path_list_add(&closing.moves, profile->moves[i].to, &profile->moves[i]);
	path_list_sort(&closing.moves);
	for (size_t i = 0; i < count; i++)
		wake(&closing, i);
	while (closing.count)
		close_next(&closing);
	open = is_open(&closing);
	cover_destroy(closing.cover);
	path_list_finish(&closing.moves);
	free(closing.waiting);
	free(closing.queue);
	return !open;
}
