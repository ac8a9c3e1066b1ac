#include "profile/fact.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "profile/profile_line.h"

static void add_path(struct buffer *out, const char *path)
{
	if (strcmp(path, TERMINAL_PLACEHOLDER) == 0)
		buffer_add_text(out, "${TTY}");
	else
		escape_value(out, path);
}

char *fact_path(const char *path)
{
	scoped_buffer out = {0};

	add_path(&out, path);
	return buffer_steal(&out);
}

char *fact_rights(rights_t rights)
{
	scoped_buffer out = {0};

	rights_write(&out, rights);
	return buffer_steal(&out);
}

char *fact_grant(rights_t rights, const char *path)
{
	scoped_buffer out = {0};

	rights_write(&out, rights);
	buffer_add_byte(&out, ' ');
	add_path(&out, path);
	return buffer_steal(&out);
}

char *fact_port(rights_t rights, int port)
{
	scoped_buffer out = {0};

	line_port(&out, &(struct port_grant){.rights = rights, .port = port});
	return buffer_steal(&out);
}

char *fact_move(const struct move *move)
{
	scoped_buffer out = {0};

	line_move(&out, &(struct move){.from = move->from, .to = move->to, .directory = move->directory});
	return buffer_steal(&out);
}

char *fact_environment(const struct environment_line *line)
{
	struct environment_line bare = *line;
	scoped_buffer out = {0};

	bare.origin = (struct origin){0};
	buffer_format(&out, "%s = ", environment_action_name(line->action));
	line_environment(&out, &bare);
	return buffer_steal(&out);
}

char *fact_value(const char *key, const char *value)
{
	scoped_buffer out = {0};

	buffer_format(&out, "%s = ", key);
	escape_value(&out, value);
	return buffer_steal(&out);
}

char *fact_arguments(const struct profile *profile)
{
	scoped_buffer out = {0};

	for (size_t i = 0; i < profile->argument_count; i++) {
		const char *text = profile->arguments[i].text;
		const char *quote = *text == '\0' || strpbrk(text, " '\"\\;") ? "'" : "";

		buffer_format(&out, "%s%s%s%s", i ? " " : "", quote, text, quote);
	}
	return buffer_steal(&out);
}

enum style tier_style(enum tier tier)
{
	static const enum style styles[] = {
		[TIER_NORMAL] = STYLE_PLAIN,
		[TIER_GUARDED] = STYLE_YELLOW,
		[TIER_PROTECTED] = STYLE_RED,
	};

	return styles[tier];
}

void fact_put_path(struct json *object, const char *key, const char *path)
{
	scoped_free char *text = path ? fact_path(path) : NULL;

	json_put_text(object, key, text);
}

void fact_put_rights(struct json *object, const char *key, rights_t rights)
{
	json_begin_array(object, key);
	for (const struct right *right = right_table; rights && right->name; right++) {
		if (rights & right->bit)
			json_put_text(object, NULL, right->name);
		rights &= ~right->bit;
	}
	json_end_array(object);
}
