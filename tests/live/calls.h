/* For tests of the decoder: a small tree in the fresh directory, and calls on it. */
#pragma once

#include "tests/live/recording.h"

/* Files f and d/g, directories d, d/e and other, links link (to d/g), to-d and dangling (to absent), and a fifo; all as
 * the present directory. */
void make_tree(void);

int shut(int fd); /* closes what open() returned; errno if it failed, which stays as it is */
int opens(const char *name, int flags);
void ignore(long result); /* whether a call succeeds is told by what is seen of it */

/* A session that makes the calls, and the lines that must come of it. */
#define CALLS(suite, name, calls, lines) EXPECT_CALLS(suite, name, calls, expect_accesses, lines)
/* With what is only looked at. */
#define LOOKS(suite, name, calls, lines) EXPECT_CALLS(suite, name, calls, expect_looks, lines)
#define EXPECT_CALLS(suite, name, calls, expect, lines)                                                                \
	static int name##_calls(void)                                                                                  \
	{                                                                                                              \
		calls;                                                                                                 \
		return 0;                                                                                              \
	}                                                                                                              \
	Test(suite, name)                                                                                              \
	{                                                                                                              \
		expect(name##_calls, lines);                                                                           \
	}
