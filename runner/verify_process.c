#include "runner/verify_process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"
#include "profile/proc_path.h"

#define MOST_STATUS (1U << 20) /* bytes */

/* The kernel makes the text at each read from its beginning. It may be long: there can be 65,536 groups. */
static char *read_status(int fd)
{
	scoped_error err = {0};
	char *text = NULL;
	size_t length;

	if (lseek(fd, 0, SEEK_SET) < 0 || read_file(fd, MOST_STATUS, &text, &length, &err) < 0)
		return duplicate("");
	return text;
}

/* The word behind "NAME:"; empty when there is none. The caller frees. */
static char *field(const char *status, const char *name)
{
	scoped_free char *label = format_text("\n%s:", name);
	const char *at = strstr(status, label);

	if (!at)
		return duplicate("");
	at += strlen(label);
	at += strspn(at, " \t");
	return duplicate_bytes(at, strcspn(at, "\n"));
}

static unsigned long long number_of(const char *status, const char *name, int base)
{
	scoped_free char *text = field(status, name);

	return strtoull(text, NULL, base);
}

static int open_entry(const char *path, bool *regular)
{
	scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int number = errno;
	struct stat status;

	*regular = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
	return fd < 0 ? number : 0;
}

static const char *find_granted(const struct reach *reach)
{
	const struct profile *profile = reach->profile;

	for (size_t i = 0; i < profile->grant_count; i++) {
		const struct grant *grant = &profile->grants[i];
		bool regular;

		if (grant_is_enforced(grant) && grant->rights & RIGHT_READ_FILE &&
		    path_is_strictly_beneath(grant->path, PROC_SELF) && open_entry(grant->path, &regular) == 0 &&
		    regular)
			return grant->path;
	}
	return NULL;
}

static const char *find_refused(const struct reach *reach)
{
	static const char *const entries[] = {"/proc/self/stat", "/proc/self/status", "/proc/self/limits",
					      "/proc/self/cmdline", "/proc/self/maps"};

	for (size_t i = 0; i < ARRAY_LENGTH(entries); i++)
		if (!(reach_rights(reach, entries[i]) & RIGHT_READ_FILE))
			return entries[i];
	return NULL;
}

void verify_process_look_outside(struct verify_process *process, const struct reach *reach)
{
	bool regular;

	process->status_fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	process->outside = read_status(process->status_fd);
	if (!process->supervised)
		return;
	process->granted = find_granted(reach);
	process->refused = find_refused(reach);
	if (process->refused)
		process->entry_outside = open_entry(process->refused, &regular);
}

static void compare_number(struct verify_sheet *sheet, const char *status, const char *name,
			   unsigned long long declared)
{
	scoped_free char *text = format_text("%llu", declared);
	scoped_free char *observed = field(status, name);

	verify_fact(sheet, name, text, observed);
}

static void compare_set(struct verify_sheet *sheet, const char *status, const char *name, unsigned long long declared)
{
	scoped_free char *text = format_text("%016llx", declared);
	scoped_free char *observed = field(status, name);

	verify_fact(sheet, name, text, observed);
}

/* Whoever may not shrink the bounding set keeps it. */
static void compare_capabilities(const struct verify_process *process, const char *status, struct verify_sheet *sheet)
{
	static const char *const sets[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};
	bool may_shrink = number_of(process->outside, "CapEff", 16) >> CAP_SETPCAP & 1;

	for (size_t i = 0; i < ARRAY_LENGTH(sets); i++) {
		unsigned long long before = number_of(process->outside, sets[i], 16);
		bool dropped = process->drop_caps && (strcmp(sets[i], "CapBnd") != 0 || may_shrink);

		compare_set(sheet, status, sets[i], dropped ? 0 : before);
	}
}

static void try_entries(const struct verify_process *process, struct verify_sheet *sheet)
{
	struct verify_tried tried = {.outside = process->entry_outside, .denial = EACCES};
	bool regular;

	if (!process->supervised)
		return;
	if (!process->granted)
		tried.unprovable = "no line below /proc/self is on a file that can be read";
	else if (!process->refused)
		tried.unprovable = "the profile grants every entry that could be refused";
	else
		tried.refused = open_entry(process->refused, &regular);
	if (process->granted)
		tried.granted = open_entry(process->granted, &regular);
	verify_access(sheet, "entries in /proc/self", &tried);
}

void verify_process_look_inside(const struct verify_process *process, struct verify_sheet *sheet)
{
	scoped_free char *status = read_status(process->status_fd);
	unsigned long long filters = number_of(process->outside, "Seccomp_filters", 10);

	compare_number(sheet, status, "NoNewPrivs", 1);
	compare_number(sheet, status, "Seccomp", 2);
	if (strstr(process->outside, "\nSeccomp_filters:")) /* from Linux 5.9 on */
		compare_number(sheet, status, "Seccomp_filters", filters + 1 + process->supervised);
	compare_capabilities(process, status, sheet);
	try_entries(process, sheet);
}
