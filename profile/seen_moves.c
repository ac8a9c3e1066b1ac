#include "profile/seen_moves.h"

#include <stdlib.h>

void seen_moves_add(struct seen_move **moves, struct name *from, struct name *to, bool directory)
{
	struct seen_move *move = allocate(sizeof *move), *known;

	move->key.from = from;
	move->key.to = to;
	move->key.directory = directory;
	HASH_FIND(hh, *moves, &move->key, sizeof move->key, known);
	if (known)
		free(move);
	else
		HASH_ADD(hh, *moves, key, sizeof move->key, move);
}

void seen_moves_finish(struct seen_move **moves)
{
	struct seen_move *move = *moves, *next;

	HASH_CLEAR(hh, *moves);
	for (; move; move = next) {
		next = move->hh.next;
		free(move);
	}
}
