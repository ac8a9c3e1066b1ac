/*
 * Made by hand: of libseccomp (2.5.4) this uses the numbers of calls alone. It compares 64 bits where the kernel looks
 * at 32, has no "none of these", lets a pointer pass for NULL whose low half is 0, and where several conditions with
 * masks meet refuses what none of them fits (tests/unit/test_seccomp_filter.c found both).
 *
 * A chain of comparisons is fast enough: from Linux 5.11 on the kernel keeps the calls that a filter allows whatever
 * their arguments are, and does not run it for them. What is left has conditions, and stands first.
 */
#include "runner/seccomp_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/architecture.h"
#include "base/memory.h"
#include "base/table.h"

#define REFUSE(error) (SECCOMP_RET_ERRNO | (uint32_t)(error))

/* Jumps that lead to the end of a row, which is not known yet. */
struct jumps {
	size_t at[SECCOMP_CONDITIONS * SECCOMP_VALUES];
	bool when_equal[SECCOMP_CONDITIONS * SECCOMP_VALUES];
	size_t count;
};

/* A row that is refused; those of one call are a chain, in the table's order. */
struct refused {
	const struct seccomp_call *call;
	uint64_t key; /* of the call's name */
	size_t next;  /* of its chain; 0 at the end */
	bool is_first;
};

struct program {
	struct sock_filter *code;
	size_t count, capacity;
	struct refused *rows;
	size_t row_count, row_capacity;
	seccomp_set_t refused;
	bool learning;
};

static size_t emit(struct program *program, uint16_t code, uint32_t k, size_t if_true, size_t if_false)
{
	*ARRAY_APPEND(program->code, program->count, program->capacity) =
		(struct sock_filter){code, (uint8_t)if_true, (uint8_t)if_false, k};
	return program->count - 1;
}

static void load(struct program *program, size_t offset)
{
	emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *program, uint32_t what)
{
	emit(program, BPF_RET | BPF_K, what, 0, 0);
}

static size_t compare(struct program *program, uint32_t value, size_t if_equal, size_t if_not)
{
	return emit(program, BPF_JMP | BPF_JEQ | BPF_K, value, if_equal, if_not);
}

static size_t jump_far(struct program *program)
{
	return emit(program, BPF_JMP | BPF_JA, 0, 0, 0);
}

static void land_far(struct program *program, size_t jump)
{
	program->code[jump].k = (uint32_t)(program->count - jump - 1);
}

static void leave_row(struct jumps *jumps, size_t at, bool when_equal)
{
	jumps->at[jumps->count] = at;
	jumps->when_equal[jumps->count++] = when_equal;
}

static void land_row(struct program *program, const struct jumps *jumps)
{
	for (size_t i = 0; i < jumps->count; i++) {
		struct sock_filter *jump = &program->code[jumps->at[i]];
		uint8_t way = (uint8_t)(program->count - jumps->at[i] - 1);

		if (jumps->when_equal[i])
			jump->jt = way;
		else
			jump->jf = way;
	}
}

static void load_low(struct program *program, unsigned argument)
{
	size_t low = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint32_t) : 0;

	load(program, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t) + low);
}

static void load_high(struct program *program, unsigned argument)
{
	size_t high = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : sizeof(uint32_t);

	load(program, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t) + high);
}

/* Goes on where the condition holds; else to the end of the row. */
static void add_condition(struct program *program, const struct seccomp_condition *condition, struct jumps *jumps)
{
	if (condition->match == MATCH_POINTER) {
		load_high(program, condition->argument);
		compare(program, 0, 0, 2);
		load_low(program, condition->argument);
		leave_row(jumps, compare(program, 0, 0, 0), true);
		return;
	}
	load_low(program, condition->argument);
	if (condition->mask != UINT32_MAX)
		emit(program, BPF_ALU | BPF_AND | BPF_K, condition->mask, 0, 0);
	for (size_t i = 0; i < condition->count; i++) {
		size_t left = condition->count - i - 1;

		if (condition->match == MATCH_NONE_OF)
			leave_row(jumps, compare(program, condition->values[i], 0, 0), true);
		else if (left)
			compare(program, condition->values[i], left, 0);
		else
			leave_row(jumps, compare(program, condition->values[i], 0, 0), false);
	}
}

static int error_of(const struct seccomp_call *call)
{
	return call->error ? call->error : seccomp_group_table[call->group].error;
}

static bool has_conditions(const struct seccomp_call *call)
{
	return call->conditions[0].match != MATCH_NOTHING;
}

/* Returns whether what stands behind the row can still be reached. */
static bool add_row(struct program *program, const struct seccomp_call *call)
{
	struct jumps jumps = {.count = 0};

	for (size_t i = 0; i < SECCOMP_CONDITIONS && call->conditions[i].match; i++)
		add_condition(program, &call->conditions[i], &jumps);
	answer(program, REFUSE(error_of(call)));
	land_row(program, &jumps);
	return jumps.count > 0;
}

static bool is_refused(const struct program *program, const struct seccomp_call *call)
{
	return program->refused & SECCOMP_SET(call->group) || (program->learning && call->hides);
}

/* Its numbers here, the variant's without its bit: mostly it is the same one. Returns how many. */
static size_t numbers_of(const struct seccomp_call *call, uint32_t architecture, uint32_t numbers[2])
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	int own = seccomp_call_number(call, architecture);
	int other = variant ? seccomp_call_number(call, variant->architecture) : -1;
	size_t count = 0;

	if (own >= 0)
		numbers[count++] = (uint32_t)own;
	if (other >= 0 && ((uint32_t)other & ~variant->bit) != (uint32_t)own)
		numbers[count++] = (uint32_t)other & ~variant->bit;
	return count;
}

/* All rows of a call. */
static void add_call(struct program *program, const struct refused *row, uint32_t architecture)
{
	uint32_t numbers[2];
	size_t count = numbers_of(row->call, architecture, numbers), jump;
	bool goes_on;

	if (!count)
		return;
	if (count == 2)
		compare(program, numbers[1], 1, 0);
	jump = compare(program, numbers[0], 0, 0);
	goes_on = add_row(program, row->call);
	while (goes_on && row->next) {
		row = &program->rows[row->next];
		goes_on = add_row(program, row->call);
	}
	if (goes_on)
		answer(program, SECCOMP_RET_ALLOW);
	program->code[jump].jf = (uint8_t)(program->count - jump - 1);
}

/* Whether the call is refused whatever its arguments are. */
static bool is_plain(const struct refused *row)
{
	return row->is_first && !has_conditions(row->call);
}

static void refuse_all(struct program *program, const uint32_t *numbers, size_t count, int error)
{
	for (size_t i = 0; i < count; i++)
		compare(program, numbers[i], count - i - 1, i == count - 1);
	if (count)
		answer(program, REFUSE(error));
}

/* Those that are refused with this errno whatever their arguments are: they share one answer. */
static void add_plain(struct program *program, uint32_t architecture, int error)
{
	uint32_t numbers[UINT8_MAX]; /* as far as a jump reaches */
	size_t count = 0;

	for (size_t i = 0; i < program->row_count; i++) {
		const struct seccomp_call *call = program->rows[i].call;

		if (!is_plain(&program->rows[i]) || error_of(call) != error)
			continue;
		if (count + 2 > ARRAY_LENGTH(numbers)) {
			refuse_all(program, numbers, count, error);
			count = 0;
		}
		count += numbers_of(call, architecture, numbers + count);
	}
	refuse_all(program, numbers, count, error);
}

static bool is_new_error(const struct program *program, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (is_plain(&program->rows[before]) &&
		    error_of(program->rows[before].call) == error_of(program->rows[i].call))
			return false;
	return true;
}

static void add_chain(struct program *program, uint32_t architecture)
{
	for (size_t i = 0; i < program->row_count; i++)
		if (program->rows[i].is_first && has_conditions(program->rows[i].call))
			add_call(program, &program->rows[i], architecture);
	for (size_t i = 0; i < program->row_count; i++)
		if (is_plain(&program->rows[i]) && is_new_error(program, i))
			add_plain(program, architecture, error_of(program->rows[i].call));
	answer(program, SECCOMP_RET_ALLOW);
}

static void add_refused(struct program *program, const struct seccomp_call *call)
{
	struct refused *row = ARRAY_APPEND(program->rows, program->row_count, program->row_capacity);
	size_t i = 0;

	*row = (struct refused){.call = call, .key = table_hash(call->name, strlen(call->name))};
	while (program->rows[i].key != row->key || strcmp(program->rows[i].call->name, call->name) != 0)
		i++;
	row->is_first = &program->rows[i] == row;
	if (row->is_first)
		return;
	while (program->rows[i].next)
		i = program->rows[i].next;
	program->rows[i].next = program->row_count - 1;
}

static void find_refused(struct program *program)
{
	for (const struct seccomp_call *call = seccomp_call_table; call->name; call++)
		if (is_refused(program, call))
			add_refused(program, call);
}

static void add_architecture(struct program *program, uint32_t architecture)
{
	const struct architecture_variant *variant = architecture_variant(architecture);
	size_t past;

	compare(program, architecture, 1, 0);
	past = jump_far(program);
	load(program, offsetof(struct seccomp_data, nr));
	/* x32 is a part of x86-64, on kernels that have it: most numbers are the same but for one bit. Those that are
	 * not are above all others, and older kernels take them without the bit as well. */
	if (variant)
		emit(program, BPF_ALU | BPF_AND | BPF_K, ~variant->bit, 0, 0);
	add_chain(program, architecture);
	land_far(program, past);
}

struct sock_fprog seccomp_filter_build(seccomp_set_t refused, bool learning, uint32_t native)
{
	struct program program = {.refused = refused, .learning = learning};
	uint32_t second = architecture_second(native);

	find_refused(&program);
	load(&program, offsetof(struct seccomp_data, arch));
	add_architecture(&program, native);
	if (second)
		add_architecture(&program, second);
	answer(&program, REFUSE(ENOSYS)); /* what nobody here knows does not get through */
	free(program.rows);
	return (struct sock_fprog){(unsigned short)program.count, program.code};
}

int seccomp_call_number(const struct seccomp_call *call, uint32_t architecture)
{
	int number = seccomp_syscall_resolve_name_arch(architecture, call->name);

	if (number < 0 && call->beside && architecture_has_socketcall(architecture))
		return call->beside;
	if (number == __NR_SCMP_ERROR && call->number)
		return call->number | (int)architecture_bit(architecture);
	return number;
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
			"container refuses it)");
	return 0;
}

int seccomp_filter_load(seccomp_set_t refused, struct error *err)
{
	return load_filter(seccomp_filter_build(refused, false, seccomp_arch_native()), err);
}

int seccomp_filter_load_learning(seccomp_set_t refused, struct error *err)
{
	return load_filter(seccomp_filter_build(refused, true, seccomp_arch_native()), err);
}
