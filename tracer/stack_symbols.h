/* The functions that an ELF file of 64 bits names, by address. Its bytes may say anything: each is checked. Pure. */
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct stack_symbol {
	uint64_t start, size; /* size 0: up to the next */
	const char *name;     /* in the file's bytes */
};

struct stack_symbols {
	struct stack_symbol *symbols; /* by start */
	size_t count, capacity;
};

/* Those of .symtab and .dynsym, into a zeroed one. The bytes are aligned, and stay where they are. */
void stack_symbols_read(struct stack_symbols *symbols, const unsigned char *bytes, uint64_t size);
void stack_symbols_finish(struct stack_symbols *symbols);

/* The function that holds the address, and its start; NULL for none. */
const char *stack_symbols_find(const struct stack_symbols *symbols, uint64_t address, uint64_t *start);
