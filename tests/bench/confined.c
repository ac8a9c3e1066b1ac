/*
 * What the controls themselves cost a program: it is started under the rules of a profile, or under the filter of
 * system calls that goes with it, or under both, and nothing is kept, checked or said beside.
 *
 * confined -d|-f|-df PROFILE PROGRAM [ARG…]
 * -d: the Landlock domain. -f: the filter.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"
#include "profile/profile_file.h"
#include "profile/reach.h"
#include "runner/confine.h"
#include "runner/landlock.h"
#include "runner/seccomp_filter.h"

static void must(int holds, const struct error *err)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", err->message ? err->message : "wrong arguments");
	exit(125);
}

static void hear(void *data, unsigned line, const char *text)
{
	(void)data;
	fprintf(stderr, "line %u: %s\n", line, text);
}

int main(int argc, char **argv)
{
	struct error err = {0};
	struct variables variables = {0};
	struct profile profile;
	struct ruleset ruleset;
	struct reach reach;

	must(argc >= 4 && *argv[1] == '-', &err);
	variables_of_process(&variables);
	must(profile_load(argv[2], &variables, &profile, NULL, NULL, &err) == 0, &err);
	ruleset_compile(&profile, landlock_abi(), &ruleset);
	reach_init(&reach, &profile);
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, &err);
	if (strchr(argv[1], 'd'))
		must(confine(&ruleset, &reach, NULL, hear, NULL, &err) == 0, &err);
	if (strchr(argv[1], 'f'))
		must(seccomp_filter_load(ruleset.refused, &err) == 0, &err);
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 125;
}
