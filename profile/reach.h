/*
 * What the grants of a profile reach by every name: a grant whose path leads through symbolic links counts for the
 * object at their end as well, and one on a place where a file system is bind-mounted for the other places. Asked
 * before a link is followed, and before a profile or tiers file is believed.
 */
#pragma once

#include "profile/mount_names.h"
#include "profile/profile.h"

struct reach_covers;

struct reach {
	const struct profile *profile; /* borrowed; must keep its grants as they are */
	struct profile others;	       /* the grants whose paths lead through links, by canonical names */
	struct reach_covers *covers;   /* of both; a start asks so little that they are mostly not made */
	struct mounts *mounts;	       /* of when it was made: who is confined can no longer read them */
};

void reach_init(struct reach *reach, const struct profile *profile);
/* The same, and each enforced grant whose path leads through no link is told with a descriptor of what is there. */
typedef void reach_opened_fn(void *data, const struct grant *grant, int fd);
void reach_init_opening(struct reach *reach, const struct profile *profile, reach_opened_fn *opened, void *data);
void reach_finish(struct reach *reach);

/*
 * Those of `others` that trace-run makes a rule of, since it follows their links (rule_path.h): what the profile allows
 * by other names, where `others` is what it might. Adds them to an empty profile, which is the caller's.
 */
void reach_followed(const struct reach *reach, struct profile *followed);

/* The enforced rights on path (canonical). */
rights_t reach_rights(const struct reach *reach, const char *path);
/* By this name alone. */
rights_t reach_rights_by_name(const struct reach *reach, const char *path);

/* trust_is_writable() for every name; *grant (may be NULL) is the grant that lets the program change path. */
bool reach_is_writable(const struct reach *reach, const char *path, const struct grant **grant);
