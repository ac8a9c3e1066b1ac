/*
 * The file of an audit log: whole lines, in a file that was made for them (O_EXCL, never through a link, 0600). What is
 * added is kept until the next flush; what is flushed survives the end of the tool by any signal.
 */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "tracer/log_hash.h"

struct log_file {
	char *name;
	int fd;
	struct buffer pending; /* whole lines */
	uint64_t length;       /* of what is in the file */
	struct log_hash *hash; /* of the same */
	int error;	       /* errno of the write that failed: nothing was written since */
};
#define LOG_FILE_NONE ((struct log_file){.fd = -1})

/* -EEXIST when something of that name is there, be it a link to nowhere. */
int log_file_create(struct log_file *file, const char *name, struct error *err);

/*
 * Under a name that no other session takes, in the state directory; where that fails, and *why says how, in `beside`
 * (ends with a slash; "" for the present directory).
 * `program` becomes a part of the name. why: zeroed.
 */
int log_file_create_fresh(struct log_file *file, const char *program, const char *beside, struct error *why,
			  struct error *err);

/* Makes a line of the record. */
void log_file_add(struct log_file *file, const struct json *record);

/* Writes what is pending. After a failure the file ends with its last whole line. -errno, also for an earlier one. */
int log_file_flush(struct log_file *file);

/* The last flush, to the disk, and the hash of all that is in the file. */
int log_file_close(struct log_file *file, char hash[HASH_TEXT_SIZE]);

/* After a failure to begin: takes it away again. */
void log_file_remove(struct log_file *file);

void log_file_finish(struct log_file *file); /* fine after a close */
