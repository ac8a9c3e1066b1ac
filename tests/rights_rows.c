/*
 * Prints the rights table as docs/trace-profile.5 shows it: `rights_rows CLASS`, with CLASS as the page marks its four
 * tables. tests/manual.sh compares the two.
 */
#include <stdio.h>
#include <string.h>

#include "profile/rights.h"

static const char *class_of(const struct right *right)
{
	if (right->class == RIGHT_CLASS_NETWORK)
		return "network";
	if (right->class == RIGHT_CLASS_SCOPE)
		return "scope";
	return right->on_file ? "anywhere" : "directory";
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (const struct right *right = right_table; right->name; right++) {
		if (strcmp(class_of(right), argv[1]))
			continue;
		printf(".It Cm %s\n%s\n", right->name, right->help);
		if (right->abi > 1)
			printf(".Pq ABI %d\n", right->abi);
	}
	return 0;
}
