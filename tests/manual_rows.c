/*
 * Prints a table of the programs as docs/trace-profile.5 shows it: `manual_rows TABLE`, with TABLE as the page marks
 * it. tests/manual.sh compares the two.
 */
#include <stdio.h>
#include <string.h>

#include "profile/rights.h"
#include "profile/seccomp_groups.h"

static const char *table_of(const struct right *right)
{
	if (right->class == RIGHT_CLASS_NETWORK)
		return "network";
	if (right->class == RIGHT_CLASS_SCOPE)
		return "scope";
	return right->on_file ? "anywhere" : "directory";
}

static void print_rights(const char *table)
{
	for (const struct right *right = right_table; right->name; right++) {
		if (strcmp(table_of(right), table) != 0)
			continue;
		printf(".It Cm %s\n%s\n", right->name, right->help);
		if (right->abi > 1)
			printf(".Pq ABI %d\n", right->abi);
	}
}

static void print_seccomp_groups(void)
{
	for (unsigned group = SECCOMP_ALWAYS + 1; group < SECCOMP_GROUPS; group++)
		printf(".It Cm %s\n%s\n", seccomp_group_table[group].word, seccomp_group_table[group].help);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	if (strcmp(argv[1], "seccomp") == 0)
		print_seccomp_groups();
	else
		print_rights(argv[1]);
	return 0;
}
