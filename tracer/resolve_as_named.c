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

int resolve_as_named(const struct resolver *resolver, const struct task *task, const struct name *name,
		     struct object *object)
{
	scoped_buffer path = {0};
	char link[64];
	int result = 0;

	*object = (struct object){0};
	if (!*name->text)
		return -ENOENT;
	if (name->text[0] != '/' || !sees_as_we_do(resolver, task)) {
		start_link(task, name, link);
		result = describe_link(resolver, task, link, object);
		if (result || object->place != PLACE_PATH || object->gone)
			return result;
		if (strcmp(object->path, "/") != 0)
			buffer_add_text(&path, object->path);
	}
	add_parts(&path, name->text);
	if (!path.length)
		buffer_add_byte(&path, '/');
	free(object->path);
	object->path = buffer_steal(&path);
	object->place = PLACE_PATH;
	object->type = OBJECT_NONE;
	return 0;
}
