#include "profile/mount_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

struct mount {
	unsigned long long id;
	char *device; /* "major:minor", of the whole file system, also where stat(2) tells of a part (btrfs) */
	char *root;   /* what of the file system is mounted … */
	char *point;  /* … and where */
};

struct mounts {
	struct mount *items;
	size_t count, capacity;
};

void mounts_destroy(struct mounts *mounts)
{
	if (!mounts)
		return;
	for (size_t i = 0; i < mounts->count; i++) {
		free(mounts->items[i].device);
		free(mounts->items[i].root);
		free(mounts->items[i].point);
	}
	free(mounts->items);
	free(mounts);
}

static bool is_octal(const char *text)
{
	return text[0] >= '0' && text[0] <= '3' && text[1] >= '0' && text[1] <= '7' && text[2] >= '0' && text[2] <= '7';
}

/* The kernel writes blanks, newlines and backslashes as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* Cuts the next word off the line; "" behind the last. */
static char *next_word(char **line)
{
	char *word = *line;

	*line = strchrnul(word, ' ');
	if (**line)
		*(*line)++ = '\0';
	return word;
}

/* ID PARENT MAJOR:MINOR ROOT POINT … */
static void add_line(struct mounts *mounts, char *line)
{
	const char *id = next_word(&line), *parent = next_word(&line), *device = next_word(&line);
	char *root = next_word(&line), *point = next_word(&line);

	(void)parent;
	if (!*point)
		return;
	unescape(root);
	unescape(point);
	*ARRAY_APPEND(mounts->items, mounts->count, mounts->capacity) = (struct mount){
		.id = strtoull(id, NULL, 10),
		.device = duplicate(device),
		.root = duplicate(root),
		.point = duplicate(point),
	};
}

struct mounts *mounts_read(void)
{
	struct mounts *mounts = allocate(sizeof *mounts);
	scoped_file file = fopen("/proc/self/mountinfo", "re");
	scoped_free char *line = NULL;
	size_t size = 0;

	while (file && get_line(&line, &size, file) > 0)
		add_line(mounts, line);
	return mounts;
}

/* The mount that path, or the nearest above it that there is, lies in. */
static const struct mount *mount_of(const struct mounts *mounts, const char *path)
{
	scoped_free char *place = duplicate(path);
	struct statx status = {0};

	while (place && statx(AT_FDCWD, place, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &status) != 0) {
		char *parent = path_parent(place);

		free(place);
		place = parent;
	}
	for (size_t i = 0; status.stx_mask & STATX_MNT_ID && i < mounts->count; i++)
		if (mounts->items[i].id == status.stx_mnt_id)
			return &mounts->items[i];
	return NULL;
}

/* What comes after directory in a path beneath it, with its slash. */
static const char *rest_of(const char *path, const char *directory)
{
	return strcmp(directory, "/") == 0 ? path : path + strlen(directory);
}

static char *join(const char *directory, const char *rest)
{
	scoped_free char *text = format_text("%s/%s", directory, rest);

	return path_clean(text);
}

void mounts_names(const struct mounts *mounts, const char *path, mount_name_fn *name, void *data)
{
	scoped_free char *inside = NULL; /* its name in the file system */
	const struct mount *own = mount_of(mounts, path);

	if (!own || !path_is_beneath(path, own->point))
		return;
	inside = join(own->root, rest_of(path, own->point));
	for (size_t i = 0; inside && i < mounts->count; i++) {
		const struct mount *other = &mounts->items[i];
		scoped_free char *found = NULL;

		if (other == own || strcmp(other->device, own->device) != 0 || !path_is_beneath(inside, other->root))
			continue;
		found = join(other->point, rest_of(inside, other->root));
		if (found && strcmp(found, path) != 0)
			name(data, found);
	}
}

void mount_names(const char *path, mount_name_fn *name, void *data)
{
	struct mounts *mounts = mounts_read();

	mounts_names(mounts, path, name, data);
	mounts_destroy(mounts);
}
