/* Names of what is only looked at: cheap, since there are many of them, and nothing depends on where they lead. */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "tracer/resolve_parts.h"

/* Adds the parts of the name, less what says nothing: doubled slashes and `.`. */
static void add_parts(struct buffer *path, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "/");

		if (length && !(length == 1 && text[0] == '.')) {
			if (!path->length || path->data[path->length - 1] != '/')
				buffer_add_byte(path, '/');
			buffer_add(path, text, length);
		}
		text += length;
		text += *text == '/';
	}
}

/* Most names have nothing in them that says nothing. */
static void add_name(struct buffer *path, const char *text)
{
	size_t length = strlen(text);

	if (text[0] == '/' && length > 1 && text[length - 1] != '/' && !strstr(text, "//") && !strstr(text, "/."))
		buffer_add(path, text, length);
	else
		add_parts(path, text);
}

static bool add_start(const struct resolver *resolver, const struct task *task, const struct name *name,
		      struct buffer *path)
{
	char link[64];
	struct object object;
	bool found;

	start_link(task, name, link);
	found = describe_link(resolver, task, link, &object) == 0 && object.place == PLACE_PATH && !object.gone;
	if (found && strcmp(object.path, "/") != 0)
		buffer_add_text(path, object.path);
	object_finish(&object);
	return found;
}

bool resolve_as_named(const struct resolver *resolver, const struct task *task, const struct name *name,
		      struct buffer *path)
{
	buffer_clear(path);
	if (!*name->text)
		return false;
	if ((name->text[0] != '/' || !sees_as_we_do(resolver, task)) && !add_start(resolver, task, name, path))
		return false;
	add_name(path, name->text);
	if (!path->length)
		buffer_add_byte(path, '/');
	return true;
}
