#include "profile/elsewhere.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

const char *elsewhere_command(const char *name)
{
	static const struct {
		const char *name, *command;
	} table[] = {
		{"diff", "trace-diff OLD NEW"},		  {"doctor", "trace-run doctor"},
		{"learn", "trace-learn -- PROGRAM"},	  {"run", "trace-run -p FILE -- PROGRAM"},
		{"verify", "trace-run --verify -p FILE"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].command;
	return NULL;
}
