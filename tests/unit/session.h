/*
 * For tests of learning: recorded accesses, a line each, become a profile in text. Lines that begin with #: hold an
 * option ("tty PATH", "hold TIER", "with-absent", "collapse N", "collapse-prefix PATH", "force-sensitive-collapse");
 * other lines that begin with # are comments.
 */
#pragma once

#include "profile_text.h"

#include "profile/learn.h"
#include "profile/tiers_table.h"

struct session {
	char *text;   /* owned: the lines, NUL for newline */
	char **lines; /* accesses alone */
	size_t count, capacity;
	struct learn_options options;
};

static inline void session_prefix(struct session *session, char *path)
{
	struct collapse_options *collapse = &session->options.collapse;

	*ARRAY_APPEND(collapse->prefixes, collapse->prefix_count, collapse->prefix_capacity) = path;
}

static inline void session_option(struct session *session, char *line)
{
	char *value = strchr(line, ' ');
	scoped_error err = {0};

	if (value)
		*value++ = '\0';
	if (!strcmp(line, "with-absent"))
		session->options.with_absent = true;
	else if (!strcmp(line, "force-sensitive-collapse"))
		session->options.collapse.sensitive = true;
	else if (!strcmp(line, "collapse") && value)
		session->options.collapse.least = strtoul(value, NULL, 10);
	else if (!strcmp(line, "collapse-prefix") && value)
		session_prefix(session, value);
	else if (!strcmp(line, "tty") && value)
		session->options.tty = value;
	else if (!strcmp(line, "hold") && value)
		cr_assert_eq(tier_read(value, &session->options.hold, &err), 0, "%s", err.message);
	else
		cr_assert_fail("unknown option of a session: %s", line);
}

static inline void session_init(struct session *session, const char *text)
{
	char *rest = NULL;

	*session = (struct session){.text = duplicate(text)};
	for (char *line = strtok_r(session->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, "#: ", 3))
			session_option(session, line + 3);
		else if (*line != '#')
			*ARRAY_APPEND(session->lines, session->count, session->capacity) = line;
	}
}

static inline void session_finish(struct session *session)
{
	free(session->text);
	free(session->lines);
	free(session->options.collapse.prefixes);
}

#define scoped_session __attribute__((cleanup(session_finish))) struct session

static inline void learner_add_line(struct learner *learner, const char *line)
{
	scoped_free char *storage = NULL;
	scoped_error err = {0};
	struct access access;

	cr_assert_eq(access_read(line, &access, &storage, &err), 0, "%s: %s", line, err.message);
	learner_add(learner, &access);
}

static inline struct tiers *builtin_tiers(void)
{
	struct tiers *tiers = NULL;
	scoped_error err = {0};

	cr_assert_eq(tiers_read_text(tiers_builtin, strlen(tiers_builtin), "tiers.ini", &test_variables, &tiers, &err),
		     0, "%s", err.message);
	return tiers;
}

static inline struct learner *session_learn(const struct session *session)
{
	struct learner *learner = learner_create(&session->options);

	for (size_t i = 0; i < session->count; i++)
		learner_add_line(learner, session->lines[i]);
	return learner;
}

/* Adds the session's grants to the profile. */
static inline void session_add_to(const struct session *session, struct profile *profile)
{
	struct learner *learner = session_learn(session);
	struct tiers *tiers = builtin_tiers();

	learner_finish(learner, tiers, profile);
	tiers_destroy(tiers);
	learner_destroy(learner);
}

/* The profile of the session alone, as it is written. */
static inline void session_write(const struct session *session, struct buffer *out)
{
	scoped_profile profile = {.landlock = 7, .sessions = 1, .complete = true};

	session_add_to(session, &profile);
	profile_write(&profile, out);
}
