/* Any line is an access or an error with a message; what is read comes back from what is written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/access.h"

static bool written(const char *line, struct buffer *out)
{
	struct access access;
	char *storage = NULL;
	scoped_error err = {0};
	int result = access_read(line, &access, &storage, &err);

	if (result == 0)
		access_write(out, &access);
	else if (!err.message)
		abort();
	free(storage);
	return result == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = duplicate_bytes((const char *)data, size);
	scoped_buffer once = {0}, twice = {0};

	if (written(line, &once))
		if (!written(buffer_text(&once), &twice) || strcmp(buffer_text(&once), buffer_text(&twice)) != 0)
			abort();
	free(line);
	return 0;
}
