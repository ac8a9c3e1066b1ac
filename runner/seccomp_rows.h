/* The rows of the table of refused calls that a filter refuses, and the code that asks for their conditions. */
#pragma once

#include "profile/seccomp_groups.h"
#include "runner/bpf_code.h"
#include "runner/seccomp_filter.h"

/* Those of one call are a chain, in the table's order. */
struct seccomp_row {
	const struct seccomp_call *call;
	uint32_t answer; /* SECCOMP_RET_* */
	uint64_t key;	 /* of the call's name */
	size_t next;	 /* of its chain; 0 at the end */
	bool is_first;
	/* Of a row that asks for one of some values: with those of the rows behind it that ask the same. */
	uint32_t *values;
	size_t value_count, value_capacity;
};

struct seccomp_rows {
	struct seccomp_row *rows;
	size_t count, capacity;
};

/* Of these groups; while learning (NULL: it is a run), of all groups what hides what it does. */
void seccomp_rows_find(struct seccomp_rows *rows, seccomp_set_t refused, const struct seccomp_learning *learning);
void seccomp_rows_finish(struct seccomp_rows *rows);

/* Whether the call is refused whatever its arguments are. */
bool seccomp_row_is_plain(const struct seccomp_row *first);

/* More instructions than the rows of one call have. (Where they had, bpf_code.too_far would tell.) */
#define SECCOMP_ROWS_CODE 120
/* All rows of a call; nothing goes on behind them. */
void seccomp_rows_emit(const struct seccomp_rows *rows, const struct seccomp_row *first, struct bpf_code *code);
