#include "profile/export_plan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/cover.h"
#include "profile/fact.h"
#include "profile/path.h"
#include "profile/path_order.h"
#include "profile/proc_path.h"
#include "profile/show.h"

/* Modes as sets, for the cover: each has the bits of those before it. */
static rights_t mode_bits(enum export_mode mode)
{
	return (1ULL << mode) - 1;
}

static bool is_device(const char *path)
{
	struct stat status;

	if (path_is_beneath(path, "/dev"))
		return true;
	return stat(path, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

static enum export_mode mode_of(const struct grant *grant)
{
	if (is_device(grant->path))
		return grant->rights & ~(RIGHT_READ_DIR | RIGHT_REFER) ? EXPORT_DEVICE : EXPORT_LIST;
	if (grant->rights & ~(RIGHTS_READING | RIGHT_REFER | RIGHT_RESOLVE_UNIX))
		return EXPORT_WRITE;
	return grant->rights & ~(RIGHT_READ_DIR | RIGHT_REFER) ? EXPORT_READ : EXPORT_LIST;
}

static void add_mount(struct export_plan *plan, const struct grant *grant)
{
	if (strcmp(grant->path, TERMINAL_PLACEHOLDER) == 0) {
		plan->terminal = true;
		return;
	}
	if (path_is_beneath(grant->path, "/proc")) {
		plan->proc = true;
		plan->proc_outside_self |= !path_is_beneath(grant->path, PROC_SELF);
		return;
	}
	*ARRAY_APPEND(plan->mounts, plan->mount_count, plan->mount_capacity) = (struct export_mount){
		.mode = mode_of(grant), .path = grant->path, .rights = grant->rights, .wide = show_is_wide(grant)};
}

static int compare_mounts(const void *a, const void *b)
{
	return path_order(((const struct export_mount *)a)->path, ((const struct export_mount *)b)->path);
}

/* A mount goes that the directory above it brings along. */
static void drop_needless(struct export_plan *plan)
{
	struct cover *cover = cover_create(&(struct profile){0}, 0);
	size_t kept = 0;

	for (size_t i = 0; i < plan->mount_count; i++) {
		struct export_mount mount = plan->mounts[i];
		rights_t bits = mode_bits(mount.mode);

		if (bits ? !(bits & ~cover_rights_above(cover, mount.path)) : cover_rights_above(cover, mount.path))
			continue;
		if (mount.wide)
			cover_add(cover, mount.path, bits);
		plan->mounts[kept++] = mount;
	}
	plan->mount_count = kept;
	cover_destroy(cover);
}

void export_plan_make(struct export_plan *plan, const struct profile *profile)
{
	*plan = (struct export_plan){.profile = profile};
	for (size_t i = 0; i < profile->grant_count; i++)
		if (grant_is_enforced(&profile->grants[i]))
			add_mount(plan, &profile->grants[i]);
	if (plan->mount_count)
		qsort(plan->mounts, plan->mount_count, sizeof *plan->mounts, compare_mounts);
	drop_needless(plan);
	export_find_links(plan);
}

void export_plan_finish(struct export_plan *plan)
{
	for (size_t i = 0; i < plan->link_count; i++) {
		free(plan->links[i].path);
		free(plan->links[i].text);
		free(plan->links[i].real);
	}
	free(plan->links);
	free(plan->mounts);
	buffer_finish(&plan->notes);
	*plan = (struct export_plan){0};
}

void export_note(struct export_plan *plan, const char *format, ...)
{
	scoped_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = format_text_list(format, arguments);
	va_end(arguments);
	escape_display(&plan->notes, text);
	buffer_add_byte(&plan->notes, '\n');
	plan->note_count++;
}

void export_print_notes(const struct export_plan *plan, FILE *out)
{
	const char *note = buffer_text(&plan->notes);

	for (size_t length; *note; note += length + 1) {
		length = strcspn(note, "\n");
		fprintf(out, "# - %.*s\n", (int)length, note);
	}
}

bool export_is_variable(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

bool export_is_plain(const char *text)
{
	scoped_buffer shown = {0};

	escape_display(&shown, text);
	return strcmp(buffer_text(&shown), text) == 0 && !strchr(text, '\t');
}
