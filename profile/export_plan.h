/*
 * What export.h's formats have in common: both build a file system of its own for the program, empty at first, into
 * which each granted object is mounted. (See bwrap(1), and BindPaths= in systemd.exec(5).)
 */
#pragma once

#include "profile/export.h"

/* What a mount allows; each has what stands before it. */
enum export_mode {
	EXPORT_LIST,   /* nothing is mounted: the directory is there, with what else the plan puts into it */
	EXPORT_READ,   /* read, list, execute */
	EXPORT_WRITE,  /* everything but the use of devices */
	EXPORT_DEVICE, /* everything */
};

struct export_mount {
	enum export_mode mode;
	const char *path; /* of the profile */
	rights_t rights;  /* that the profile grants there */
	bool wide;	  /* a directory: all beneath it comes along */
};

/* A symbolic link that leads to what is mounted, and is not mounted with it. */
struct export_link {
	char *path;
	char *text; /* what it says */
	char *real; /* where it ends */
};

struct export_plan {
	const struct profile *profile;
	struct export_mount *mounts; /* a directory before what lies beneath it; no two of one path */
	size_t mount_count, mount_capacity;
	struct export_link *links; /* in the same order */
	size_t link_count, link_capacity;
	bool proc;		/* something beneath /proc is granted */
	bool proc_outside_self; /* … and not beneath /proc/self */
	bool terminal;		/* ${TTY} is */
	struct buffer notes;	/* a line each: what is not carried over, or wider */
	size_t note_count;
};

/* The strings of `profile` are borrowed. */
void export_plan_make(struct export_plan *plan, const struct profile *profile);
void export_plan_finish(struct export_plan *plan);
#define scoped_export_plan __attribute__((cleanup(export_plan_finish))) struct export_plan

/* Part of export_plan_make(): the links, once the mounts are there. */
void export_find_links(struct export_plan *plan);

void export_note(struct export_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes of what neither format can say; of what only one of them cannot say it notes itself. */
void export_note_common(struct export_plan *plan);

/* Each note as a line of a comment. */
void export_print_notes(const struct export_plan *plan, FILE *out);

/* Whether a variable of this name can stand in a shell and in a unit. */
bool export_is_variable(const char *name);

/* Whether a terminal shows the text as it is: no controls, valid, nothing that reorders or hides. */
bool export_is_plain(const char *text);

/* Notes what the format cannot say, and writes all. */
void export_write_bwrap(struct export_plan *plan, FILE *out);
void export_write_systemd(struct export_plan *plan, FILE *out);
