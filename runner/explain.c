#include "runner/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/learn.h"
#include "runner/permission.h"

void explain_init(struct explain *explain, const struct explain_options *options)
{
	*explain = (struct explain){.options = *options};
	explain->session = learner_create(&(struct learn_options){.tty = options->tty});
	reach_followed(options->reach, &explain->followed);
	if (options->enforced)
		explain_rules_look(&explain->rules, options->reach);
}

static void refusal_destroy(struct refusal *refusal)
{
	struct access *access = &refusal->access;

	free((char *)access->path);
	free((char *)access->path2);
	free((char *)access->call);
	free((char *)access->image);
	free(refusal);
}

void explain_finish(struct explain *explain)
{
	struct refusal *refusal, *next;

	HASH_ITER (hh, explain->refusals, refusal, next) {
		HASH_DEL(explain->refusals, refusal);
		refusal_destroy(refusal);
	}
	for (size_t i = 0; i < explain->note_count; i++)
		free(explain->notes[i].text);
	free(explain->notes);
	learner_destroy(explain->session);
	explain_rules_finish(&explain->rules);
	profile_finish(&explain->followed);
	*explain = (struct explain){0};
}

bool explain_is_core(const struct access *access)
{
	return access->call && !strcmp(access->call, EXPLAIN_CORE);
}

bool explain_is_always(const struct access *access)
{
	return access->kind == ACCESS_CALL && !strcmp(access->path, seccomp_group_name(SECCOMP_ALWAYS));
}

/*
 * Of a closed group: the filter's answer, or without it a success that would not have been one. What is refused always
 * is so with -n as well, which would else let a program reboot the machine.
 */
static bool is_refused_call(const struct explain *explain, const struct access *access)
{
	enum seccomp_group group = explain_is_always(access) ? SECCOMP_ALWAYS : seccomp_group_of_word(access->path);

	if (!(explain->options.refused & SECCOMP_SET(group)))
		return false;
	return access->error ==
	       (explain->options.enforced || group == SECCOMP_ALWAYS ? seccomp_error(group, access->call) : 0);
}

/* Landlock's own answers: EACCES; EXDEV for a rename or link; EPERM for a scope. */
static bool is_denial(const struct access *access)
{
	switch (access->kind) {
	case ACCESS_SCOPE:
		return access->error == EPERM;
	case ACCESS_RENAME:
	case ACCESS_EXCHANGE:
	case ACCESS_LINK:
		return access->error == EACCES || access->error == EXDEV;
	default:
		return access->error == EACCES;
	}
}

/* All that tells one refusal from another. */
static void write_key(struct buffer *key, const struct access *access)
{
	access_write(key, access);
	buffer_format(key, " %s", access->image ? access->image : "");
}

static struct refusal *find_refusal(struct explain *explain, const struct buffer *key)
{
	struct refusal *refusal;

	HASH_FIND(hh, explain->refusals, key->data, key->length, refusal);
	return refusal;
}

static struct refusal *add_refusal(struct explain *explain, const struct access *access, const struct buffer *key)
{
	struct refusal *refusal = allocate(sizeof *refusal + key->length);

	refusal->access = *access;
	refusal->access.path = duplicate(access->path);
	refusal->access.path2 = duplicate(access->path2);
	refusal->access.call = duplicate(access->call);
	refusal->access.image = duplicate(access->image);
	refusal->key_length = key->length;
	memcpy(refusal->key, key->data, key->length);
	HASH_ADD(hh, explain->refusals, key[0], refusal->key_length, refusal);
	return refusal;
}

static bool is_of_exec(const struct access *access)
{
	return access->call && !strcmp(access->call, "exec");
}

/* What an exec pulls in comes right behind the file; two that share a loader are one group. */
static void put_into_group(struct explain *explain, struct refusal *refusal)
{
	size_t group = refusal->group;

	if (!group)
		refusal->group = is_of_exec(&refusal->access) ? explain->group : ++explain->groups;
	if (!is_of_exec(&refusal->access))
		explain->group = refusal->group;
	if (refusal->group == explain->group)
		return;
	for (struct refusal *other = explain->refusals; other; other = other->hh.next)
		if (other->group == group)
			other->group = explain->group;
}

static bool is_of_interest(const struct explain *explain, const struct access *access)
{
	if (access->kind == ACCESS_CALL)
		return is_refused_call(explain, access);
	if (!access->asked || access->inherited || access->kind == ACCESS_MISSING)
		return false;
	return !explain->options.enforced || is_denial(access) || access->silent;
}

void explain_access(struct explain *explain, const struct access *access, pid_t tid)
{
	scoped_buffer key = {0};
	struct refusal *refusal;

	learner_add(explain->session, access);
	if (!is_of_interest(explain, access))
		return;
	write_key(&key, access);
	refusal = find_refusal(explain, &key);
	if (!refusal) {
		refusal = add_refusal(explain, access, &key);
		refusal->forbidden = access->error == EACCES && permission_refuses(tid, access);
	}
	refusal->count++;
	put_into_group(explain, refusal);
}

void explain_note(struct explain *explain, const char *text, bool unseen)
{
	for (size_t i = 0; i < explain->note_count; i++)
		if (!strcmp(explain->notes[i].text, text))
			return;
	*ARRAY_APPEND(explain->notes, explain->note_count, explain->note_capacity) =
		(struct explain_note){duplicate(text), unseen};
	explain->unseen_count += unseen;
}

static void note_core(struct explain *explain, const char *image)
{
	scoped_free char *text =
		format_text("%s died and left no core, though its limit allows one, and where it would "
			    "lie cannot be told: see core(5)",
			    image ? image : "a program");

	explain_note(explain, text, false);
}

void explain_no_core(struct explain *explain, const char *image, const char *directory)
{
	scoped_free char *path = format_text("%s/core", strcmp(directory, "/") != 0 ? directory : "");
	const struct access access = {
		.kind = ACCESS_CREATE,
		.type = OBJECT_FILE,
		.rights = RIGHT_WRITE_FILE,
		.asked = true,
		.path = path,
		.call = EXPLAIN_CORE,
		.image = image,
	};
	scoped_buffer key = {0};
	struct refusal *refusal;

	if (!*directory) {
		note_core(explain, image);
		return;
	}
	write_key(&key, &access);
	refusal = find_refusal(explain, &key);
	if (!refusal) {
		refusal = add_refusal(explain, &access, &key);
		refusal->forbidden = permission_refuses(getpid(), &access); /* the process is gone */
	}
	refusal->count++;
	put_into_group(explain, refusal);
}
