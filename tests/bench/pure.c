/* The part of a session that needs no kernel: accesses to learner and log. For counting its instructions. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/learn.h"
#include "tracer/log.h"

/* EVENTS PATHS [LOG]: so many opens of so many files, 100 in a directory; without LOG no log. */
int main(int argc, char **argv)
{
	long events = argc > 2 ? atol(argv[1]) : 0, paths = argc > 2 ? atol(argv[2]) : 0;
	char name[] = "program", *const program[] = {name, NULL};
	char home[] = "/home/user";
	const struct learn_options learn = {0};
	const struct log_start start = {
		.arguments = program, .program = "/bin/program", .directory = "/", .learn = &learn};
	const struct log_options options = {.name = argv[3], .off = argc < 4};
	const struct variables variables = {.home = home};
	scoped_error err = {0}, why = {0};
	struct tiers *tiers = NULL;
	struct learner *learner = learner_create(&learn);
	struct log *log;

	if (paths < 1 || tiers_load(NULL, &variables, &tiers, &err) < 0 ||
	    log_open(&options, &start, tiers, ".", &log, &why, &err) < 0)
		return 2;
	for (long i = 0; i < events; i++) {
		long file = i % paths;
		scoped_free char *path = format_text("/srv/project/source/%ld/file-%ld.c", file / 100, file);
		const struct access access = {.kind = ACCESS_USE,
					      .type = OBJECT_FILE,
					      .rights = RIGHT_READ_FILE,
					      .asked = true,
					      .path = path,
					      .call = "openat",
					      .image = "/usr/bin/program"};

		learner_add(learner, &access);
		log_access(log, &access, 1000, 1000);
		if (i % 10 == 0 && log_flush(log, TRACE_DUE_NOT, &err) < 0)
			return 2;
	}
	log_flush(log, TRACE_DUE_NOW, &err);
	log_destroy(log);
	learner_destroy(learner);
	tiers_destroy(tiers);
	return 0;
}
