/*
 * The frames of .eh_frame by address, for files whose linker wrote no table of them (static programs), in the form that
 * such a table has. The bytes may say anything: each is checked. Pure. Source: the Linux Standard Base, "Exception
 * Frames".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Both relative to the address of .eh_frame. */
struct stack_frames_entry {
	int32_t start; /* of the function */
	int32_t frame; /* its description */
};

struct stack_frames {
	uint64_t address;		    /* of .eh_frame */
	struct stack_frames_entry *entries; /* by start */
	size_t count, capacity;
};

/* What the file's section says, into a zeroed one. */
void stack_frames_read(struct stack_frames *frames, const unsigned char *bytes, uint64_t size);
void stack_frames_finish(struct stack_frames *frames);
