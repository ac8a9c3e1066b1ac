#include "tracer/exec_chain.h"

#include <stdbool.h>
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

/* The kernel writes a newline in a name as \012, and nothing else. */
static void unescape_newlines(char *text)
{
	char *at;

	while ((at = strstr(text, "\\012"))) {
		*at = '\n';
		memmove(at + 1, at + 4, strlen(at + 4) + 1);
		text = at + 1;
	}
}

char *exec_chain_mapped(const char *line)
{
	unsigned long inode;
	size_t length;
	int at = 0;
	char *path;

	if (sscanf(line, "%*s %*s %*s %*s %lu %n", &inode, &at) != 1 || !inode || line[at] != '/')
		return NULL;
	length = strcspn(line + at, "\n");
	path = duplicate_bytes(line + at, length);
	unescape_newlines(path);
	return path;
}
