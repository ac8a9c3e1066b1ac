#include "profile/refused.h"

#include <stdlib.h>

void refused_add(struct refused **all, const struct refused *one)
{
	struct refused *known, *fresh;

	HASH_FIND(hh, *all, &one->key, sizeof one->key, known);
	if (known)
		return;
	fresh = allocate(sizeof *fresh);
	fresh->key = one->key;
	HASH_ADD(hh, *all, key, sizeof fresh->key, fresh);
}

void refused_finish(struct refused **all)
{
	struct refused *one = *all, *next;

	HASH_CLEAR(hh, *all);
	for (; one; one = next) {
		next = one->hh.next;
		free(one);
	}
}
