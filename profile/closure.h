/*
 * Landlock refuses (EXDEV) to move or link an object to a directory where it would gain a right. Closing over the moves
 * of a profile adds what is missing at their sources; whoever changes the grants of a profile closes again.
 */
#pragma once

#include "profile/cover.h"

/*
 * For each line of [moves]: what is granted on `to` and above must be granted on `from` or above; of the rights that
 * the moved object can have. Adds the rest to `from`, until nothing is missing anywhere. What is then granted does not
 * depend on the order of lines. Returns false when a move stays open because `from` is held.
 */
bool closure_close(struct profile *profile);

/* What the moved object would gain at its new place, so that the kernel refuses the move; 0: it is closed. */
rights_t closure_gained(const struct move *move, const struct cover *cover);
