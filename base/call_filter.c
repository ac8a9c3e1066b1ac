/*
 * Each architecture has a tree of numbers. What has one answer whatever its arguments are has it there; the rules of a
 * call with conditions stand once for all architectures, since arguments are in the same places. All of it is compiled
 * at each start, so it is kept short; and from Linux 5.11 on the kernel goes the tree for each call that there is,
 * keeps which ones it allows whatever their arguments are, and does not run the filter for those.
 */
#include "base/call_filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bpf_code.h"
#include "base/call_numbers.h"
#include "base/call_rows.h"
#include "base/memory.h"

#define MOST_IN_A_ROW 5	  /* comparisons, before it pays to part them */
#define LEAF_CODE     12  /* more instructions than these have, and the way to them */
#define MOST_NEAR     100 /* numbers whose tree a conditional jump reaches across */

/* A call of one architecture. */
struct numbered {
	uint32_t number;
	uint32_t row; /* the first */
};

struct program {
	const struct call_filter *filter;
	struct bpf_code code;
	struct bpf_jumps calls; /* to rows with conditions; the target is the number of the first */
	struct call_rows rows;
	struct numbered *numbers; /* of the present architecture */
	size_t number_count, number_capacity;
};

/* Its numbers here, the variant's without its bit: mostly it is the same one. Returns how many. */
static size_t numbers_of(const struct program *program, const struct call_numbers *call, uint32_t architecture,
			 uint32_t numbers[2])
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	bool joins = variant && program->filter->joins_variants;
	int own = call_number(call, architecture);
	int other = joins ? call_number(call, variant->architecture) : -1;
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
		const struct call_row *row = &program->rows.rows[i];
		size_t count = row->is_first ? numbers_of(program, row->call, architecture, numbers) : 0;

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
	const struct call_row *row = &program->rows.rows[call->row];
	size_t at = bpf_compare(&program->code, call->number);

	if (call_row_is_plain(row)) {
		bpf_answer_by(&program->code, at, BPF_IF_TRUE, row->rule->answer);
	} else {
		bpf_jump_to(&program->calls, bpf_emit(&program->code, BPF_JMP | BPF_JA, 0), BPF_ALWAYS, call->row);
		bpf_land(&program->code, at, BPF_IF_FALSE);
	}
	return at;
}

static void emit_tree(struct program *program, const struct numbered *calls, size_t count);

static void emit_halves(struct program *program, const struct numbered *calls, size_t half, size_t count)
{
	struct bpf_code *code = &program->code;
	size_t above = bpf_emit(code, BPF_JMP | BPF_JGE | BPF_K, calls[half].number), across = above;
	enum bpf_way way = half > MOST_NEAR ? BPF_ALWAYS : BPF_IF_TRUE;

	if (way == BPF_ALWAYS) {
		across = bpf_emit(code, BPF_JMP | BPF_JA, 0);
		bpf_land(code, above, BPF_IF_FALSE);
	}
	emit_tree(program, calls, half);
	bpf_emit_answers(code, LEAF_CODE);
	bpf_land(code, across, way);
	emit_tree(program, calls + half, count - half);
}

/* Nothing goes on behind it. */
static void emit_tree(struct program *program, const struct numbered *calls, size_t count)
{
	struct bpf_code *code = &program->code;

	if (count > MOST_IN_A_ROW) {
		emit_halves(program, calls, count / 2, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t at = emit_number(program, &calls[i]);

		if (i + 1 == count)
			bpf_answer_by(code, at, BPF_IF_FALSE, program->filter->otherwise);
	}
	if (!count)
		bpf_answer(code, program->filter->otherwise);
}

/*
 * x32 is a part of x86-64, on kernels that have it: most numbers are the same but for one bit. Those that are not are
 * above all others, and older kernels take them without the bit as well. A call that a tracer takes back has all bits.
 */
static void emit_variant(struct program *program, const struct architecture_variant *variant)
{
	struct bpf_code *code = &program->code;
	size_t has_bit, is_taken_back;

	if (program->filter->joins_variants) {
		bpf_emit(code, BPF_ALU | BPF_AND | BPF_K, ~variant->bit);
		return;
	}
	has_bit = bpf_emit(code, BPF_JMP | BPF_JGE | BPF_K, variant->bit);
	is_taken_back = bpf_compare(code, UINT32_MAX);
	bpf_answer_by(code, is_taken_back, BPF_IF_TRUE, program->filter->otherwise);
	bpf_answer_by(code, is_taken_back, BPF_IF_FALSE, program->filter->elsewhere);
	bpf_land(code, has_bit, BPF_IF_FALSE);
}

/* Goes on where it is another architecture. */
static void emit_architecture(struct program *program, uint32_t architecture)
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	struct bpf_code *code = &program->code;
	size_t is_ours = bpf_compare(code, architecture), past = bpf_emit(code, BPF_JMP | BPF_JA, 0);

	bpf_land(code, is_ours, BPF_IF_TRUE);
	bpf_emit(code, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	if (variant)
		emit_variant(program, variant);
	find_numbers(program, architecture);
	emit_tree(program, program->numbers, program->number_count);
	bpf_emit_answers(code, 0);
	bpf_land(code, past, BPF_ALWAYS);
}

static void emit_calls(struct program *program)
{
	while (program->calls.count) {
		uint32_t row = program->calls.jumps[0].target;

		bpf_emit_answers(&program->code, CALL_ROWS_CODE);
		bpf_land_target(&program->code, &program->calls, row);
		call_rows_emit(&program->rows, &program->rows.rows[row], program->filter->otherwise, &program->code);
	}
	bpf_emit_answers(&program->code, 0);
}

/* One that could not be built is empty, which the kernel takes from nobody. */
static struct sock_fprog finish(struct program *program)
{
	struct sock_fprog built = {(unsigned short)program->code.count, program->code.code};

	if (program->code.too_far || program->code.count > BPF_MAXINSNS)
		built.len = 0;
	call_rows_finish(&program->rows);
	free(program->calls.jumps);
	free(program->numbers);
	bpf_finish(&program->code);
	return built;
}

struct sock_fprog call_filter_build(const struct call_filter *filter, uint32_t native)
{
	struct program program = {.filter = filter};
	uint32_t second = filter->native_alone ? 0 : architecture_second(native);

	call_rows_find(&program.rows, filter);
	bpf_emit(&program.code, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	emit_architecture(&program, native);
	if (second)
		emit_architecture(&program, second);
	bpf_answer(&program.code, filter->elsewhere);
	emit_calls(&program);
	return finish(&program);
}

int call_filter_load(const struct call_filter *filter, unsigned flags)
{
	struct sock_fprog program = call_filter_build(filter, architecture_native());
	long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);

	if (result < 0 && errno == ENOSYS && !flags)
		result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program); /* valgrind knows no seccomp(2) */
	if (result < 0)
		result = -errno;
	free(program.filter);
	return (int)result;
}
