/*
 * Made by hand: of libseccomp (2.5.4) this uses the numbers of calls alone. It compares 64 bits where the kernel looks
 * at 32, has no "none of these", lets a pointer pass for NULL whose low half is 0, and where several conditions with
 * masks meet refuses what none of them fits (tests/unit/test_seccomp_filter.c found both).
 *
 * Each architecture has a tree of numbers. What is refused whatever its arguments are has its answer there; the rows of
 * a call with conditions stand once for all architectures, since arguments are in the same places. All of it is
 * compiled at each start, so it is kept short; and from Linux 5.11 on the kernel goes the tree for each call that there
 * is, keeps which ones it allows whatever their arguments are, and does not run the filter for those.
 */
#include "runner/seccomp_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/call_numbers.h"
#include "base/memory.h"
#include "runner/bpf_code.h"
#include "runner/seccomp_rows.h"

#define MOST_IN_A_ROW 5 /* comparisons, before it pays to part them */

/* A refused call of one architecture. */
struct numbered {
	uint32_t number;
	uint32_t row; /* the first */
};

struct program {
	struct bpf_code code;
	struct bpf_jumps calls; /* to rows with conditions; the target is the number of the first */
	struct seccomp_rows rows;
	struct numbered *numbers; /* of the present architecture */
	size_t number_count, number_capacity;
};

/* Its numbers here, the variant's without its bit: mostly it is the same one. Returns how many. */
static size_t numbers_of(const struct seccomp_call *call, uint32_t architecture, uint32_t numbers[2])
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	const struct call_numbers *known = call_numbers_find(call->name);
	int own = call_number(known, architecture);
	int other = variant ? call_number(known, variant->architecture) : -1;
	size_t count = 0;

	if (own >= 0)
		numbers[count++] = (uint32_t)own;
	if (other >= 0 && ((uint32_t)other & ~variant->bit) != (uint32_t)own)
		numbers[count++] = (uint32_t)other & ~variant->bit;
	return count;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct numbered *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

static void find_numbers(struct program *program, uint32_t architecture)
{
	uint32_t numbers[2];

	program->number_count = 0;
	for (size_t i = 0; i < program->rows.count; i++) {
		const struct seccomp_row *row = &program->rows.rows[i];
		size_t count = row->is_first ? numbers_of(row->call, architecture, numbers) : 0;

		while (count--)
			*ARRAY_APPEND(program->numbers, program->number_count, program->number_capacity) =
				(struct numbered){numbers[count], (uint32_t)i};
	}
	if (program->number_count)
		qsort(program->numbers, program->number_count, sizeof *program->numbers, compare_numbers);
}

/* To its answer or its rows; goes on where it is another call. */
static size_t emit_number(struct program *program, const struct numbered *call)
{
	const struct seccomp_row *row = &program->rows.rows[call->row];
	size_t at = bpf_compare(&program->code, call->number);

	if (seccomp_row_is_plain(row)) {
		bpf_answer_by(&program->code, at, BPF_IF_TRUE, row->answer);
	} else {
		bpf_jump_to(&program->calls, bpf_emit(&program->code, BPF_JMP | BPF_JA, 0), BPF_ALWAYS, call->row);
		bpf_land(&program->code, at, BPF_IF_FALSE);
	}
	return at;
}

/* Nothing goes on behind it. */
static void emit_tree(struct program *program, const struct numbered *calls, size_t count)
{
	struct bpf_code *code = &program->code;
	size_t half = count / 2;

	if (count > MOST_IN_A_ROW) {
		size_t above = bpf_emit(code, BPF_JMP | BPF_JGE | BPF_K, calls[half].number);

		emit_tree(program, calls, half);
		bpf_land(code, above, BPF_IF_TRUE);
		emit_tree(program, calls + half, count - half);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t at = emit_number(program, &calls[i]);

		if (i + 1 == count)
			bpf_answer_by(code, at, BPF_IF_FALSE, SECCOMP_RET_ALLOW);
	}
	if (!count)
		bpf_answer(code, SECCOMP_RET_ALLOW);
}

/* Goes on where it is another architecture. */
static void emit_architecture(struct program *program, uint32_t architecture)
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	struct bpf_code *code = &program->code;
	size_t is_ours = bpf_compare(code, architecture), past = bpf_emit(code, BPF_JMP | BPF_JA, 0);

	bpf_land(code, is_ours, BPF_IF_TRUE);
	bpf_emit(code, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	/* x32 is a part of x86-64, on kernels that have it: most numbers are the same but for one bit. Those that are
	 * not are above all others, and older kernels take them without the bit as well. */
	if (variant)
		bpf_emit(code, BPF_ALU | BPF_AND | BPF_K, ~variant->bit);
	find_numbers(program, architecture);
	emit_tree(program, program->numbers, program->number_count);
	bpf_emit_answers(code, 0);
	bpf_land(code, past, BPF_ALWAYS);
}

static void emit_calls(struct program *program)
{
	while (program->calls.count) {
		uint32_t row = program->calls.jumps[0].target;

		bpf_emit_answers(&program->code, SECCOMP_ROWS_CODE);
		bpf_land_target(&program->code, &program->calls, row);
		seccomp_rows_emit(&program->rows, &program->rows.rows[row], &program->code);
	}
	bpf_emit_answers(&program->code, 0);
}

/* One that could not be built is empty, which the kernel takes from nobody. */
static struct sock_fprog finish(struct program *program)
{
	struct sock_fprog built = {(unsigned short)program->code.count, program->code.code};

	if (program->code.too_far || program->code.count > BPF_MAXINSNS)
		built.len = 0;
	seccomp_rows_finish(&program->rows);
	free(program->calls.jumps);
	free(program->numbers);
	bpf_finish(&program->code);
	return built;
}

struct sock_fprog seccomp_filter_build(seccomp_set_t refused, const struct seccomp_learning *learning, uint32_t native)
{
	struct program program = {0};
	uint32_t second = architecture_second(native);

	seccomp_rows_find(&program.rows, refused, learning);
	bpf_emit(&program.code, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	emit_architecture(&program, native);
	if (second)
		emit_architecture(&program, second);
	/* What nobody here knows does not get through. */
	bpf_answer(&program.code, SECCOMP_RET_ERRNO | ENOSYS);
	emit_calls(&program);
	return finish(&program);
}

static int load_filter(struct sock_fprog program, struct error *err)
{
	long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &program);
	int number;

	if (result < 0 && errno == ENOSYS)
		result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program); /* valgrind knows no seccomp(2) */
	number = errno;

	free(program.filter);
	if (result < 0)
		return error_set_errno(
			err, number,
			"the filter of system calls cannot be put in force (mostly a seccomp filter of a "
			"container refuses it, which has to let seccomp(2) pass)");
	return 0;
}

int seccomp_filter_load(seccomp_set_t refused, struct error *err)
{
	return load_filter(seccomp_filter_build(refused, NULL, architecture_native()), err);
}

int seccomp_filter_load_learning(seccomp_set_t refused, const struct seccomp_learning *learning, struct error *err)
{
	return load_filter(seccomp_filter_build(refused, learning, architecture_native()), err);
}
