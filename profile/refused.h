/*
 * Renames and links across directories that the system refused by a mode, each once. That comes after Landlock, which
 * answers the same (EACCES), but for one case: where everything except refer is granted it is EXDEV, and mv(1) then
 * copies. Whether that is so is known at the end. Private to the learner.
 */
#pragma once

#include "base/memory.h"
#include "base/uthash.h"
#include "profile/names.h"
#include "profile/rights.h"

struct refused {
	struct {
		struct name *from, *to;		 /* the directories */
		struct name *object;		 /* as seen_moves_add() takes it */
		rights_t from_rights, to_rights; /* beside refer; none on `from` of a link */
		size_t directory;		 /* the object is one; a whole word: the key is hashed as bytes */
	} key;
	UT_hash_handle hh;
};

void refused_add(struct refused **all, const struct refused *one);
void refused_finish(struct refused **all);
