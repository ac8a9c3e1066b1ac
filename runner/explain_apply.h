/*
 * --apply: writes the profile with the lines that would have allowed what was denied. A program decides what it is
 * denied, so what it brought about must not become a grant by itself: granted is a line on one file that is normal;
 * what is above normal, on a directory, or in one whose names the program can change is held, for a person to move;
 * ports, scopes and words of [seccomp], which cannot be held, are only told. Never written is a file that the program
 * may change, and no line is granted that would let it; so nothing has to be entered in the list of trusted profiles,
 * and nothing is.
 */
#pragma once

#include "base/atomic_file.h"
#include "profile/reach.h"
#include "profile/tiers.h"
#include "profile/variables.h"
#include "runner/verdict.h"

struct explain_apply {
	const char *name;	   /* of the file to be written */
	const char *profile;	   /* name of the profile that is in force */
	const char *sha256;	   /* of its bytes */
	const struct tiers *tiers; /* borrowed, as this: of the profile in force */
	const struct reach *reach;
	/* Private. */
	char *real;   /* canonical name of the file to be written */
	bool is_same; /* it is the profile */
	size_t granted, held;
	char **said; /* owned: what became of each line, told once it is so */
	size_t said_count, said_capacity;
	struct atomic_file file;
};

/*
 * Before the program starts. -EPERM: the program could change the file;
 * -EEXIST: there is another file of that name.
 */
int explain_apply_open(struct explain_apply *apply, struct error *err);
/* Adds to a copy of the profile in force, and says what. -ESTALE: that one was changed meanwhile. */
int explain_apply_write(struct explain_apply *apply, const struct profile *profile, const struct verdict *verdict,
			struct error *err);
/* -EPERM where the program could change the file of that name, which need not be there. `option` names it in err. */
int explain_apply_reach(const char *option, const char *name, const struct reach *reach, struct error *err);
void explain_apply_finish(struct explain_apply *apply); /* fine on a zeroed one */
