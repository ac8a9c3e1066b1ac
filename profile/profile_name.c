#include "profile/profile_name.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shell.h"

bool may_be_profile(const char *word)
{
	const char *end = strrchr(word, '.');

	return end && end != word && strcmp(end, ".ini") == 0;
}

int profile_named_twice(const char *option, const char *first, const char *second, struct error *err)
{
	scoped_free char *one = shell_file(first), *other = shell_file(second);

	if (!strcmp(first, second))
		return error_set(err, EINVAL, "%s %s: it is named already: once is enough", option, other);
	return error_set(err, EINVAL,
			 "%s %s: there is one profile, and %s is named already; trace-profile merge -o FILE %s %s "
			 "makes one of both",
			 option, other, one, one, other);
}
