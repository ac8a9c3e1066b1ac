/* struct msghdr and mmsghdr in a task's memory, as sendmsg(2) and recvmsg(2) take them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tracer/memory.h"

/* Of another process: its memory, and whether its words have 64 bits. */
struct foreign {
	const struct memory *memory;
	pid_t tid;
	bool is_64_bit;
};

struct socket_message {
	uint64_t name; /* addresses in the task */
	uint64_t name_length;
	uint64_t control;
	uint64_t control_length;
};

/* How far apart two of them stand in an array of struct mmsghdr. */
size_t socket_message_stride(bool is_64_bit);

/* 0, or as memory_read(). */
int socket_message_read(const struct foreign *foreign, uint64_t at, struct socket_message *message);

/* Whether its control data have room for a descriptor. */
bool socket_message_has_room(const struct foreign *foreign, const struct socket_message *message);

/* The descriptors that its control data pass (SCM_RIGHTS): how many were put into fds, DESCRIPTORS at most. */
#define SOCKET_MESSAGE_DESCRIPTORS 253 /* unix(7), SCM_MAX_FD */
size_t socket_message_descriptors(const struct foreign *foreign, const struct socket_message *message,
				  int fds[SOCKET_MESSAGE_DESCRIPTORS]);
