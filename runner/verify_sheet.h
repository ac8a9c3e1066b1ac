/*
 * What --verify found, control by control. It lies in memory that the probe shares with the process that prints it, as
 * the probe cannot write anything once it is restricted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum verify_result {
	VERIFY_OK,
	VERIFY_DIFFERS,	     /* the control is not in force as declared */
	VERIFY_NOT_PROVABLE, /* nothing can be tried without harm, or the outcome would be the same without the control
			      */
};

/* Of our own words alone. */
struct verify_item {
	enum verify_result result;
	char control[48];
	char declared[64];
	char observed[96];
	char reason[160]; /* why it is not provable; else empty */
};

struct verify_sheet {
	bool whole;	 /* the probe came to its end */
	char error[400]; /* why it did not, from what puts the controls in force */
	size_t count;
	struct verify_item items[64]; /* rights, groups and facts together are fewer */
};

/* Shared with all that is forked from now on; NULL when there is no memory for it. */
struct verify_sheet *verify_sheet_create(void);
void verify_sheet_destroy(struct verify_sheet *sheet); /* NULL is fine */
size_t verify_sheet_count(const struct verify_sheet *sheet, enum verify_result result);

/* "ok", "differs", "not provable" */
const char *verify_result_name(enum verify_result result);

/* A fact that is `declared`, and what was read back; empty where nothing tells it: that is not provable. */
void verify_fact(struct verify_sheet *sheet, const char *control, const char *declared, const char *observed);

/* The same access without the control, where it is granted, and where it is not: errnos, 0 for success. */
struct verify_tried {
	int outside, granted, refused;
	int denial;		/* the control's own errno */
	int later;		/* an errno that another control may give where it is granted; 0 for none */
	bool nothing_granted;	/* there is no way to grant it: `outside` is the access that passes */
	const char *unprovable; /* why it could not be tried; NULL: it was */
};

/* Proven when it is refused with the control's errno, and has the same outcome where it is granted as outside. */
void verify_access(struct verify_sheet *sheet, const char *control, const struct verify_tried *tried);

/* A control that the profile leaves open: the outcome is that of outside. */
void verify_open(struct verify_sheet *sheet, const char *control, int outside, int inside);
