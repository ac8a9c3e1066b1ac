#include "runner/explain_rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/rule_path.h"

static void look(struct explain_rules *rules, const struct grant *grant, const struct reach *reach)
{
	struct explain_rule *rule = ARRAY_APPEND(rules->items, rules->count, rules->capacity);
	scoped_error err = {0};
	struct stat status;
	mode_t mode;
	scoped_fd fd = rule_path_open(grant->path, reach, &mode, &err);

	*rule = (struct explain_rule){.path = grant->path, .line = grant->origin.line, .rights = grant->rights};
	if (fd == -ENOENT || fd == -ENOTDIR)
		rule->failure = duplicate("was not there when the program started");
	else if (fd < 0)
		rule->failure = format_text("could not be used: %s", err.message);
	else if (fstat(fd, &status) == 0)
		rule->device = status.st_dev, rule->inode = status.st_ino;
}

/* The process's own entries are another process's here. */
void explain_rules_look(struct explain_rules *rules, const struct reach *reach)
{
	const struct profile *profile = reach->profile;

	*rules = (struct explain_rules){0};
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant_is_enforced(grant) && !path_is_beneath(grant->path, PROC_SELF))
			look(rules, grant, reach);
	}
}

void explain_rules_finish(struct explain_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		free(rules->items[i].failure);
	free(rules->items);
	*rules = (struct explain_rules){0};
}

/* What is wrong with the rule now; NULL for nothing that can be seen. The caller frees. */
static char *fault(const struct explain_rule *rule)
{
	struct stat status;

	if (rule->failure)
		return format_text("%s %s", rule->path, rule->failure);
	if (stat(rule->path, &status) == 0 && (status.st_dev != rule->device || status.st_ino != rule->inode))
		return format_text("%s was replaced since the program started, and a rule stays with the old one",
				   rule->path);
	return NULL;
}

rights_t explain_rules_failed(const struct explain_rules *rules, const char *path, rights_t rights, unsigned *line,
			      char **reason)
{
	rights_t failed = 0, sound = 0;

	*reason = NULL;
	for (size_t i = 0; i < rules->count; i++) {
		const struct explain_rule *rule = &rules->items[i];
		scoped_free char *why = NULL;

		if (!(rule->rights & rights) || !path_is_beneath(path, rule->path))
			continue;
		why = fault(rule);
		if (!why) {
			sound |= rule->rights;
			continue;
		}
		failed |= rule->rights;
		if (!*reason) {
			*reason = steal_pointer(&why);
			*line = rule->line;
		}
	}
	return failed & rights & ~sound;
}
