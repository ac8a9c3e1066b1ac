#include "runner/seccomp_filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>

#include "base/call_filter.h"
#include "base/memory.h"

struct rules {
	struct call_rule *rules;
	size_t count, capacity;
};

static bool is_refused(const struct seccomp_call *call, seccomp_set_t refused, const struct seccomp_learning *learning)
{
	return refused & SECCOMP_SET(call->group) || (learning && call->hides);
}

/* The tracer's stop is weaker than an errno: where it is to hear of what is refused, it answers itself. */
static uint32_t answer_of(const struct seccomp_call *call, const struct seccomp_learning *learning)
{
	if (learning && learning->mark && !call->hides)
		return SECCOMP_RET_TRACE | learning->mark;
	return SECCOMP_RET_ERRNO | (uint32_t)seccomp_call_error(call);
}

static struct rules find_rules(seccomp_set_t refused, const struct seccomp_learning *learning)
{
	struct rules rules = {0};

	for (const struct seccomp_call *call = seccomp_call_table; *call->name; call++)
		if (is_refused(call, refused, learning))
			*ARRAY_APPEND(rules.rules, rules.count, rules.capacity) =
				(struct call_rule){call->name, call->conditions, answer_of(call, learning)};
	return rules;
}

/* What nobody here knows does not get through. */
static struct call_filter filter_of(const struct rules *rules)
{
	return (struct call_filter){
		.rules = rules->rules,
		.count = rules->count,
		.otherwise = SECCOMP_RET_ALLOW,
		.elsewhere = SECCOMP_RET_ERRNO | ENOSYS,
		.joins_variants = true,
	};
}

struct sock_fprog seccomp_filter_build(seccomp_set_t refused, const struct seccomp_learning *learning, uint32_t native)
{
	struct rules rules = find_rules(refused, learning);
	struct call_filter filter = filter_of(&rules);
	struct sock_fprog program = call_filter_build(&filter, native);

	free(rules.rules);
	return program;
}

static int load(seccomp_set_t refused, const struct seccomp_learning *learning, struct error *err)
{
	struct rules rules = find_rules(refused, learning);
	struct call_filter filter = filter_of(&rules);
	int result = call_filter_load(&filter, 0);

	free(rules.rules);
	if (result < 0)
		return error_set_errno(
			err, -result,
			"the filter of system calls cannot be put in force (mostly a seccomp filter of a "
			"container refuses it, which has to let seccomp(2) pass)");
	return 0;
}

int seccomp_filter_load(seccomp_set_t refused, struct error *err)
{
	return load(refused, NULL, err);
}

int seccomp_filter_load_learning(seccomp_set_t refused, const struct seccomp_learning *learning, struct error *err)
{
	return load(refused, learning, err);
}
