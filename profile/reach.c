#include "profile/reach.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/cover.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/rule_path.h"
#include "profile/trust.h"

#define FEW 16 /* questions, which are answered by going through the grants */

struct reach_covers {
	unsigned asked;
	struct cover *own, *others; /* NULL until more than these were asked */
};

/* Who wants the descriptors of paths without links; may be NULL. */
struct opening {
	reach_opened_fn *opened;
	void *data;
	struct rule_path_place place;
};

/* /proc/self is a link, but what is behind it is the program's own, not another process's entries. */
static bool has_other_name(const struct grant *grant, struct opening *opening)
{
	scoped_fd fd = -1;
	bool has_link;

	if (path_is_beneath(grant->path, PROC_SELF))
		return false;
	if (!opening)
		return rule_path_has_link(grant->path);
	has_link = rule_path_open_or_has_link(&opening->place, grant->path, &fd);
	if (fd >= 0)
		opening->opened(opening->data, grant, fd);
	return has_link;
}

/* What path leads to; where that is an entry of the process itself, by the name that each process has for its own. */
static char *real_name(const char *path)
{
	char *real = realpath(path, NULL);
	char *own = NULL;
	bool widened = false;

	if (!real || proc_path_owner(real, "/proc", getpid(), &own, &widened) != PROC_OWN || widened) {
		free(own);
		return real;
	}
	free(real);
	return own;
}

static bool is_followed(const struct reach *reach, const char *path)
{
	scoped_error refusal = {0};
	mode_t mode;
	scoped_fd fd = rule_path_open(path, reach, &mode, &refusal);

	return fd >= 0;
}

/* The grants whose paths lead through links, by canonical names; with `judge` only those whose links are followed. */
static void add_others(const struct profile *profile, const struct reach *judge, struct opening *opening,
		       struct profile *others)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		scoped_free char *real = NULL;

		if (!grant_is_enforced(grant) || !has_other_name(grant, opening))
			continue;
		real = judge && !is_followed(judge, grant->path) ? NULL : real_name(grant->path);
		if (real)
			profile_add_grant(others, grant->section, grant->rights, real)->origin.line =
				grant->origin.line;
	}
}

static void init(struct reach *reach, const struct profile *profile, struct opening *opening)
{
	*reach = (struct reach){.profile = profile, .covers = allocate(sizeof *reach->covers), .mounts = mounts_read()};
	add_others(profile, NULL, opening, &reach->others);
}

void reach_init(struct reach *reach, const struct profile *profile)
{
	init(reach, profile, NULL);
}

void reach_init_opening(struct reach *reach, const struct profile *profile, reach_opened_fn *opened, void *data)
{
	struct opening opening = {.opened = opened, .data = data};

	init(reach, profile, &opening);
	rule_path_place_finish(&opening.place);
}

void reach_followed(const struct reach *reach, struct profile *followed)
{
	add_others(reach->profile, reach, NULL, followed);
}

void reach_finish(struct reach *reach)
{
	if (reach->covers) {
		cover_destroy(reach->covers->own);
		cover_destroy(reach->covers->others);
		free(reach->covers);
	}
	profile_finish(&reach->others);
	mounts_destroy(reach->mounts);
	*reach = (struct reach){0};
}

static rights_t granted_rights(const struct profile *profile, const char *path)
{
	rights_t rights = 0;

	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]) && path_is_beneath(path, profile->grants[i].path))
			rights |= profile->grants[i].rights;
	return rights;
}

rights_t reach_rights_by_name(const struct reach *reach, const char *path)
{
	struct reach_covers *covers = reach->covers;

	if (covers->asked < FEW) {
		covers->asked++;
		return granted_rights(reach->profile, path) | granted_rights(&reach->others, path);
	}
	if (!covers->own) {
		covers->own = cover_create(reach->profile, COVER_ENFORCED);
		covers->others = cover_create(&reach->others, COVER_ENFORCED);
	}
	return cover_rights(covers->own, path) | cover_rights(covers->others, path);
}

struct asked {
	const struct reach *reach;
	rights_t rights;
	bool writable;
	const struct grant **grant;
};

static void add_rights(void *data, const char *name)
{
	struct asked *asked = data;

	asked->rights |= reach_rights_by_name(asked->reach, name);
}

rights_t reach_rights(const struct reach *reach, const char *path)
{
	struct asked asked = {.reach = reach, .rights = reach_rights_by_name(reach, path)};

	mounts_names(reach->mounts, path, add_rights, &asked);
	return asked.rights;
}

static void look_whether_writable(void *data, const char *name)
{
	struct asked *asked = data;

	asked->writable = asked->writable || trust_is_writable(asked->reach->profile, name, asked->grant) ||
			  trust_is_writable(&asked->reach->others, name, asked->grant);
}

bool reach_is_writable(const struct reach *reach, const char *path, const struct grant **grant)
{
	struct asked asked = {.reach = reach, .grant = grant};

	look_whether_writable(&asked, path);
	if (!asked.writable)
		mounts_names(reach->mounts, path, look_whether_writable, &asked);
	return asked.writable;
}
