/* Any text comes back from its escapes, no written form can hurt a line of a profile, and none a terminal. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_value(const char *text)
{
	scoped_buffer escaped = {0}, back = {0};
	scoped_error err = {0};

	escape_value(&escaped, text);
	for (const char *c = buffer_text(&escaped); *c; c++)
		if ((unsigned char)*c < ' ' || *c == ';' || *c == '#' || *c == 0x7f)
			abort();
	if (unescape_value(&back, buffer_text(&escaped), NULL, NULL, &err) != 0 ||
	    strcmp(buffer_text(&back), text) != 0)
		abort();
}

static void check_display(const char *text)
{
	scoped_buffer shown = {0};

	escape_display(&shown, text);
	for (const char *c = buffer_text(&shown); *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = duplicate_bytes((const char *)data, size);
	scoped_buffer out = {0};
	scoped_error err = {0};

	check_value(text);
	check_display(text);
	if (unescape_value(&out, text, NULL, NULL, &err) != 0 && !err.message)
		abort();
	free(text);
	return 0;
}
