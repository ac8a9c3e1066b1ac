/*
 * An access: one use of one object, as the kernel answered it. The tracer makes them, the audit log records them,
 * grants (profile/learn.h) come out of them, and fixtures/ holds recorded ones as text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/error.h"
#include "profile/rights.h"

enum access_kind {
	ACCESS_USE,	 /* path existed: `rights` on the object itself (open, exec, truncate, listing) */
	ACCESS_CREATE,	 /* path was made: make_<type> on its directory, and `rights` on what was made */
	ACCESS_REMOVE,	 /* path goes: remove_dir or remove_file (by type) on its directory */
	ACCESS_RENAME,	 /* path becomes path2; `replaced` tells what stood at path2 */
	ACCESS_EXCHANGE, /* path and path2 change places; `replaced` is the type of path2 */
	ACCESS_LINK,	 /* path2 is made a second name of path */
	ACCESS_TMPFILE,	 /* a nameless file was made in a directory: `rights` on the directory; path is DIRECTORY/#inode
			  */
	ACCESS_MISSING,	 /* path did not exist (ENOENT); `rights` is what opening it would have asked */
	ACCESS_PORT,	 /* `rights` (one network right) on `port` */
	ACCESS_SCOPE,	 /* `rights` (one scope) was needed to reach something outside */
	ACCESS_CALL,	 /* a call that a seccomp group holds succeeded; path is the group's word */
	ACCESS_LOOK,	 /* path was only looked at (stat, readlink), told as it was named: no grant comes of it */
	ACCESS_METADATA, /* mode, owner, times or attributes of path were to be changed: no grant by path comes of it */
};

enum object_type {
	OBJECT_NONE, /* unknown, or nothing there */
	OBJECT_FILE,
	OBJECT_DIRECTORY,
	OBJECT_SYMLINK,
	OBJECT_FIFO,
	OBJECT_SOCKET,
	OBJECT_CHARACTER,
	OBJECT_BLOCK,
};

struct access {
	enum access_kind kind;
	enum object_type type;	   /* of what path is (CREATE, RENAME: of what is made or moved) */
	enum object_type replaced; /* RENAME, EXCHANGE: of what stood at path2 */
	int port;		   /* PORT only; 0 for binding to an automatic one, PORT_ANY for using such a one */
	int error;		   /* 0 or errno of the call */
	bool asked;	 /* the kernel asked Landlock before it gave this result: a grant is needed (principle 1) */
	bool unanswered; /* LOOK: told at its entry, so `error` is not known */
	bool silent;	 /* SCOPE: a refusal would show in no call, what comes of it is dropped without a word */
	bool inherited;	 /* a descriptor from outside the session: nothing is asked, whatever is done with it */
	rights_t rights;
	rights_t absent; /* USE through O_CREAT or mkdir: what its directory would be asked if path were gone */
	rights_t again;	 /* CREATE through O_TRUNC: what would be asked of path if it had been there */
	const char *path; /* canonical and absolute; /proc/self/… for the caller's own; ${TTY} is still its real name */
	const char *path2; /* or NULL */
	const char *link;  /* USE of a file with --portable: the link it was named by (tracer/link_name.h), or NULL */
	uint64_t flags;	   /* that the call got; for the log alone, not in the text form */
	const char *call;  /* name of the syscall, or "exec" for what an exec pulls in */
	const char *image; /* program that did it (canonical), or NULL */
};

/* The make_* right for an object of this type; MAKE_REG for a file. 0 for OBJECT_NONE. */
rights_t access_make_right(enum object_type type);
/* REMOVE_DIR for a directory, REMOVE_FILE for the rest. */
rights_t access_remove_right(enum object_type type);
enum object_type object_type_of_mode(uint32_t st_mode);

/* Their words in text and in logs. */
const char *access_kind_name(enum access_kind kind);
const char *object_type_name(enum object_type type);

/*
 * One line of text, without newline: KIND then KEY=VALUE words, values escaped as in a profile with blanks as \x20.
 * access_read() keeps its strings in `storage`, which the caller frees after the access is no longer needed.
 */
void access_write(struct buffer *out, const struct access *access);
int access_read(const char *line, struct access *access, char **storage, struct error *err);
