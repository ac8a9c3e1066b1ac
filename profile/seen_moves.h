/* Renames and links across directories, each once. Private to the learner. */
#pragma once

#include "base/memory.h"
#include "base/uthash.h"
#include "profile/names.h"

struct seen_move {
	struct {
		struct name *from; /* the object, or the directory it was born in */
		struct name *to;   /* the directory it came into */
		size_t directory;  /* as a whole word: the key is hashed as bytes */
	} key;
	UT_hash_handle hh;
};

void seen_moves_add(struct seen_move **moves, struct name *from, struct name *to, bool directory);
void seen_moves_finish(struct seen_move **moves);
