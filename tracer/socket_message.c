#include "tracer/socket_message.h"

#include <string.h>
#include <sys/socket.h>

/* These begin so on every architecture, in words of its size. */
struct message64 {
	uint64_t name;
	uint32_t name_length;
	uint32_t padding;
	uint64_t parts, part_count;
	uint64_t control, control_length;
	uint64_t flags; /* rounded up to words */
	uint64_t sent;	/* mmsghdr has it; rounded up too */
};

struct message32 {
	uint32_t name;
	uint32_t name_length;
	uint32_t parts, part_count;
	uint32_t control, control_length;
	uint32_t flags;
	uint32_t sent;
};

/* Control data: a length, which counts itself, level and type, then the data; each begins at a whole word. */
#define CONTROL_MOST 4096 /* of it are looked at */

static size_t word_size(const struct foreign *foreign)
{
	return foreign->is_64_bit ? sizeof(uint64_t) : sizeof(uint32_t);
}

static size_t head_size(const struct foreign *foreign)
{
	return word_size(foreign) + 2 * sizeof(int32_t);
}

size_t socket_message_stride(bool is_64_bit)
{
	return is_64_bit ? sizeof(struct message64) : sizeof(struct message32);
}

int socket_message_read(const struct foreign *foreign, uint64_t at, struct socket_message *message)
{
	struct message64 words;
	struct message32 small;
	int result;

	if (foreign->is_64_bit) {
		result = memory_read(foreign->memory, foreign->tid, at, &words, offsetof(struct message64, flags));
		*message = (struct socket_message){words.name, words.name_length, words.control, words.control_length};
	} else {
		result = memory_read(foreign->memory, foreign->tid, at, &small, offsetof(struct message32, flags));
		*message = (struct socket_message){small.name, small.name_length, small.control, small.control_length};
	}
	if (result)
		*message = (struct socket_message){0};
	return result;
}

bool socket_message_has_room(const struct foreign *foreign, const struct socket_message *message)
{
	return message->control && message->control_length >= head_size(foreign) + sizeof(int32_t);
}

struct control {
	uint64_t length;
	int32_t level, type;
};

static struct control take_head(const struct foreign *foreign, const unsigned char *data)
{
	struct control control = {0};
	uint32_t length;

	if (foreign->is_64_bit) {
		memcpy(&control.length, data, sizeof control.length);
	} else {
		memcpy(&length, data, sizeof length);
		control.length = length;
	}
	data += word_size(foreign);
	memcpy(&control.level, data, sizeof control.level);
	memcpy(&control.type, data + sizeof control.level, sizeof control.type);
	return control;
}

static size_t take_descriptors(const unsigned char *data, size_t size, int *fds, size_t room)
{
	size_t count = size / sizeof *fds;

	count = count < room ? count : room;
	memcpy(fds, data, count * sizeof *fds);
	return count;
}

size_t socket_message_descriptors(const struct foreign *foreign, const struct socket_message *message,
				  int fds[SOCKET_MESSAGE_DESCRIPTORS])
{
	unsigned char data[CONTROL_MOST];
	size_t size = message->control_length < sizeof data ? message->control_length : sizeof data;
	size_t head = head_size(foreign), word = word_size(foreign), at = 0, count = 0;

	if (!socket_message_has_room(foreign, message) ||
	    memory_read(foreign->memory, foreign->tid, message->control, data, size) != 0)
		return 0;
	while (size - at >= head) {
		struct control control = take_head(foreign, data + at);

		if (control.length < head || control.length > size - at)
			break;
		if (control.level == SOL_SOCKET && control.type == SCM_RIGHTS)
			count += take_descriptors(data + at + head, control.length - head, fds + count,
						  SOCKET_MESSAGE_DESCRIPTORS - count);
		at += (control.length + word - 1) / word * word;
		if (at > size)
			break;
	}
	return count;
}
