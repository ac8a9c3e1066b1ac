#include "tracer/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The first byte of what is written. */
enum { FORM_WHOLE, FORM_CUT, FORM_MISSING };

void stack_finish(struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		free(stack->frames[i].function);
		free(stack->frames[i].module);
	}
	free(stack->frames);
	free(stack->missing);
	*stack = (struct stack){0};
}

/* No name is empty, so an empty one stands for none. */
static void write_text(struct buffer *bytes, const char *text)
{
	buffer_add(bytes, text ? text : "", text ? strlen(text) + 1 : 1);
}

void stack_write(const struct stack *stack, struct buffer *bytes)
{
	buffer_add_byte(bytes, (char)(stack->missing ? FORM_MISSING : stack->cut ? FORM_CUT : FORM_WHOLE));
	if (stack->missing)
		write_text(bytes, stack->missing);
	for (size_t i = 0; i < stack->count; i++) {
		const struct stack_frame *frame = &stack->frames[i];

		buffer_add(bytes, (const char *)&frame->offset, sizeof frame->offset);
		write_text(bytes, frame->function);
		write_text(bytes, frame->module);
	}
}

static bool read_text(const char **at, const char *end, char **text)
{
	const char *stop = memchr(*at, '\0', (size_t)(end - *at));

	if (!stop)
		return false;
	*text = stop > *at ? duplicate(*at) : NULL;
	*at = stop + 1;
	return true;
}

bool stack_read(const char *bytes, size_t length, struct stack *stack)
{
	const char *at = bytes, *end = bytes + length;

	if (!length)
		return false;
	if (*at++ == FORM_MISSING)
		return read_text(&at, end, &stack->missing) && stack->missing && at == end;
	stack->cut = *bytes == FORM_CUT;
	stack->frames = allocate_array(STACK_DEPTH_MOST, sizeof *stack->frames);
	while (at < end) {
		struct stack_frame *frame = &stack->frames[stack->count];

		if (stack->count == STACK_DEPTH_MOST || (size_t)(end - at) < sizeof frame->offset)
			return false;
		memcpy(&frame->offset, at, sizeof frame->offset);
		at += sizeof frame->offset;
		stack->count++;
		if (!read_text(&at, end, &frame->function) || !read_text(&at, end, &frame->module))
			return false;
	}
	return true;
}

static struct json *frame_json(const struct stack_frame *frame)
{
	struct json *object = json_create_object();

	if (frame->function)
		json_put_bytes(object, "function", frame->function);
	json_put_number(object, "offset", (long long)(frame->offset & INT64_MAX));
	if (frame->module)
		json_put_bytes(object, "module", frame->module);
	return object;
}

void stack_put(struct json *record, const struct stack *stack)
{
	struct json *list;

	if (stack->missing) {
		json_put_bytes(record, "stack_missing", stack->missing);
		return;
	}
	list = json_create_array();
	for (size_t i = 0; i < stack->count; i++)
		json_put(list, NULL, frame_json(&stack->frames[i]));
	json_put(record, "stack", list);
	if (stack->cut)
		json_put_flag(record, "stack_cut", true);
}
