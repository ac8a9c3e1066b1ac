/*
 * Seccomp filters by call: which answer each one gets, depending on its arguments, on all architectures whose programs
 * the kernel runs.
 *
 * Made by hand: libseccomp (2.5.4) compares 64 bits where the kernel looks at 32, has no "none of these", lets a
 * pointer pass for NULL whose low half is 0, where several conditions with masks meet takes what none of them fits,
 * cannot name a newer call of another architecture, and takes longer than many a program that it is to confine. Source:
 * seccomp(2), and Documentation/userspace-api/seccomp_filter.rst of the kernel.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum call_match { MATCH_NOTHING, MATCH_ONE_OF, MATCH_NONE_OF, MATCH_POINTER };

#define CALL_VALUES	9
#define CALL_CONDITIONS 3

/* A condition on one argument: (low 32 bits & mask) is one, or none, of the values; or it is a pointer other than NULL.
 */
struct call_condition {
	enum call_match match; /* MATCH_NOTHING: there is no condition */
	unsigned argument;     /* 0 to 5 */
	uint32_t mask;
	uint32_t values[CALL_VALUES];
	size_t count;
};

/*
 * Several rules of one call are asked in their order, and the first answers whose conditions all hold; those that only
 * ask whether one argument is among some values, with the same mask and for the same answer, are one, at the place of
 * the first.
 */
struct call_rule {
	const char *name;
	const struct call_condition *conditions; /* CALL_CONDITIONS of them; NULL: always */
	uint32_t answer;			 /* SECCOMP_RET_* */
};

struct call_filter {
	const struct call_rule *rules;
	size_t count;
	uint32_t otherwise;  /* the answer to calls that no rule is for, or holds for */
	uint32_t elsewhere;  /* to those of other architectures, and of variants (x32) but for: */
	bool joins_variants; /* their calls are those of the same name */
	bool native_alone;   /* those of the second architecture are others, too */
};

/* Whether all of them hold for these arguments. */
bool call_conditions_hold(const struct call_condition conditions[CALL_CONDITIONS], const uint64_t arguments[6]);

/* For a kernel of that architecture (AUDIT_ARCH_*). The caller frees `.filter`; `.len` is 0 if it could not be built.
 */
struct sock_fprog call_filter_build(const struct call_filter *filter, uint32_t native);

/*
 * Puts it in force in the calling process, which has no_new_privs or CAP_SYS_ADMIN. Flags are SECCOMP_FILTER_FLAG_*.
 * Returns what seccomp(2) does, 0 or a descriptor, or -errno.
 */
int call_filter_load(const struct call_filter *filter, unsigned flags);
