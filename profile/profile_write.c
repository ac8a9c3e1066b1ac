#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "profile/profile_file.h"
#include "profile/profile_head.h"
#include "profile/profile_line.h"

/* Comments may come from code that did not think of what a name can hold: whatever it is, it stays a comment. */
static void add_comment(struct buffer *out, const char *comment)
{
	while (comment && *comment) {
		size_t length = strcspn(comment, "\n");
		char *line = duplicate_bytes(comment, length);

		if (*line != ';' && *line != '#')
			buffer_add_text(out, "; ");
		if (line[clean_length(line, true)] == '\0')
			buffer_add_text(out, line);
		else
			escape_display(out, line);
		buffer_add_byte(out, '\n');
		free(line);
		comment += length + (comment[length] == '\n');
	}
}

static void add_fact(struct buffer *out, const char *key, const char *value, const struct origin *origin)
{
	add_comment(out, origin->comment);
	line_write(out, key, value);
}

/* A heading; an empty line before all but the first. */
static void add_heading(struct buffer *out, const struct profile *profile, enum heading heading)
{
	if (heading != HEADING_PROFILE)
		buffer_add_byte(out, '\n');
	add_comment(out, profile->heading_comments[heading]);
	buffer_format(out, "[%s]\n", heading_name(heading));
}

static void add_grants(struct buffer *out, const struct profile *profile, enum section section, size_t *next)
{
	enum heading heading = HEADING_GRANTS + (enum heading)section;
	bool has_grants = *next < profile->grant_count && profile->grants[*next].section == section;
	scoped_buffer value = {0};

	if (has_grants || profile->heading_comments[heading])
		add_heading(out, profile, heading);
	for (; *next < profile->grant_count && profile->grants[*next].section == section; (*next)++) {
		const struct grant *grant = &profile->grants[*next];

		buffer_clear(&value);
		line_grant(&value, grant);
		add_fact(out, "allow", value.data, &grant->origin);
	}
}

static void add_moves(struct buffer *out, const struct profile *profile)
{
	if (profile->move_count || profile->heading_comments[HEADING_MOVES])
		add_heading(out, profile, HEADING_MOVES);
	for (size_t i = 0; i < profile->move_count; i++) {
		scoped_buffer value = {0};

		line_move(&value, &profile->moves[i]);
		add_fact(out, "move", value.data, &profile->moves[i].origin);
	}
}

static void add_network(struct buffer *out, const struct profile *profile)
{
	if (profile->has_network || profile->port_count)
		add_heading(out, profile, HEADING_NETWORK);
	for (size_t i = 0; i < profile->port_count; i++) {
		scoped_buffer value = {0};

		line_port(&value, &profile->ports[i]);
		add_fact(out, "allow", value.data, &profile->ports[i].origin);
	}
}

static void add_scope(struct buffer *out, const struct profile *profile)
{
	if (profile->has_scope || profile->scope)
		add_heading(out, profile, HEADING_SCOPE);
	for (const struct right *right = right_table; right->name; right++)
		if (right->class == RIGHT_CLASS_SCOPE && profile->scope & right->bit)
			add_fact(out, "allow", right->name,
				 &profile->scope_origins[__builtin_ctzll(right->bit) - RIGHTS_SCOPE_SHIFT]);
}

static void add_environment(struct buffer *out, const struct profile *profile)
{
	if (profile->has_environment || profile->environment_count)
		add_heading(out, profile, HEADING_ENVIRONMENT);
	for (size_t i = 0; i < profile->environment_count; i++) {
		const struct environment_line *line = &profile->environment[i];
		scoped_buffer value = {0};

		line_environment(&value, line);
		add_fact(out, environment_action_name(line->action), buffer_text(&value), &line->origin);
	}
}

static void add_seccomp(struct buffer *out, const struct profile *profile)
{
	if (profile->has_seccomp || profile->seccomp_count)
		add_heading(out, profile, HEADING_SECCOMP);
	for (size_t i = 0; i < profile->seccomp_count; i++) {
		scoped_buffer value = {0};

		line_word(&value, &profile->seccomp[i]);
		add_fact(out, "allow", buffer_text(&value), &profile->seccomp[i].origin);
	}
}

void profile_write(struct profile *profile, struct buffer *out)
{
	size_t next = 0;

	profile_sort(profile);
	buffer_add_text(out, PROFILE_SIGNATURE PACKAGE_VERSION "\n");
	add_heading(out, profile, HEADING_PROFILE);
	head_write(profile, add_fact, out);
	for (enum section section = 0; section < SECTION_COUNT; section++)
		add_grants(out, profile, section, &next);
	add_moves(out, profile);
	add_network(out, profile);
	add_scope(out, profile);
	add_environment(out, profile);
	add_seccomp(out, profile);
	add_comment(out, profile->tail_comment);
}
