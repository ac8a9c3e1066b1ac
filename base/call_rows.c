#include "base/call_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_IN_A_ROW 5 /* comparisons, before it pays to part them */

/* Where a comparison leads: to an answer, or to what is emitted later. */
struct way_out {
	struct bpf_jumps *jumps;
	uint32_t target;
};

static const struct call_condition *conditions_of(const struct call_row *row)
{
	static const struct call_condition none[CALL_CONDITIONS];

	return row->rule->conditions ? row->rule->conditions : none;
}

static bool is_one_of(const struct call_condition *condition, uint32_t value)
{
	for (size_t i = 0; i < condition->count; i++)
		if (condition->values[i] == value)
			return true;
	return false;
}

static bool holds(const struct call_condition *condition, const uint64_t arguments[6])
{
	uint64_t argument = arguments[condition->argument];

	switch (condition->match) {
	case MATCH_ONE_OF:
		return is_one_of(condition, (uint32_t)argument & condition->mask);
	case MATCH_NONE_OF:
		return !is_one_of(condition, (uint32_t)argument & condition->mask);
	case MATCH_POINTER:
		return argument != 0;
	case MATCH_NOTHING:
		break;
	}
	return true;
}

bool call_conditions_hold(const struct call_condition conditions[CALL_CONDITIONS], const uint64_t arguments[6])
{
	for (size_t i = 0; i < CALL_CONDITIONS; i++)
		if (!holds(&conditions[i], arguments))
			return false;
	return true;
}

bool call_row_is_plain(const struct call_row *first)
{
	return !conditions_of(first)[0].match;
}

/* One of some values is all that the row asks. */
static bool is_set(const struct call_row *row)
{
	return conditions_of(row)[0].match == MATCH_ONE_OF && !conditions_of(row)[1].match;
}

/* Whether it asks the same, for the same answer. */
static bool is_part_of(const struct call_row *row, const struct call_row *earlier)
{
	const struct call_condition *one = conditions_of(row), *two = conditions_of(earlier);

	return is_set(row) && is_set(earlier) && one->argument == two->argument && one->mask == two->mask &&
	       row->rule->answer == earlier->rule->answer;
}

static void add_values(struct call_row *row, const struct call_condition *condition)
{
	for (size_t i = 0; i < condition->count; i++)
		*ARRAY_APPEND(row->values, row->value_count, row->value_capacity) = condition->values[i];
}

/* To the end of its call's chain; false where its values went to a row in it. */
static bool chain(struct call_rows *rows, size_t first, const struct call_row *added)
{
	struct call_row *row = &rows->rows[first];

	while (row->next && !is_part_of(added, row))
		row = &rows->rows[row->next];
	if (is_part_of(added, row)) {
		add_values(row, conditions_of(added));
		return false;
	}
	row->next = (size_t)(added - rows->rows);
	return true;
}

/* `first_of` has the row behind the first one of each call, 0 for none. */
static void add(struct call_rows *rows, const struct call_rule *rule, size_t *first_of)
{
	const struct call_numbers *call = call_numbers_find(rule->name);
	struct call_row *row;
	size_t *first;

	if (!call)
		return;
	first = &first_of[call - call_numbers_table];
	row = ARRAY_APPEND(rows->rows, rows->count, rows->capacity);
	*row = (struct call_row){.rule = rule, .call = call, .is_first = !*first};
	if (*first && !chain(rows, *first - 1, row)) {
		rows->count--;
		return;
	}
	if (!*first)
		*first = rows->count;
	if (is_set(row))
		add_values(row, conditions_of(row));
}

void call_rows_find(struct call_rows *rows, const struct call_filter *filter)
{
	size_t first_of[CALL_NUMBERS_MOST] = {0};

	for (size_t i = 0; i < filter->count; i++)
		add(rows, &filter->rules[i], first_of);
}

void call_rows_finish(struct call_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->rows[i].values);
	free(rows->rows);
	*rows = (struct call_rows){0};
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
static void emit_condition(struct bpf_code *code, const struct call_row *row, size_t which, struct way_out in,
			   struct way_out out)
{
	const struct call_condition *condition = &conditions_of(row)[which];
	size_t count = row->values ? row->value_count : condition->count;
	uint32_t own[CALL_VALUES], *values = row->values ? row->values : own;

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
static void emit_row(struct bpf_code *code, const struct call_row *row, struct way_out out)
{
	const struct call_condition *conditions = conditions_of(row);
	struct bpf_jumps onward = {0};

	for (size_t i = 0; i < CALL_CONDITIONS && conditions[i].match; i++) {
		bool is_last = i + 1 == CALL_CONDITIONS || !conditions[i + 1].match;
		struct way_out answer = {&code->answers, row->rule->answer}, go_on = {&onward, 0};

		emit_condition(code, row, i, is_last ? answer : go_on, out);
		bpf_land_all(code, &onward);
	}
	free(onward.jumps);
}

void call_rows_emit(const struct call_rows *rows, const struct call_row *row, uint32_t otherwise, struct bpf_code *code)
{
	struct bpf_jumps next = {0};
	struct way_out behind = {&next, 0}, none = {&code->answers, otherwise};

	for (;; row = &rows->rows[row->next]) {
		bpf_land_all(code, &next);
		if (call_row_is_plain(row)) {
			bpf_answer(code, row->rule->answer);
			break;
		}
		emit_row(code, row, row->next ? behind : none);
		if (!row->next)
			break;
	}
	free(next.jumps);
}
