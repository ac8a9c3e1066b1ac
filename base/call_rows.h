/* The rules of a filter (base/call_filter.h) call by call, and the code that asks for their conditions. */
#pragma once

#include "base/bpf_code.h"
#include "base/call_filter.h"
#include "base/call_numbers.h"

/* Those of one call are a chain, in the filter's order. */
struct call_row {
	const struct call_rule *rule;
	const struct call_numbers *call;
	size_t next; /* of its chain; 0 at the end */
	bool is_first;
	/* Of a row that asks for one of some values: with those of the rules behind it that ask the same. */
	uint32_t *values;
	size_t value_count, value_capacity;
};

struct call_rows {
	struct call_row *rows;
	size_t count, capacity;
};

/* Of all calls that have a number anywhere. */
void call_rows_find(struct call_rows *rows, const struct call_filter *filter);
void call_rows_finish(struct call_rows *rows);

/* Whether the call has its answer whatever its arguments are. */
bool call_row_is_plain(const struct call_row *first);

/* More instructions than the rows of one call have. (Where they had, bpf_code.too_far would tell.) */
#define CALL_ROWS_CODE 120
/* All rows of a call; nothing goes on behind them. `otherwise` is the answer where none holds. */
void call_rows_emit(const struct call_rows *rows, const struct call_row *first, uint32_t otherwise,
		    struct bpf_code *code);
