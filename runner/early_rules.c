#include "runner/early_rules.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "runner/confine.h"
#include "runner/landlock.h"

void early_rules_init(struct early_rules *rules, const struct profile *profile, const struct ruleset *ruleset)
{
	scoped_error why = {0};

	*rules = (struct early_rules){.ruleset = ruleset, .profile = profile, .fd = confine_ruleset(ruleset, &why)};
	if (rules->fd >= 0)
		rules->is_made = allocate_array(profile->grant_count, sizeof *rules->is_made);
}

void early_rules_finish(struct early_rules *rules)
{
	if (rules->is_made)
		close(rules->fd);
	free(rules->is_made);
	*rules = (struct early_rules){.fd = -1};
}

/*
 * What cannot be done here is left to confine(), which says why. So are entries of /proc, whose rules hold only for as
 * long as somebody holds the entry (supervisor.h).
 */
void early_rules_take(void *data, const struct grant *grant, int path_fd)
{
	struct early_rules *rules = data;
	rights_t rights = grant->rights & rules->ruleset->handled;
	struct stat status;

	if (rules->fd < 0 || path_is_beneath(grant->path, "/proc"))
		return;
	if (rights & ~RIGHTS_ON_FILE)
		rights = fstat(path_fd, &status) < 0 ? 0 : confine_rights_on(status.st_mode, rights);
	if (rights)
		rules->is_made[grant - rules->profile->grants] = landlock_add_path(rules->fd, path_fd, rights) == 0;
}

bool early_rules_has(const struct early_rules *rules, const struct grant *grant)
{
	return rules && rules->is_made && rules->is_made[grant - rules->profile->grants];
}
