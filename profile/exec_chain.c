#include "profile/exec_chain.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

char *exec_chain_interpreter(const char *head, size_t length)
{
	size_t start = 2, end, line_end;
	const char *newline;

	if (length < 2 || head[0] != '#' || head[1] != '!')
		return NULL;
	newline = memchr(head, '\n', length);
	line_end = newline ? (size_t)(newline - head) : length;
	while (start < line_end && is_blank(head[start]))
		start++;
	for (end = start; end < line_end && !is_blank(head[end]) && head[end]; end++)
		;
	if (end == start || (!newline && end == EXEC_CHAIN_HEAD))
		return NULL;
	return duplicate_bytes(head + start, end - start);
}

/* The name at that place of the file, NULL when it is not whole. */
static char *loader_at(const char *head, size_t length, uint64_t offset, uint64_t size)
{
	if (offset > length || size > length - offset || size < 2 || head[offset + size - 1])
		return NULL;
	return duplicate(head + offset);
}

static char *loader_of_64(const char *head, size_t length)
{
	Elf64_Phdr part;
	Elf64_Ehdr file;

	if (length < sizeof file)
		return NULL;
	memcpy(&file, head, sizeof file);
	for (size_t i = 0; i < file.e_phnum; i++) {
		uint64_t at = file.e_phoff + i * sizeof part;

		if (at < file.e_phoff || at > length || length - at < sizeof part)
			break;
		memcpy(&part, head + at, sizeof part);
		if (part.p_type == PT_INTERP)
			return loader_at(head, length, part.p_offset, part.p_filesz);
	}
	return NULL;
}

static char *loader_of_32(const char *head, size_t length)
{
	Elf32_Phdr part;
	Elf32_Ehdr file;

	if (length < sizeof file)
		return NULL;
	memcpy(&file, head, sizeof file);
	for (size_t i = 0; i < file.e_phnum; i++) {
		uint64_t at = file.e_phoff + i * sizeof part;

		if (at > length || length - at < sizeof part)
			break;
		memcpy(&part, head + at, sizeof part);
		if (part.p_type == PT_INTERP)
			return loader_at(head, length, part.p_offset, part.p_filesz);
	}
	return NULL;
}

char *exec_chain_loader(const char *head, size_t length)
{
	if (length < EI_NIDENT || memcmp(head, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (head[EI_CLASS] == ELFCLASS64)
		return loader_of_64(head, length);
	return head[EI_CLASS] == ELFCLASS32 ? loader_of_32(head, length) : NULL;
}

void exec_chain_unescape(char *text)
{
	char *at;

	while ((at = strstr(text, "\\012"))) {
		*at = '\n';
		memmove(at + 1, at + 4, strlen(at + 4) + 1);
		text = at + 1;
	}
}

char *exec_chain_mapped(const char *line, ino_t *inode)
{
	unsigned long number;
	int at = 0;

	if (sscanf(line, "%*s %*s %*s %*s %lu %n", &number, &at) != 1 || !number || line[at] != '/')
		return NULL;
	*inode = number;
	return duplicate_bytes(line + at, strcspn(line + at, "\n"));
}
