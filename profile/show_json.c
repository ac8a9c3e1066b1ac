#include "base/json.h"
#include "profile/fact.h"
#include "profile/named_paths.h"
#include "profile/profile_line.h"
#include "profile/reach_list.h"
#include "profile/show.h"

static struct json *words_json(const struct word *words, size_t count)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < count; i++)
		json_put_bytes(list, NULL, words[i].text);
	return list;
}

static void put_session(struct json *object, const struct profile *profile)
{
	json_put_bytes(object, "program", profile->program);
	json_put_bytes(object, "argv0", profile->argv0);
	json_put(object, "arguments", words_json(profile->arguments, profile->argument_count));
	json_put_bytes(object, "directory", profile->directory);
	json_put_number(object, "landlock", profile->landlock);
	json_put_number(object, "sessions", profile->sessions);
	json_put_flag(object, "complete", profile->complete);
	json_put(object, "incomplete", words_json(profile->incomplete, profile->incomplete_count));
}

/* Beside what the lines name; NULL for `named`: of a line that is not in force, and so reaches nothing. */
static void put_reach(struct json *object, const struct grant *grant, const struct tiers *tiers,
		      struct named_paths *named)
{
	struct json *list = json_create_array();
	struct grant_reach reach = {0};

	if (named)
		grant_reach_find(&reach, grant, tiers, named_paths_has, named);
	for (size_t i = 0; i < reach.count; i++) {
		struct json *entry = json_create_object();

		fact_put_path(entry, "path", reach.entries[i].path);
		json_put_text(entry, "tier", tier_name(reach.entries[i].tier));
		json_put(list, NULL, entry);
	}
	json_put(object, "reaches", list);
	json_put_number(object, "reached", (long long)reach.total);
	grant_reach_finish(&reach);
}

static struct json *grant_json(const struct grant *grant, const struct tiers *tiers, struct named_paths *named)
{
	struct json *object = json_create_object();

	json_put_text(object, "tier", tier_name(tiers_of_grant(tiers, grant->path, grant->rights)));
	fact_put_path(object, "path", grant->path);
	fact_put_rights(object, "rights", grant->rights);
	json_put_flag(object, "wide", show_is_wide(grant));
	put_reach(object, grant, tiers, named);
	return object;
}

static struct json *grants_json(const struct profile *profile, const struct tiers *tiers, bool enforced,
				enum section section)
{
	struct named_paths *named = enforced ? named_paths_create(profile) : NULL;
	struct json *list = json_create_array();

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];

		if (grant->path && (enforced ? section_is_enforced(grant->section) : grant->section == section))
			json_put(list, NULL, grant_json(grant, tiers, named));
	}
	named_paths_destroy(named);
	return list;
}

static struct json *moves_json(const struct profile *profile)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < profile->move_count; i++) {
		struct json *object = json_create_object();

		json_put_bytes(object, "from", profile->moves[i].from);
		json_put_bytes(object, "to", profile->moves[i].to);
		json_put(list, NULL, object);
	}
	return list;
}

static struct json *network_json(const struct profile *profile)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < profile->port_count; i++) {
		struct json *object = json_create_object();

		if (profile->ports[i].port == PORT_ANY)
			json_put_text(object, "port", "any");
		else
			json_put_number(object, "port", profile->ports[i].port);
		fact_put_rights(object, "rights", profile->ports[i].rights);
		json_put(list, NULL, object);
	}
	return list;
}

static struct json *environment_json(const struct profile *profile)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < profile->environment_count; i++) {
		const struct environment_line *line = &profile->environment[i];
		struct json *object = json_create_object();

		json_put_text(object, "action", environment_action_name(line->action));
		json_put_bytes(object, "name", line->name);
		json_put_bytes(object, "value", line->action == ENVIRONMENT_SET ? line->value : NULL);
		json_put(list, NULL, object);
	}
	return list;
}

void show_json(const struct profile *profile, const struct tiers *tiers, const char *name, FILE *out)
{
	scoped_json object = json_create_object();
	scoped_buffer text = {0};

	json_put_number(object, "format", 1);
	json_put_bytes(object, "profile", name);
	put_session(object, profile);
	json_put(object, "grants", grants_json(profile, tiers, true, SECTION_NORMAL));
	json_put(object, "held", grants_json(profile, tiers, false, SECTION_HELD));
	json_put(object, "absent", grants_json(profile, tiers, false, SECTION_ABSENT));
	json_put(object, "moves", moves_json(profile));
	json_put(object, "network", network_json(profile));
	fact_put_rights(object, "scope", profile->scope);
	if (profile->has_environment)
		json_put(object, "environment", environment_json(profile));
	else
		json_put_text(object, "environment", NULL); /* passes unchanged, which an empty list would not */
	json_put(object, "seccomp", words_json(profile->seccomp, profile->seccomp_count));
	json_write(object, true, &text);
	fwrite(text.data, 1, text.length, out);
}
