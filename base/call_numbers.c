#include "base/call_numbers.h"

#include <stdlib.h>
#include <string.h>

static int compare_name(const void *name, const void *call)
{
	return strcmp(name, ((const struct call_numbers *)call)->name);
}

const struct call_numbers *call_numbers_find(const char *name)
{
	return bsearch(name, call_numbers_table, call_numbers_count, sizeof *call_numbers_table, compare_name);
}

int call_number(const struct call_numbers *call, uint32_t architecture)
{
	size_t index = architecture_index(architecture);

	if (!call || index == ARCHITECTURES || call->numbers[index] < 0)
		return -1;
	return call->numbers[index] | (int)architecture_bit(architecture);
}

int call_number_of(const char *name, uint32_t architecture)
{
	return call_number(call_numbers_find(name), architecture);
}
