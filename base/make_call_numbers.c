/*
 * Prints the table of base/call_numbers.h as C, of what libseccomp knows: built and run by make, on the machine that
 * builds, for all architectures. To it is added here what libseccomp 2.5 does not know.
 *
 * It is asked for names by number. For i386 it answers a name of socketcall(2) or ipc(2) with what only itself
 * understands, though each has a number, too.
 */
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/architecture.h"
#include "base/call_numbers.h"

#define NUMBERS 1024 /* up to which calls are looked for */

/* Newer calls, which the tables of this project name. From 424 on a call has one number everywhere. */
static const struct {
	const char *name;
	int16_t number;
} later[] = {
	{"mount_setattr", 442}, {"quotactl_fd", 443},  {"fchmodat2", 452},     {"setxattrat", 463},
	{"getxattrat", 464},	{"listxattrat", 465},  {"removexattrat", 466}, {"open_tree_attr", 467},
	{"file_getattr", 468},	{"file_setattr", 469},
};

static struct call_numbers calls[CALL_NUMBERS_MOST];
static size_t count;

static struct call_numbers *call_named(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(calls[i].name, name) == 0)
			return &calls[i];
	if (count == CALL_NUMBERS_MOST || strlen(name) >= CALL_NUMBERS_NAME) {
		fprintf(stderr, "make_call_numbers: no room for %s: see base/call_numbers.h\n", name);
		exit(1);
	}
	memcpy(calls[count].name, name, strlen(name));
	memset(calls[count].numbers, -1, sizeof calls[count].numbers);
	return &calls[count++];
}

static void find_calls(size_t index)
{
	uint32_t architecture = architecture_at(index);

	for (int number = 0; number < NUMBERS; number++) {
		char *name =
			seccomp_syscall_resolve_num_arch(architecture, number | (int)architecture_bit(architecture));

		if (name)
			call_named(name)->numbers[index] = (int16_t)number;
		free(name);
	}
}

static void add_later(void)
{
	for (size_t i = 0; i < sizeof later / sizeof *later; i++)
		for (size_t index = 0; index < ARCHITECTURES; index++)
			call_named(later[i].name)->numbers[index] = later[i].number;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct call_numbers *)a)->name, ((const struct call_numbers *)b)->name);
}

static void print_call(const struct call_numbers *call)
{
	printf("\t{\"%s\", {", call->name);
	for (size_t index = 0; index < ARCHITECTURES; index++)
		printf("%s%d", index ? ", " : "", call->numbers[index]);
	puts("}},");
}

int main(void)
{
	for (size_t index = 0; index < ARCHITECTURES; index++)
		find_calls(index);
	add_later();
	qsort(calls, count, sizeof *calls, compare);
	puts("/* Made by make. */\n#include \"base/call_numbers.h\"\n\nconst struct call_numbers call_numbers_table[] "
	     "= {");
	for (size_t i = 0; i < count; i++)
		print_call(&calls[i]);
	printf("};\nconst size_t call_numbers_count = %zu;\n", count);
	return fflush(stdout) || ferror(stdout);
}
