/*
 * What an exec pulls in besides the file it names. The kernel opens interpreters and loaders itself, so no call of the
 * program shows them. Pure; who reads the files gives their beginnings.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* As much of a file as the kernel looks at (BINPRM_BUF_SIZE), and how many scripts may follow one another. */
#define EXEC_CHAIN_HEAD	 256
#define EXEC_CHAIN_LIMIT 5

/*
 * The interpreter that a script's `#!` line names, read as fs/binfmt_script.c does; the caller's to free. NULL when the
 * file is no such script, or its line is cut off within the name.
 */
char *exec_chain_interpreter(const char *head, size_t length);

/*
 * The loader that a program in ELF names (PT_INTERP), from the beginning of its file, where linkers put it; the
 * caller's to free. NULL when there is none in these bytes.
 */
#define EXEC_CHAIN_PROGRAM 4096 /* bytes that are enough */
char *exec_chain_loader(const char *head, size_t length);

/*
 * The file that a line of /proc/PID/maps maps, and its inode; the caller's to free. As the kernel writes it: with
 * " (deleted)" if it was, and a newline as \012, which a file may really be called too. NULL when it maps none.
 */
char *exec_chain_mapped(const char *line, ino_t *inode);

/* Puts the newlines back. */
void exec_chain_unescape(char *text);
