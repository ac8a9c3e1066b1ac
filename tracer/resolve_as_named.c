/* Names of what is only looked at: cheap, since there are many of them, and nothing depends on where they lead. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "profile/path.h"
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

/* Most absolute names have nothing in them that says nothing: they need not be copied. */
static bool is_plain(const char *text)
{
	return text[0] == '/' && text[1] && text[strlen(text) - 1] != '/' && !strstr(text, "//") && !strstr(text, "/.");
}

static bool is_in_proc(const struct resolver *resolver, const char *text)
{
	for (size_t i = 0; i < resolver->proc_count; i++)
		if (path_is_beneath(text, resolver->proc_mounts[i]))
			return true;
	return false;
}

/* As readlink(2); `text` has room for PATH_MAX. */
static ssize_t read_start(const struct resolver *resolver, struct task *task, const struct name *name, char *text)
{
	ssize_t length = -1;

	if (name->directory == AT_FDCWD)
		length = start_shared_find(resolver->shared, resolver->tasks, task, text);
	if (length >= 0)
		return length;
	length = start_links_read(resolver->starts, task->tid, name->directory, text, PATH_MAX);
	if (length > 0 && name->directory == AT_FDCWD)
		start_shared_keep(resolver->shared, resolver->tasks, task, text, (size_t)length);
	return length;
}

/*
 * Where all is on mounts of ours, the link alone tells; else, and where it is odd, the file has to be looked at too,
 * and that takes as long. Whether it could be told so.
 */
static bool add_plain_start(const struct resolver *resolver, struct task *task, const struct name *name,
			    struct buffer *path)
{
	char link[PROC_NAME_SIZE], *text = buffer_extend(path, PATH_MAX);
	ssize_t length = -1;

	if (!resolver->mounts_differ && name->text[0] == '/')
		length = readlink(proc_name(link, task->tid, "root"), text, PATH_MAX);
	else if (!resolver->mounts_differ)
		length = read_start(resolver, task, name, text);
	path->length = 0;
	if (length <= 0 || length == PATH_MAX)
		return false;
	text[length] = '\0';
	if (is_odd_name(text, (size_t)length) || is_in_proc(resolver, text))
		return false;
	path->length = (size_t)length;
	return true;
}

static bool add_start(const struct resolver *resolver, struct task *task, const struct name *name, struct buffer *path)
{
	char link[PROC_NAME_SIZE];
	struct object object;
	bool found;

	if (add_plain_start(resolver, task, name, path))
		return true;
	start_link(task, name, link);
	found = describe_link(resolver, task, link, &object) == 0 && object.place == PLACE_PATH && !object.gone;
	if (found && strcmp(object.path, "/") != 0)
		buffer_add_text(path, object.path);
	object_finish(&object);
	return found;
}

const char *resolve_as_named(const struct resolver *resolver, struct task *task, const struct name *name,
			     struct buffer *path)
{
	bool ours = name->text[0] == '/' && sees_as_we_do(resolver, task);

	if (ours && is_plain(name->text))
		return name->text;
	buffer_clear(path);
	if (!*name->text || (!ours && !add_start(resolver, task, name, path)))
		return NULL;
	add_parts(path, name->text);
	if (!path->length)
		buffer_add_byte(path, '/');
	return path->data;
}
