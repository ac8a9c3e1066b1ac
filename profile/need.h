/*
 * What a single access takes, by the learner's own rules (docs/internals/profile.md): which rights, on which line, and
 * which of the rules put it there. The one way from an access to a line for `trace-profile why`, `trace-run -e` and
 * review; allowed.h then says whether a profile has it. Pure.
 */
#pragma once

#include "profile/learn.h"

enum need_kind {
	NEED_GRANT,   /* `rights` on `path` */
	NEED_MOVE,    /* what `to` grants must be granted on `path` as well: else the kernel answers EXDEV */
	NEED_PORT,    /* `rights` on `port` */
	NEED_SCOPE,   /* `rights`: scopes that must be open */
	NEED_CALL,    /* `path` is the word of the [seccomp] section */
	NEED_REFUSED, /* an entry of another process below /proc: `rights` on `path`, which no line grants */
};

/* Why the rights go where they go. */
enum need_rule {
	NEED_RULE_EXACT,     /* the object itself was used */
	NEED_RULE_DIRECTORY, /* names in it were made, removed or moved */
	NEED_RULE_BORN,	     /* the name was made in the session: the nearest directory that was not stands for it */
	NEED_RULE_EXEC,	     /* an exec pulled it in: the interpreter of a script, or the loader */
	NEED_RULE_TERMINAL,  /* the controlling terminal, ${TTY} */
	NEED_RULE_PTY,	     /* a terminal that the program opened itself: /dev/pts as a whole */
	NEED_RULE_PROC,	     /* the caller's own entry below /proc */
	NEED_RULE_ABSENT,    /* it was looked for and did not exist: --with-absent */
};

struct need {
	enum need_kind kind;
	enum need_rule rule; /* GRANT and MOVE */
	rights_t rights;
	char *path; /* where the line goes; a terminal has its real name here (allowed.h prints it as ${TTY}) */
	char *name; /* what was used, made, removed or moved; it differs from path where a directory stands for it */
	char *to;   /* MOVE: the directory that it came into */
	bool directory; /* MOVE: of a directory, so every right counts */
	int port;
};

struct needs {
	struct need *items;
	size_t count, capacity;
};

/*
 * Adds what this access takes; nothing when no line is needed for it. `session` has been given all accesses of the
 * session (this one or not): it knows which names were born in it. The access need not be one of them.
 */
void needs_of_access(struct learner *session, const struct access *access, struct needs *needs);
void needs_finish(struct needs *needs);
#define scoped_needs __attribute__((cleanup(needs_finish))) struct needs

/* A short sentence on a rule, for people: "it was made in the session, …". */
const char *need_rule_text(enum need_rule rule);
/* One word of it for scripts: "exact", "directory", "born", "exec", "terminal", "pty", "proc", "absent". */
const char *need_rule_name(enum need_rule rule);
