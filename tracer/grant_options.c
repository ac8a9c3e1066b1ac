#include "tracer/grant_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/path.h"
#include "profile/rights.h"
#include "tracer/command_line.h"

/* A whole number from smallest to largest, or 0. */
static unsigned long read_number(const char *text, unsigned long smallest, unsigned long largest)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	return *text < '0' || *text > '9' || *end || number < smallest || number > largest ? 0 : number;
}

/* One entry would let each line climb as far as the tiers allow. */
int read_collapse(const char *text, struct collapse_options *collapse, struct error *err)
{
	collapse->least = text ? read_number(text, 2, 1000000) : COLLAPSE_DEFAULT;
	if (collapse->least)
		return 0;
	return -error_set(err, EINVAL, "--collapse=%s: give a number of entries, from 2 on", text);
}

/* As the profile will name it. What does not exist may still stand in a profile that is added to. */
static char *prefix_path(const char *text)
{
	scoped_free char *directory = *text == '/' ? duplicate("") : getcwd(NULL, 0);
	scoped_free char *whole = directory ? format_text("%s/%s", directory, text) : NULL;
	char *path = whole ? realpath(whole, NULL) : NULL;

	return path || !whole ? path : path_clean(whole);
}

int read_collapse_prefix(const char *text, struct collapse_options *collapse, struct error *err)
{
	scoped_free char *path = *text ? prefix_path(text) : NULL;

	if (!path)
		return -error_set(err, EINVAL, "--collapse-prefix=%s: give a directory", text);
	if (strcmp(path, "/") == 0)
		return -error_set(err, EINVAL, "--collapse-prefix=%s: / is never granted as a whole", text);
	*ARRAY_APPEND(collapse->prefixes, collapse->prefix_count, collapse->prefix_capacity) = steal_pointer(&path);
	return 0;
}

int read_proc(const char *text, bool *all, struct error *err)
{
	*all = !strcmp(text, "all");
	return *all ? 0 : -error_set(err, EINVAL, "--proc=%s: it can be all", text);
}

int read_min_abi(const char *text, int *abi, struct error *err)
{
	*abi = (int)read_number(text, 1, LANDLOCK_ABI_NEWEST);
	if (*abi)
		return 0;
	return -error_set(err, EINVAL, "--min-abi=%s: give a Landlock ABI, from 1 to %d", text, LANDLOCK_ABI_NEWEST);
}

int check_collapse(const struct collapse_options *collapse, struct error *err)
{
	if (!collapse->sensitive || collapse->prefix_count)
		return 0;
	return -error_set(err, EINVAL, "--force-sensitive-collapse does nothing without --collapse-prefix=PATH");
}

void collapse_options_finish(struct collapse_options *collapse)
{
	for (size_t i = 0; i < collapse->prefix_count; i++)
		free(collapse->prefixes[i]);
	free(collapse->prefixes);
	*collapse = (struct collapse_options){0};
}

void grant_options_take(const struct command_line *line, const struct variables *variables, struct variables *portable,
			struct learn_options *options)
{
	scoped_buffer forgotten = {0};

	*options = (struct learn_options){.tty = variables->tty,
					  .with_absent = line->with_absent,
					  .hold = line->hold,
					  .collapse = line->collapse};
	if (!line->portable)
		return;
	variables_of_process(portable);
	variables_forget_links(portable, &forgotten);
	if (forgotten.length)
		message_notice("--portable does without these variables, whose directories are not there or named "
			       "through symbolic links: %s",
			       forgotten.data);
	options->portable = options->collapse.portable = portable;
}
