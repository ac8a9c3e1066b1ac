/* Runs a filter as the kernel does (Documentation/networking/filter.rst): no kernel of its architecture is needed. */
#pragma once

#include <criterion/criterion.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool bpf_jumps(uint16_t code, uint32_t accumulator, uint32_t value)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return accumulator == value;
	case BPF_JGT:
		return accumulator > value;
	case BPF_JGE:
		return accumulator >= value;
	default:
		cr_assert_eq(BPF_OP(code), BPF_JSET);
		return accumulator & value;
	}
}

static uint32_t bpf_run(const struct sock_fprog *program, const struct seccomp_data *data)
{
	uint32_t accumulator = 0;

	for (size_t at = 0; at < program->len; at++) {
		const struct sock_filter *is = &program->filter[at];

		switch (BPF_CLASS(is->code)) {
		case BPF_LD:
			cr_assert_eq(is->code, BPF_LD | BPF_W | BPF_ABS);
			memcpy(&accumulator, (const char *)data + is->k, sizeof accumulator);
			break;
		case BPF_ALU:
			cr_assert_eq(is->code, BPF_ALU | BPF_AND | BPF_K);
			accumulator &= is->k;
			break;
		case BPF_JMP:
			if (BPF_OP(is->code) == BPF_JA)
				at += is->k;
			else
				at += bpf_jumps(is->code, accumulator, is->k) ? is->jt : is->jf;
			break;
		default:
			cr_assert_eq(is->code, BPF_RET | BPF_K);
			return is->k;
		}
	}
	cr_assert(false, "the filter has no end");
	return 0;
}

/*
 * Whether the kernel finds, when it takes the filter, that this call is allowed whatever its arguments are; within that
 * many instructions. (seccomp_is_const_allow() of Linux 5.11: only the number and the architecture are loaded.)
 */
static inline bool bpf_allows_whatever(const struct sock_fprog *program, uint32_t architecture, uint32_t number,
				       size_t most)
{
	uint32_t accumulator = 0;

	for (size_t at = 0; at < program->len && most; at++, most--) {
		const struct sock_filter *is = &program->filter[at];

		if (is->code == (BPF_RET | BPF_K))
			return is->k == SECCOMP_RET_ALLOW;
		if (is->code == (BPF_LD | BPF_W | BPF_ABS) && is->k == offsetof(struct seccomp_data, nr))
			accumulator = number;
		else if (is->code == (BPF_LD | BPF_W | BPF_ABS) && is->k == offsetof(struct seccomp_data, arch))
			accumulator = architecture;
		else if (is->code == (BPF_ALU | BPF_AND | BPF_K))
			accumulator &= is->k;
		else if (is->code == (BPF_JMP | BPF_JA))
			at += is->k;
		else if (BPF_CLASS(is->code) == BPF_JMP)
			at += bpf_jumps(is->code, accumulator, is->k) ? is->jt : is->jf;
		else
			return false;
	}
	return false;
}
