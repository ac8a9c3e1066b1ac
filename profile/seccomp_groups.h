/*
 * The groups of system calls that Landlock does not reach, and that are refused to a confined program: the one table
 * that the profile's reader, the runner's filter, the tracer, --print, doctor, manual and tests read. A word in a
 * profile's [seccomp] opens a group. One group has no word: it is refused always, also while learning.
 *
 * It names calls and describes arguments as seccomp(2) sees them: registers, of which the kernel takes the low 32 bits
 * where an argument is an int. What a call has in memory no filter can see.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/call_filter.h"

enum seccomp_group {
	SECCOMP_ALWAYS,
	SECCOMP_BPF,
	SECCOMP_CHROOT,
	SECCOMP_IO_URING,
	SECCOMP_KEYRING,
	SECCOMP_METADATA,
	SECCOMP_NAMESPACES,
	SECCOMP_OTHER_SOCKET,
	SECCOMP_PERF,
	SECCOMP_UDP,
	SECCOMP_UNIX_SOCKET,
	SECCOMP_USERFAULTFD,
	SECCOMP_GROUPS
};

/* A set of groups: bit 1 << group. */
typedef uint32_t seccomp_set_t;
#define SECCOMP_SET(group)  ((seccomp_set_t)1 << (group))
#define SECCOMP_EVERY_GROUP (SECCOMP_SET(SECCOMP_GROUPS) - 1)
#define SECCOMP_EVERY_WORD  (SECCOMP_EVERY_GROUP & ~SECCOMP_SET(SECCOMP_ALWAYS))

struct seccomp_group_row {
	const char *word; /* NULL for SECCOMP_ALWAYS */
	const char *help; /* one short line: what the group allows */
	int error;	  /* that its calls get where it is closed */
};

/* By enum seccomp_group; those with a word are sorted by it. */
extern const struct seccomp_group_row seccomp_group_table[SECCOMP_GROUPS];

/* A call of a group, when all of its conditions hold. One call may stand in several rows, also of several groups. */
struct seccomp_call {
	char name[24]; /* no pointer, which the loader would have to adjust at each start */
	enum seccomp_group group;
	int error;  /* 0: the group's */
	bool hides; /* what it does stands in memory, and programs know another call for it: refused while learning too
		     */
	struct call_condition conditions[CALL_CONDITIONS];
};

/* Sorted by group; ends with an empty name. */
extern const struct seccomp_call seccomp_call_table[];

/* What is said of a call that SECCOMP_ALWAYS has, while learning and under a profile. */
#define SECCOMP_ALWAYS_REASON "it is refused to every confined program, and no line allows it"

/* The group that a word opens; SECCOMP_GROUPS when it is no word. */
enum seccomp_group seccomp_group_of_word(const char *word);

/* Its word; "always" for the one that has none. */
const char *seccomp_group_name(enum seccomp_group group);

/* Their names, parted by commas. */
void seccomp_set_write(struct buffer *out, seccomp_set_t groups);

/* Whether all conditions of the row hold for these arguments. */
bool seccomp_call_holds(const struct seccomp_call *call, const uint64_t arguments[6]);

/* The groups that a call with these arguments needs open, all of them (SECCOMP_ALWAYS included); 0 for none. */
seccomp_set_t seccomp_groups_of_call(const char *name, const uint64_t arguments[6]);

/* The errno that it gets where its group is closed. */
int seccomp_call_error(const struct seccomp_call *call);

/*
 * The errno that the call gets while the group is closed; 0 where the group does not have it. (Of socketcall(2), whose
 * rows have several, the first.)
 */
int seccomp_error(enum seccomp_group group, const char *name);
