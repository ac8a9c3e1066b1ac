/*
 * What audit logs tell (docs/audit-log.schema.json), read back: the accesses of each session, each distinct one once,
 * with who did it and how often; and a learner that was given them all, so that what it makes of them can be asked.
 * A log may have been written, or changed, by anybody: what does not fit is an error with file and line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json_read.h"
#include "profile/access.h"
#include "profile/need.h"

#define EVIDENCE_NONE SIZE_MAX

/* What a process runs. */
struct evidence_program {
	char *file;	  /* NULL when unknown */
	char **arguments; /* ends with NULL; NULL when unknown */
	bool cut;	  /* the log has not all of them */
};

/* A process between two execs: its forks have it for a parent as it was then. */
struct evidence_process {
	long long pid;
	size_t program; /* in programs, or EVIDENCE_NONE */
	size_t parent;	/* in processes, or EVIDENCE_NONE: trace-learn, or unknown */
};

/* Of a call stack. */
struct evidence_frame {
	char *function; /* NULL when unknown */
	char *module;	/* the mapped file; NULL for memory without one */
	long long offset;
};

struct evidence_access {
	struct access access; /* its strings are the session's; flags are not read back */
	char *flags;	      /* "O_RDONLY|O_CLOEXEC", or NULL */
	char *time;	      /* of the first; NULL when only its count is there */
	long long pid;
	size_t process; /* in processes, or EVIDENCE_NONE */
	uint64_t count;
	struct evidence_frame *stack; /* innermost first; NULL without */
	size_t frame_count;
	unsigned line; /* of the first record in the log */
	bool explained;
	struct needs needs; /* private: evidence_needs() */
};

struct evidence_session {
	const char *log; /* the name of its file, borrowed of the evidence */
	char *start;	 /* when it began; NULL when unknown */
	bool ended;	 /* the log has its end */
	bool dropped;	 /* --log-max left records out */
	struct learner *learner;
	char *tty;
	struct evidence_access *accesses;
	size_t access_count, access_capacity;
	struct evidence_process *processes;
	size_t process_count, process_capacity;
	struct evidence_program *programs;
	size_t program_count, program_capacity;
	struct evidence_index *index; /* private to evidence*.c */
};

struct evidence_log {
	char *name;
	bool cut; /* its last line was cut, and left out */
};

struct evidence {
	struct evidence_session **sessions;
	size_t session_count, session_capacity;
	struct evidence_log *logs;
	size_t log_count, log_capacity;
};

/*
 * Adds what the log `name` tells. A last line without its end is left out: the session was killed. Errors: -EINVAL with
 * "name:line: what", else what opening or reading gave.
 */
int evidence_read(struct evidence *evidence, const char *name, struct error *err);
void evidence_finish(struct evidence *evidence);
#define scoped_evidence __attribute__((cleanup(evidence_finish))) struct evidence

/* What the access takes, in the light of its session. */
const struct needs *evidence_needs(struct evidence_session *session, struct evidence_access *access);

/* The program that did it: of its process, or NULL. */
const struct evidence_program *evidence_program_of(const struct evidence_session *session, size_t process);

/*
 * Private to evidence*.c.
 *
 * evidence_take() takes one record. evidence_access_text() appends the text form of the access in it (access.h), with
 * rights as the record has them; it is what access_read() takes, and checks.
 */
int evidence_take(struct evidence *evidence, const struct json_value *record, unsigned line, struct error *err);
int evidence_access_text(const struct json_value *record, struct buffer *text, struct error *err);
/* access_read() of such a text. */
int evidence_access_read(const char *text, struct access *access, char **storage, struct error *err);
/* "A|B", or NULL without flags. Caller frees. */
char *evidence_flags(const struct json_value *record);
/* The member unescaped; NULL without one, or, with err set, where it is no string of ours. Caller frees. */
char *evidence_bytes(const struct json_value *record, const char *key, struct error *err);
void evidence_index_destroy(struct evidence_index *index);
