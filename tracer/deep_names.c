#include "tracer/deep_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/uthash.h"
#include "tracer/resolve.h"

struct key {
	dev_t device;
	ino_t inode;
};

struct deep_names {
	struct key key;
	char *path;
	UT_hash_handle hh;
};

static struct deep_names *find(struct deep_names *names, dev_t device, ino_t inode)
{
	struct deep_names *found;
	struct key key;

	memset(&key, 0, sizeof key); /* each byte of it is hashed */
	key.device = device;
	key.inode = inode;
	HASH_FIND(hh, names, &key, sizeof key, found);
	return found;
}

void deep_names_add(struct deep_names **names, dev_t device, ino_t inode, const char *path)
{
	struct deep_names *name = find(*names, device, inode);

	if (!name) {
		name = allocate(sizeof *name);
		name->key.device = device;
		name->key.inode = inode;
		HASH_ADD(hh, *names, key, sizeof name->key, name);
	}
	free(name->path);
	name->path = duplicate(path);
}

const char *deep_names_find(struct deep_names *names, dev_t device, ino_t inode)
{
	struct deep_names *name = find(names, device, inode);
	struct stat status;

	if (!name || stat_deep(name->path, &status) != 0 || status.st_dev != device || status.st_ino != inode)
		return NULL;
	return name->path;
}

void deep_names_clear(struct deep_names **names)
{
	struct deep_names *name, *next;

	HASH_ITER (hh, *names, name, next) {
		HASH_DEL(*names, name);
		free(name->path);
		free(name);
	}
}
