#include "tracer/session_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "tracer/secret.h"

/* Where a log goes that cannot be in the state directory: to the profile, if that is a file. With its slash. */
static char *beside_profile(const struct store *store)
{
	const char *slash = store->name && !store->file.in_place ? strrchr(store->name, '/') : NULL;

	return slash ? duplicate_bytes(store->name, (size_t)(slash + 1 - store->name)) : duplicate("");
}

int session_log_open(const struct command_line *line, struct log_start *start, const struct tiers *tiers,
		     const struct store *store, struct log **log, struct error *err)
{
	scoped_free char *beside = beside_profile(store);
	scoped_error why = {0};
	int result;

	if (line->log.name && atomic_file_is_at(&store->file, line->log.name))
		return error_set(err, EEXIST, "-l %s: the profile is to be written there: name another",
				 line->log.name);
	start->arguments = line->program;
	start->no_arguments = line->no_arguments;
	start->calls = line->trace.calls;
	start->base = line->base;
	start->review = line->review;
	result = log_open(&line->log, start, tiers, beside, log, &why, err);
	if (result < 0)
		return result;
	if (why.number)
		message_notice("the audit log goes to %s: %s", log_name(*log), why.message);
	return 0;
}

void session_log_warn(const struct command_line *line)
{
	int number = line->no_arguments ? 0 : secret_find(line->program_count, line->program);

	if (number)
		message_warning("argument %d looks like a secret, and %s it: --no-arguments leaves arguments out",
				number, line->log.off ? "the profile will show" : "profile and log will show");
}

int session_log_close(struct log *log, struct log_end *end, const struct profile *profile, const struct store *store,
		      struct error *err)
{
	scoped_free char *name = store->name ? realpath(store->name, NULL) : NULL;

	end->profile = *store->hash ? profile : NULL;
	end->profile_name = name;
	end->profile_hash = store->hash;
	return log_close(log, end, err);
}
