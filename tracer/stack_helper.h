/*
 * The process that unwinds. It reads files and memory that the program may have made to harm whoever reads them, so it
 * can do nothing but read, and be lost: it has no descriptor of ours but its socket, can open no file for writing, make
 * no process and no connection, and has a bounded time for each stack.
 */
#pragma once

#include <stdint.h>
#include <sys/procfs.h>

/* What it is sent, with the bytes of the stack and the text of the maps behind it. */
struct stack_request {
	elf_gregset_t registers;
	uint64_t start;
	uint32_t depth, bytes, maps;
};

/* What it answers, with that many bytes of stack_write() behind it. */
struct stack_answer {
	uint32_t bytes;
};

#define STACK_ANSWER_MOST (1U << 20)

/* Of the child: closes everything else, and ends when the other end of the socket does. */
_Noreturn void stack_helper_be(int socket);
