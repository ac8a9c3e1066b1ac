/*
 * Proving the rights on files: a scratch tree with three directories for each right: one outside the domain's time,
 * one where all rights are granted, and one where all but this right are. So each right is seen to be refused by
 * itself. Nothing outside the tree is touched, but for opening /dev/null and /dev/zero.
 */
#pragma once

#include "base/error.h"
#include "profile/reach.h"
#include "runner/ruleset.h"
#include "runner/verify_sheet.h"

#define VERIFY_FILE_PROBES 17

struct verify_file {
	const struct right *right; /* NULL: this kernel does not have it */
	char *paths[3];		   /* outside, granted, refused */
	int outside;
	bool is_granted; /* by the profile itself, where it is to be refused */
};

struct verify_files {
	char *scratch; /* canonical name */
	struct verify_file probes[VERIFY_FILE_PROBES];
	rights_t handled;
};

/*
 * Makes the tree and adds its rules to the ruleset. It is where the profile grants least: in TMPDIR, /tmp,
 * XDG_RUNTIME_DIR, /var/tmp or /dev/shm.
 */
int verify_files_make(struct verify_files *files, struct ruleset *ruleset, const struct reach *reach,
		      struct error *err);
void verify_files_remove(struct verify_files *files); /* fine on a zeroed one */

void verify_files_try_outside(struct verify_files *files); /* in the probe, before it is restricted */
void verify_files_try_inside(struct verify_files *files, struct verify_sheet *sheet);
