#include "runner/seccomp_rows.h"

#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"

#define MOST_IN_A_ROW 5 /* comparisons, before it pays to part them */

/* Where a comparison leads: to an answer, or to what is emitted later. */
struct way_out {
	struct bpf_jumps *jumps;
	uint32_t target;
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

bool seccomp_row_is_plain(const struct seccomp_row *first)
{
	return !first->call->conditions[0].match;
}

/* One of some values is all that the row asks. */
static bool is_set(const struct seccomp_call *call)
{
	return call->conditions[0].match == MATCH_ONE_OF && !call->conditions[1].match;
}

/* Whether it asks the same, for the same answer. */
static bool is_part_of(const struct seccomp_row *row, const struct seccomp_row *earlier)
{
	const struct seccomp_condition *one = &row->call->conditions[0], *two = &earlier->call->conditions[0];

	return is_set(row->call) && is_set(earlier->call) && one->argument == two->argument && one->mask == two->mask &&
	       row->answer == earlier->answer;
}

static void add_values(struct seccomp_row *row, const struct seccomp_condition *condition)
{
	for (size_t i = 0; i < condition->count; i++)
		*ARRAY_APPEND(row->values, row->value_count, row->value_capacity) = condition->values[i];
}

/* To the end of its call's chain, or to the values of a row in it. */
static void chain(struct seccomp_rows *rows, size_t first, const struct seccomp_row *added)
{
	struct seccomp_row *row = &rows->rows[first];

	while (row->next && !is_part_of(added, row))
		row = &rows->rows[row->next];
	if (is_part_of(added, row)) {
		add_values(row, &added->call->conditions[0]);
		rows->count--;
		return;
	}
	row->next = (size_t)(added - rows->rows);
}

static void add(struct seccomp_rows *rows, const struct seccomp_call *call, uint32_t answer)
{
	struct seccomp_row *row = ARRAY_APPEND(rows->rows, rows->count, rows->capacity);
	size_t i = 0;

	*row = (struct seccomp_row){.call = call, .answer = answer, .key = table_hash(call->name, strlen(call->name))};
	while (rows->rows[i].key != row->key || strcmp(rows->rows[i].call->name, call->name) != 0)
		i++;
	row->is_first = &rows->rows[i] == row;
	if (!row->is_first)
		chain(rows, i, row);
	if (rows->rows + rows->count > row && is_set(call))
		add_values(row, &call->conditions[0]);
}

void seccomp_rows_find(struct seccomp_rows *rows, seccomp_set_t refused, const struct seccomp_learning *learning)
{
	for (const struct seccomp_call *call = seccomp_call_table; call->name; call++)
		if (is_refused(call, refused, learning))
			add(rows, call, answer_of(call, learning));
}

void seccomp_rows_finish(struct seccomp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->rows[i].values);
	free(rows->rows);
	*rows = (struct seccomp_rows){0};
}

static void lead(size_t at, enum bpf_way way, struct way_out out)
{
	bpf_jump_to(out.jumps, at, way, out.target);
}

static int compare_values(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

/* Whether what is loaded is one of these, which are sorted. Nothing goes on behind it. */
static void emit_set(struct bpf_code *code, const uint32_t *values, size_t count, struct way_out in, struct way_out out)
{
	size_t half = count / 2;

	if (count > MOST_IN_A_ROW) {
		size_t above = bpf_emit(code, BPF_JMP | BPF_JGE | BPF_K, values[half]);

		emit_set(code, values, half, in, out);
		bpf_land(code, above, BPF_IF_TRUE);
		emit_set(code, values + half, count - half, in, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t at = bpf_compare(code, values[i]);

		lead(at, BPF_IF_TRUE, in);
		if (i + 1 == count)
			lead(at, BPF_IF_FALSE, out);
	}
}

static void emit_pointer(struct bpf_code *code, unsigned argument, struct way_out in, struct way_out out)
{
	size_t low;

	bpf_load_high(code, argument);
	lead(bpf_compare(code, 0), BPF_IF_FALSE, in);
	bpf_load_low(code, argument);
	low = bpf_compare(code, 0);
	lead(low, BPF_IF_TRUE, out);
	lead(low, BPF_IF_FALSE, in);
}

/* `in` where the condition holds. */
static void emit_condition(struct bpf_code *code, const struct seccomp_row *row, size_t which, struct way_out in,
			   struct way_out out)
{
	const struct seccomp_condition *condition = &row->call->conditions[which];
	size_t count = row->values ? row->value_count : condition->count;
	uint32_t own[SECCOMP_VALUES], *values = row->values ? row->values : own;

	if (condition->match == MATCH_POINTER) {
		emit_pointer(code, condition->argument, in, out);
		return;
	}
	bpf_load_low(code, condition->argument);
	if (condition->mask != UINT32_MAX)
		bpf_emit(code, BPF_ALU | BPF_AND | BPF_K, condition->mask);
	if (!row->values)
		memcpy(own, condition->values, sizeof own);
	qsort(values, count, sizeof *values, compare_values);
	if (condition->match == MATCH_NONE_OF)
		emit_set(code, values, count, out, in);
	else
		emit_set(code, values, count, in, out);
}

/* `out` where the row does not fit. */
static void emit_row(struct bpf_code *code, const struct seccomp_row *row, struct way_out out)
{
	const struct seccomp_condition *conditions = row->call->conditions;
	struct bpf_jumps onward = {0};

	for (size_t i = 0; i < SECCOMP_CONDITIONS && conditions[i].match; i++) {
		bool is_last = i + 1 == SECCOMP_CONDITIONS || !conditions[i + 1].match;
		struct way_out refuse = {&code->answers, row->answer}, go_on = {&onward, 0};

		emit_condition(code, row, i, is_last ? refuse : go_on, out);
		bpf_land_all(code, &onward);
	}
	free(onward.jumps);
}

void seccomp_rows_emit(const struct seccomp_rows *rows, const struct seccomp_row *row, struct bpf_code *code)
{
	struct bpf_jumps next = {0};
	struct way_out behind = {&next, 0}, allow = {&code->answers, SECCOMP_RET_ALLOW};

	for (;; row = &rows->rows[row->next]) {
		bpf_land_all(code, &next);
		if (!row->call->conditions[0].match) {
			bpf_answer(code, row->answer);
			break;
		}
		emit_row(code, row, row->next ? behind : allow);
		if (!row->next)
			break;
	}
	free(next.jumps);
}
