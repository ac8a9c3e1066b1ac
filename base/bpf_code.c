#include "base/bpf_code.h"

#include <linux/seccomp.h>
#include <stdlib.h>

#include "base/memory.h"

size_t bpf_emit(struct bpf_code *code, uint16_t instruction, uint32_t value)
{
	*ARRAY_APPEND(code->code, code->count, code->capacity) = (struct sock_filter){instruction, 0, 0, value};
	return code->count - 1;
}

size_t bpf_compare(struct bpf_code *code, uint32_t value)
{
	return bpf_emit(code, BPF_JMP | BPF_JEQ | BPF_K, value);
}

void bpf_answer(struct bpf_code *code, uint32_t answer)
{
	bpf_emit(code, BPF_RET | BPF_K, answer);
}

static void load_half(struct bpf_code *code, unsigned argument, bool high)
{
	size_t second = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? !high : high;

	bpf_emit(code, BPF_LD | BPF_W | BPF_ABS,
		 (uint32_t)(offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t) +
			    second * sizeof(uint32_t)));
}

void bpf_load_low(struct bpf_code *code, unsigned argument)
{
	load_half(code, argument, false);
}

void bpf_load_high(struct bpf_code *code, unsigned argument)
{
	load_half(code, argument, true);
}

void bpf_jump_to(struct bpf_jumps *jumps, size_t at, enum bpf_way way, uint32_t target)
{
	*ARRAY_APPEND(jumps->jumps, jumps->count, jumps->capacity) = (struct bpf_jump){at, way, target};
}

void bpf_land(struct bpf_code *code, size_t at, enum bpf_way way)
{
	struct sock_filter *jump = &code->code[at];
	size_t far = code->count - at - 1;

	if (way == BPF_ALWAYS) {
		jump->k = (uint32_t)far;
		return;
	}
	if (far > UINT8_MAX)
		code->too_far = true;
	if (way == BPF_IF_TRUE)
		jump->jt = (uint8_t)far;
	else
		jump->jf = (uint8_t)far;
}

void bpf_land_target(struct bpf_code *code, struct bpf_jumps *jumps, uint32_t target)
{
	size_t kept = 0;

	for (size_t i = 0; i < jumps->count; i++) {
		if (jumps->jumps[i].target == target)
			bpf_land(code, jumps->jumps[i].at, jumps->jumps[i].way);
		else
			jumps->jumps[kept++] = jumps->jumps[i];
	}
	jumps->count = kept;
}

void bpf_land_all(struct bpf_code *code, struct bpf_jumps *jumps)
{
	for (size_t i = 0; i < jumps->count; i++)
		bpf_land(code, jumps->jumps[i].at, jumps->jumps[i].way);
	jumps->count = 0;
}

void bpf_answer_by(struct bpf_code *code, size_t at, enum bpf_way way, uint32_t answer)
{
	bpf_jump_to(&code->answers, at, way, answer);
}

void bpf_emit_answers(struct bpf_code *code, size_t to_come)
{
	if (to_come && code->answers.count && code->count + to_come - code->answers.jumps[0].at < UINT8_MAX)
		return;
	while (code->answers.count) {
		uint32_t answer = code->answers.jumps[0].target;

		bpf_land_target(code, &code->answers, answer);
		bpf_answer(code, answer);
	}
}

void bpf_finish(struct bpf_code *code)
{
	free(code->answers.jumps);
	code->answers = (struct bpf_jumps){0};
}
