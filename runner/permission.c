#include "runner/permission.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"

#define GROUPS_MOST 1024

/* By whom the kernel decides about files. */
struct person {
	uid_t user;
	gid_t group;
	gid_t groups[GROUPS_MOST];
	size_t count;
	uint64_t capabilities; /* in force */
};

static void read_groups(const char *text, struct person *person)
{
	char *end;

	for (;; text = end) {
		unsigned long group = strtoul(text, &end, 10);

		if (end == text || person->count == GROUPS_MOST)
			return;
		person->groups[person->count++] = (gid_t)group;
	}
}

/* The fourth number is that of the file system. */
static bool read_person(pid_t tid, struct person *person)
{
	char name[64];
	scoped_file stream = NULL;
	scoped_free char *line = NULL;
	size_t size = 0;
	int found = 0;

	*person = (struct person){0};
	snprintf(name, sizeof name, "/proc/%d/status", (int)tid);
	stream = fopen(name, "re");
	while (stream && get_line(&line, &size, stream) > 0) {
		found += sscanf(line, "Uid: %*u %*u %*u %u", &person->user) == 1;
		found += sscanf(line, "Gid: %*u %*u %*u %u", &person->group) == 1;
		found += sscanf(line, "CapEff: %" SCNx64, &person->capabilities) == 1;
		if (strncmp(line, "Groups:", 7) == 0)
			read_groups(line + 7, person);
	}
	return found == 3;
}

static bool is_refused(const char *path, int how)
{
	return faccessat(AT_FDCWD, path, how, AT_EACCESS) < 0 && errno == EACCES;
}

static bool is_directory_refused(const char *path)
{
	scoped_free char *directory = path ? path_parent(path) : NULL;

	return directory && is_refused(directory, W_OK | X_OK);
}

static int mode_of(rights_t rights)
{
	int how = F_OK;

	if (rights & (RIGHT_READ_FILE | RIGHT_READ_DIR))
		how |= R_OK;
	if (rights & (RIGHT_WRITE_FILE | RIGHT_TRUNCATE))
		how |= W_OK;
	return rights & RIGHT_EXECUTE ? X_OK : how; /* an exec asks for no more */
}

static bool ask(const struct access *access)
{
	switch (access->kind) {
	case ACCESS_USE:
		return is_refused(access->path, mode_of(access->rights));
	case ACCESS_CREATE:
	case ACCESS_REMOVE:
		return is_directory_refused(access->path);
	case ACCESS_RENAME:
	case ACCESS_EXCHANGE:
		return is_directory_refused(access->path) || is_directory_refused(access->path2);
	case ACCESS_LINK:
		return is_directory_refused(access->path2);
	default:
		return false;
	}
}

static void take_capabilities(uint64_t effective)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data) < 0)
		return;
	for (size_t i = 0; i < ARRAY_LENGTH(data); i++)
		data[i].effective = data[i].permitted & (uint32_t)(effective >> (32 * i));
	syscall(SYS_capset, &head, data);
}

static bool is_same(const struct person *one, const struct person *other)
{
	return one->user == other->user && one->group == other->group && one->capabilities == other->capabilities;
}

/* Another one's groups take a capability; without it nothing can be told. Another user's capabilities come last. */
static bool be(const struct person *person)
{
	if (syscall(SYS_setgroups, person->count, person->groups) < 0)
		return false;
	setfsgid(person->group);
	setfsuid(person->user);
	take_capabilities(person->capabilities);
	return true;
}

static void be_self_again(const struct person *self)
{
	take_capabilities(~0ULL);
	setfsuid(self->user);
	setfsgid(self->group);
	syscall(SYS_setgroups, self->count, self->groups);
	take_capabilities(self->capabilities);
}

/* The task's own entries, as we find them; NULL stays. The caller frees. */
static char *path_of(pid_t tid, const char *path)
{
	if (!path || !path_is_beneath(path, PROC_SELF))
		return path ? duplicate(path) : NULL;
	return format_text("/proc/%d%s", (int)tid, path + strlen(PROC_SELF));
}

static bool ask_as(const struct person *person, const struct person *self, const struct access *access)
{
	bool refused;

	if (is_same(person, self))
		return ask(access);
	if (!be(person))
		return false;
	refused = ask(access);
	be_self_again(self);
	return refused;
}

bool permission_refuses(pid_t tid, const struct access *access)
{
	scoped_free char *path = path_of(tid, access->path), *path2 = path_of(tid, access->path2);
	struct access theirs = *access;
	struct person person, self;

	if (!path || !read_person(tid, &person) || !read_person(getpid(), &self))
		return false;
	theirs.path = path;
	theirs.path2 = path2;
	return ask_as(&person, &self, &theirs);
}
