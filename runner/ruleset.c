#include "runner/ruleset.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/message.h"

/* What the profile leaves open altogether: a right that no rule can give for all ports, and scopes. */
static rights_t left_open(const struct profile *profile)
{
	rights_t rights = profile->scope;

	for (size_t i = 0; i < profile->port_count; i++)
		if (profile->ports[i].port == PORT_ANY)
			rights |= profile->ports[i].rights;
	return rights;
}

static int compare_paths(const void *left, const void *right)
{
	return strcmp(((const struct ruleset_path *)left)->path, ((const struct ruleset_path *)right)->path);
}

/* Where the paths from here on are no longer in order. */
static size_t end_of_run(const struct ruleset_path *paths, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && compare_paths(&paths[end - 1], &paths[end]) <= 0)
		end++;
	return end < count ? end : count;
}

/* Two runs that follow each other. */
static void merge(struct ruleset_path *into, const struct ruleset_path *one, const struct ruleset_path *other,
		  const struct ruleset_path *end)
{
	const struct ruleset_path *middle = other;

	while (one < middle && other < end)
		*into++ = compare_paths(one, other) <= 0 ? *one++ : *other++;
	while (one < middle)
		*into++ = *one++;
	while (other < end)
		*into++ = *other++;
}

/* A profile's lines are in the order of their rights, and then of their paths: a few runs, which are merged. */
static void sort_paths(struct ruleset *ruleset)
{
	size_t count = ruleset->path_count, end = 0;

	while (count && end_of_run(ruleset->paths, 0, count) < count) {
		struct ruleset_path *merged = allocate_array(count, sizeof *merged);

		for (size_t from = 0; from < count; from = end) {
			size_t middle = end_of_run(ruleset->paths, from, count);

			end = middle < count ? end_of_run(ruleset->paths, middle, count) : count;
			merge(merged + from, ruleset->paths + from, ruleset->paths + middle, ruleset->paths + end);
		}
		free(ruleset->paths);
		ruleset->paths = merged;
		ruleset->path_capacity = count;
	}
}

static void add_paths(const struct profile *profile, struct ruleset *ruleset)
{
	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		rights_t rights = grant->rights & ruleset->handled;

		if (!grant_is_enforced(grant) || !rights)
			continue;
		*ARRAY_APPEND(ruleset->paths, ruleset->path_count, ruleset->path_capacity) =
			(struct ruleset_path){.path = grant->path, .rights = rights, .grant = grant};
	}
	sort_paths(ruleset);
}

static int compare_ports(const void *left, const void *right)
{
	return ((const struct ruleset_port *)left)->port - ((const struct ruleset_port *)right)->port;
}

static void add_ports(const struct profile *profile, struct ruleset *ruleset)
{
	for (size_t i = 0; i < profile->port_count; i++) {
		const struct port_grant *grant = &profile->ports[i];
		rights_t rights = grant->rights & ruleset->handled;

		if (!rights) /* also what is open to any port */
			continue;
		*ARRAY_APPEND(ruleset->ports, ruleset->port_count, ruleset->port_capacity) =
			(struct ruleset_port){.port = (uint16_t)grant->port, .rights = rights};
	}
	if (ruleset->port_count)
		qsort(ruleset->ports, ruleset->port_count, sizeof *ruleset->ports, compare_ports);
}

/* Groups whose calls Landlock limits itself, once it knows these rights. */
static const struct {
	enum seccomp_group group;
	rights_t rights;
} limited[] = {
	{SECCOMP_UNIX_SOCKET, RIGHT_RESOLVE_UNIX | RIGHT_ABSTRACT_UNIX_SOCKET},
	{SECCOMP_UDP, RIGHT_BIND_UDP | RIGHT_CONNECT_SEND_UDP},
};

static void compile_groups(const struct profile *profile, rights_t known, struct ruleset *ruleset)
{
	seccomp_set_t open = 0;

	for (size_t i = 0; i < profile->seccomp_count; i++)
		open |= SECCOMP_SET(seccomp_group_of_word(profile->seccomp[i].text));
	ruleset->refused = SECCOMP_EVERY_GROUP & ~open;
	for (size_t i = 0; i < ARRAY_LENGTH(limited); i++) {
		seccomp_set_t group = SECCOMP_SET(limited[i].group);

		if (!(limited[i].rights & ~known))
			ruleset->refused &= ~group;
		else if (ruleset->refused & group)
			ruleset->missing &= ~limited[i].rights;
		else
			ruleset->loose |= group;
	}
}

void ruleset_compile(const struct profile *profile, int abi, struct ruleset *ruleset)
{
	rights_t known = rights_of_abi(abi);
	rights_t open = left_open(profile);
	rights_t kept = known | open | RIGHT_REFER; /* ABI 1 refuses that to all */

	*ruleset = (struct ruleset){
		.abi = abi,
		.handled = known & ~open,
		.missing = rights_of_abi(LANDLOCK_ABI_NEWEST) & ~kept,
		.needed = rights_of_abi(profile->landlock) & ~kept,
	};
	compile_groups(profile, known, ruleset);
	add_paths(profile, ruleset);
	add_ports(profile, ruleset);
}

void ruleset_finish(struct ruleset *ruleset)
{
	free(ruleset->paths);
	free(ruleset->ports);
	*ruleset = (struct ruleset){0};
}

static void print_rights(FILE *out, const char *what, rights_t rights)
{
	scoped_buffer names = {0};

	if (!rights)
		return;
	rights_write(&names, rights);
	print_line(out, "%s %s", what, names.data);
}

static void print_rule(FILE *out, rights_t rights, const char *object)
{
	scoped_buffer names = {0};

	rights_write(&names, rights);
	print_line(out, "allow %s %s", names.data, object);
}

static void print_groups(FILE *out, const char *what, seccomp_set_t groups)
{
	scoped_buffer words = {0};

	seccomp_set_write(&words, groups);
	if (groups)
		print_line(out, "%s %s", what, words.data);
}

void ruleset_print(const struct ruleset *ruleset, FILE *out)
{
	char port[8];

	print_line(out, "landlock %d", ruleset->abi);
	print_line(out, "set no_new_privs");
	print_rights(out, "handle", ruleset->handled & RIGHTS_FILE_SYSTEM);
	print_rights(out, "handle", ruleset->handled & RIGHTS_NETWORK);
	print_rights(out, "scope", ruleset->handled & RIGHTS_SCOPE);
	print_groups(out, "refuse", ruleset->refused);
	for (size_t i = 0; i < ruleset->path_count; i++)
		print_rule(out, ruleset->paths[i].rights, ruleset->paths[i].path);
	for (size_t i = 0; i < ruleset->port_count; i++) {
		snprintf(port, sizeof port, "%u", ruleset->ports[i].port);
		print_rule(out, ruleset->ports[i].rights, port);
	}
	print_rights(out, "not enforced by this kernel:", ruleset->missing);
}
