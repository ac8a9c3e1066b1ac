/*
 * libseccomp translates the number of a rule by the call's name, so it takes none for another architecture than ours of
 * a call that it has no name of. Their numbers are the same everywhere: a small filter of its own makes them stop.
 */
#include "tracer/filter_numbers.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/memory.h"
#include "tracer/decode.h"
#include "tracer/syscalls.h"

struct program {
	struct sock_filter *code;
	size_t count, capacity;
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
	*ARRAY_APPEND(program->code, program->count, program->capacity) =
		(struct sock_filter){code, if_true, if_false, k};
}

static bool is_nameless(const struct syscall_row *row)
{
	return seccomp_syscall_resolve_name(row->name) == __NR_SCMP_ERROR;
}

bool filter_stops(const struct syscall_row *row, const struct trace_options *options)
{
	if (options->calls == TRACE_CALLS_ENFORCED && !row->enforced)
		return row->class == CALL_CHECK && options->absent;
	return options->looks || row->class != CALL_LOOK;
}

static void add_numbers(struct program *program, uint32_t architecture, const struct trace_options *options)
{
	for (const struct syscall_row *row = syscall_table; row->name; row++) {
		if (!is_nameless(row) || !filter_stops(row, options))
			continue;
		emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)syscall_number(row, architecture), 0, 1);
		emit(program, BPF_RET | BPF_K, SECCOMP_RET_TRACE | FILTER_MARK, 0, 0);
	}
}

struct sock_fprog filter_numbers_build(const struct trace_options *options, uint32_t native)
{
	struct program program = {0};
	uint32_t second = architecture_second(native);
	size_t start;

	if (!second)
		return (struct sock_fprog){0};
	emit(&program, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	emit(&program, BPF_JMP | BPF_JEQ | BPF_K, second, 1, 0);
	emit(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	emit(&program, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	start = program.count;
	add_numbers(&program, second, options);
	if (program.count == start) {
		free(program.code);
		return (struct sock_fprog){0};
	}
	emit(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	return (struct sock_fprog){(unsigned short)program.count, program.code};
}

int filter_numbers_load(const struct trace_options *options, struct error *err)
{
	struct sock_fprog program = filter_numbers_build(options, seccomp_arch_native());
	int result = 0;

	if (program.len && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &program) < 0)
		result = errno == ENOSYS && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : -errno;
	free(program.filter);
	return result ? error_set_errno(err, -result, "cannot load the seccomp filter of newer calls") : 0;
}
