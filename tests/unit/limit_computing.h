/* For what once took minutes: a limit that a busy machine brings no nearer, as it does Criterion's timeout. */
#pragma once

#include <criterion/criterion.h>
#include <sys/resource.h>

/* The test dies when it has computed for so many seconds. Under valgrind they are worth some fifty times less. */
static inline void limit_computing(rlim_t seconds)
{
	const struct rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds + 1};

	cr_assert_eq(setrlimit(RLIMIT_CPU, &limit), 0);
}
