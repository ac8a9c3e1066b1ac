/*
 * A filter under construction. BPF jumps only forward, and 255 instructions at most where there is a condition; so ways
 * to an answer or to a part that is not there yet are noted, and led there once it is emitted.
 * Source: Documentation/networking/filter.rst of the kernel.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bpf_way { BPF_IF_TRUE, BPF_IF_FALSE, BPF_ALWAYS };

/* A jump that is not landed: from the instruction at `at`. */
struct bpf_jump {
	size_t at;
	enum bpf_way way;
	uint32_t target; /* what it leads to, by the caller's numbers */
};

struct bpf_jumps {
	struct bpf_jump *jumps;
	size_t count, capacity;
};

struct bpf_code {
	struct sock_filter *code;
	size_t count, capacity;
	struct bpf_jumps answers; /* that are still to be emitted; the target is the answer */
	bool too_far;		  /* a jump could not be landed: the code is of no use */
};

/* Returns where it is. */
size_t bpf_emit(struct bpf_code *code, uint16_t instruction, uint32_t value);
size_t bpf_compare(struct bpf_code *code, uint32_t value); /* for equality; goes on either way */
void bpf_answer(struct bpf_code *code, uint32_t answer);

/* The low, or high, half of an argument of the call. */
void bpf_load_low(struct bpf_code *code, unsigned argument);
void bpf_load_high(struct bpf_code *code, unsigned argument);

void bpf_jump_to(struct bpf_jumps *jumps, size_t at, enum bpf_way way, uint32_t target);
/* Leads jumps here: one; those to a target; all. */
void bpf_land(struct bpf_code *code, size_t at, enum bpf_way way);
void bpf_land_target(struct bpf_code *code, struct bpf_jumps *jumps, uint32_t target);
void bpf_land_all(struct bpf_code *code, struct bpf_jumps *jumps);

/* From here to an answer, on one way of an instruction. */
void bpf_answer_by(struct bpf_code *code, size_t at, enum bpf_way way, uint32_t answer);
/*
 * Emits the answers that jumps lead to, where those would soon be too far for what is to come (0: at once). Nothing may
 * go on into this place.
 */
void bpf_emit_answers(struct bpf_code *code, size_t to_come);

/* Frees what it needed; the code itself is the caller's. */
void bpf_finish(struct bpf_code *code);
