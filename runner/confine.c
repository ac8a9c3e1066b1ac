#include "runner/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"
#include "profile/rule_path.h"
#include "runner/landlock.h"

#define MOST_WARNINGS 10 /* of one kind; the rest is counted */

struct rules {
	const struct ruleset *ruleset;
	const struct reach *reach;
	const struct early_rules *early;
	int fd; /* of the kernel's ruleset; -1: only look */
	confine_warn_fn *warn;
	void *data;
	size_t missing, refused, applied;
};

static void warn_of(const struct rules *rules, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void warn_of(const struct rules *rules, unsigned line, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	rules->warn(rules->data, line, text);
	free(text);
}

/* What [absent] says that path's directory would be asked, were the program to make it; 0 for nothing. */
static rights_t absent_rights(const struct profile *profile, const char *path, char **directory)
{
	rights_t rights = 0;

	*directory = path_parent(path);
	for (size_t i = 0; *directory && i < profile->grant_count; i++)
		if (profile->grants[i].section == SECTION_ABSENT && profile->grants[i].path &&
		    strcmp(profile->grants[i].path, *directory) == 0)
			rights |= profile->grants[i].rights;
	return rights;
}

static void warn_missing(struct rules *rules, const struct ruleset_path *rule)
{
	scoped_buffer names = {0};
	scoped_free char *directory = NULL;
	rights_t rights;

	if (++rules->missing > MOST_WARNINGS)
		return;
	rights = absent_rights(rules->reach->profile, rule->path, &directory);
	if (!rights) {
		warn_of(rules, rule->grant->origin.line, "%s is not there, so nothing is granted on it", rule->path);
		return;
	}
	rights_write(&names, rights);
	warn_of(rules, rule->grant->origin.line,
		"%s is not there, so nothing is granted on it; for the program to make it, it needs \"allow = %s %s\"",
		rule->path, names.data, directory);
}

static void warn_refused(struct rules *rules, const struct ruleset_path *rule, const struct error *why)
{
	if (++rules->refused > MOST_WARNINGS)
		return;
	warn_of(rules, rule->grant->origin.line, "nothing is granted on %s: %s%s", rule->path, why->message,
		why->number == ELOOP ? "; if the target is meant, write its own name into the profile" : "");
}

static void warn_of_the_rest(const struct rules *rules)
{
	if (rules->missing > MOST_WARNINGS)
		warn_of(rules, 0, "%zu more of its paths are not there", rules->missing - MOST_WARNINGS);
	if (rules->refused > MOST_WARNINGS)
		warn_of(rules, 0, "%zu more of its paths cannot be used", rules->refused - MOST_WARNINGS);
	if (rules->ruleset->path_count == 1 && !rules->applied)
		warn_of(rules, 0, "its one path is not granted: every file will be refused");
	else if (rules->ruleset->path_count && !rules->applied)
		warn_of(rules, 0, "none of its %zu paths is granted: every file will be refused",
			rules->ruleset->path_count);
}

/* The kernel takes no right of directories on anything else (EINVAL). */
rights_t confine_rights_on(mode_t mode, rights_t rights)
{
	return S_ISDIR(mode) ? rights : rights & RIGHTS_ON_FILE;
}

static int add_rule(struct rules *rules, const struct ruleset_path *rule, int path_fd, mode_t mode, struct error *err)
{
	rights_t rights = confine_rights_on(mode, rule->rights);
	int result;

	if (!rights) {
		scoped_error why = {0};

		error_set(&why, EINVAL, "it is not a directory, and the line has no right for anything else");
		warn_refused(rules, rule, &why);
		return 0;
	}
	rules->applied++;
	if (rules->fd < 0 || (rules->ruleset->own_served && path_is_beneath(rule->path, PROC_SELF)))
		return 0; /* a rule would let all processes at the entries of this one */
	result = landlock_add_path(rules->fd, path_fd, rights);
	if (result < 0 && result != -EBADFD) /* EBADFD: a namespace's file, which Landlock never checks */
		return error_set_errno(err, -result, "line %u: no rule can be made for %s", rule->grant->origin.line,
				       rule->path);
	return 0;
}

static int open_and_add(struct rules *rules, const struct ruleset_path *rule, struct error *err)
{
	scoped_error why = {0};
	bool is_for_all = !(rule->rights & ~RIGHTS_ON_FILE); /* whatever its kind is, of many lines most */
	mode_t mode = 0;
	scoped_fd fd = -1;

	if (early_rules_has(rules->early, rule->grant)) {
		rules->applied++;
		return 0;
	}
	fd = rule_path_open(rule->path, rules->reach, is_for_all ? NULL : &mode, &why);
	if (fd >= 0)
		return add_rule(rules, rule, fd, mode, err);
	if (fd == -ENOSYS || fd == -EPERM)
		return error_set(err, -fd, "%s", why.message);
	if (fd == -ENOENT || fd == -ENOTDIR)
		warn_missing(rules, rule);
	else
		warn_refused(rules, rule, &why);
	return 0;
}

static int add_ports(const struct ruleset *ruleset, int fd, struct error *err)
{
	for (size_t i = 0; i < ruleset->port_count; i++) {
		const struct ruleset_port *port = &ruleset->ports[i];
		int result = landlock_add_port(fd, port->port, port->rights >> RIGHTS_NETWORK_SHIFT);

		if (result < 0)
			return error_set_errno(err, -result, "no rule can be made for port %u", port->port);
	}
	return 0;
}

static int add_all(struct rules *rules, struct error *err)
{
	const struct ruleset *ruleset = rules->ruleset;

	for (size_t i = 0; i < ruleset->path_count; i++)
		if (open_and_add(rules, &ruleset->paths[i], err) < 0)
			return -err->number;
	if (rules->fd >= 0 && add_ports(ruleset, rules->fd, err) < 0)
		return -err->number;
	warn_of_the_rest(rules);
	return 0;
}

static int set_no_new_privs(struct error *err)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
		return error_set_errno(err, errno, "no_new_privs cannot be set");
	return 0;
}

/*
 * A refusal to a program that has a profile is news to whoever reads the kernel's audit log; what we try ourselves
 * before the exec (in_force.h, verify.h) is not. While learning nothing is refused.
 */
static unsigned log_flags(int abi)
{
	return abi >= 7 ? LANDLOCK_LOG_SAME_EXEC_OFF | LANDLOCK_LOG_NEW_EXEC_ON : 0;
}

static int restrict_self(int ruleset_fd, int abi, struct error *err)
{
	int result = landlock_restrict(ruleset_fd, log_flags(abi));

	if (result == -E2BIG)
		return error_set(err, E2BIG,
				 "as many Landlock domains as the kernel allows (16 on most) are in force around this "
				 "process: start it inside fewer trace-run, trace-learn or other sandboxes");
	if (result < 0)
		return error_set_errno(err, -result, "the Landlock ruleset cannot be put in force");
	return 0;
}

/* The attribute for a set of handled rights of all classes. */
static struct landlock_attribute attribute_of(rights_t handled)
{
	return (struct landlock_attribute){
		.handled_access_fs = handled & RIGHTS_FILE_SYSTEM,
		.handled_access_net = (handled & RIGHTS_NETWORK) >> RIGHTS_NETWORK_SHIFT,
		.scoped = (handled & RIGHTS_SCOPE) >> RIGHTS_SCOPE_SHIFT,
	};
}

static int make_ruleset(rights_t handled, int abi, struct error *err)
{
	struct landlock_attribute attribute = attribute_of(handled);
	int fd = landlock_create(&attribute, abi);

	return fd < 0 ? error_set_errno(err, -fd, "the kernel refuses a Landlock ruleset of ABI %d", abi) : fd;
}

int confine_ruleset(const struct ruleset *ruleset, struct error *err)
{
	return make_ruleset(ruleset->handled, ruleset->abi, err);
}

int confine(const struct ruleset *ruleset, const struct reach *reach, const struct early_rules *early,
	    confine_warn_fn *warn, void *data, struct error *err)
{
	scoped_fd own = early && early->is_made ? -1 : confine_ruleset(ruleset, err);
	int fd = early && early->is_made ? early->fd : own;
	struct rules rules = {.ruleset = ruleset, .reach = reach, .early = early, .fd = fd, .warn = warn, .data = data};
	int result = fd < 0 ? fd : add_all(&rules, err);

	if (result == 0)
		result = set_no_new_privs(err);
	return result < 0 ? result : restrict_self(fd, ruleset->abi, err);
}

int confine_look(const struct ruleset *ruleset, const struct reach *reach, confine_warn_fn *warn, void *data,
		 struct error *err)
{
	struct rules rules = {.ruleset = ruleset, .reach = reach, .fd = -1, .warn = warn, .data = data};

	return add_all(&rules, err);
}

static int grant_root(int fd, rights_t rights, struct error *err)
{
	scoped_fd root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int result;

	if (root_fd < 0)
		return error_set_errno(err, errno, "/");
	result = landlock_add_path(fd, root_fd, rights);
	return result < 0 ? error_set_errno(err, -result, "no Landlock rule can be made for /") : 0;
}

int confine_learning(const struct ruleset *limits, struct error *err)
{
	int abi = landlock_abi();
	rights_t files = rights_of_abi(abi) & RIGHTS_FILE_SYSTEM;
	rights_t others = limits ? limits->handled & ~RIGHTS_FILE_SYSTEM : 0;
	scoped_fd fd = -1;
	int result = set_no_new_privs(err);

	if (result < 0)
		return result;
	if (abi < 0)
		return 1;
	fd = make_ruleset(files | others, abi, err);
	if (fd < 0)
		return fd;
	result = grant_root(fd, files, err);
	if (result == 0 && limits)
		result = add_ports(limits, fd, err);
	return result < 0 ? result : restrict_self(fd, abi, err);
}
