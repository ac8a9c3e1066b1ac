/* `#!` lines as the kernel reads them, and lines of /proc/PID/maps. */
#include <criterion/criterion.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/exec_chain.h"

static void expect_bytes(const char *head, size_t length, const char *want)
{
	scoped_free char *interpreter = exec_chain_interpreter(head, length);

	cr_expect_str_eq(interpreter ? interpreter : "none", want, "%s: %s", head, interpreter);
}

static void expect_interpreter(const char *head, const char *want)
{
	expect_bytes(head, strlen(head), want);
}

Test(exec_chain, interpreters)
{
	expect_interpreter("#!/bin/sh\n", "/bin/sh");
	expect_interpreter("#!/bin/sh -e -u\necho\n", "/bin/sh");
	expect_interpreter("#! \t/usr/bin/env python3\n", "/usr/bin/env");
	expect_interpreter("#!/bin/sh", "/bin/sh");
	expect_interpreter("#!/bin/sh\t\n", "/bin/sh");
	expect_interpreter("#!bin/relative\n", "bin/relative");
	expect_interpreter("#!/bin/sh\r\n", "/bin/sh\r");
	expect_bytes("#!/bin/sh\0-e\n", 13, "/bin/sh");
}

Test(exec_chain, no_interpreter)
{
	expect_interpreter("", "none");
	expect_interpreter("#", "none");
	expect_interpreter("#!", "none");
	expect_interpreter("#!\n/bin/sh\n", "none");
	expect_interpreter("#!  \t\n", "none");
	expect_interpreter(" #!/bin/sh\n", "none");
	expect_interpreter("\177ELF", "none");
}

/* The kernel reads 256 bytes; a name that may go on after them is no name. */
Test(exec_chain, long_lines)
{
	char head[EXEC_CHAIN_HEAD];
	scoped_free char *cut = NULL, *whole = NULL;

	memset(head, 'x', sizeof head);
	head[0] = '#';
	head[1] = '!';
	head[2] = '/';
	cut = exec_chain_interpreter(head, sizeof head);
	cr_expect_null(cut);
	head[sizeof head - 1] = ' ';
	whole = exec_chain_interpreter(head, sizeof head);
	cr_assert_not_null(whole);
	cr_expect_eq(strlen(whole), sizeof head - 3);
}

static void expect_mapped(const char *line, const char *want)
{
	ino_t inode = 0;
	scoped_free char *mapped = exec_chain_mapped(line, &inode);

	cr_expect_eq(inode, mapped ? 1234 : 0);

	cr_expect_str_eq(mapped ? mapped : "none", want);
}

Test(exec_chain, mapped_files)
{
	expect_mapped("7f00-7f01 r-xp 00001000 fe:00 1234                   /usr/lib/ld.so\n", "/usr/lib/ld.so");
	expect_mapped("7f00-7f01 r-xp 00001000 fe:00 1234   /a b (deleted)\n", "/a b (deleted)");
	expect_mapped("7f00-7f01 r-xp 00001000 fe:00 1234   /a\\012b\\012c\\d\n", "/a\\012b\\012c\\d");
	expect_mapped("7f00-7f01 rw-p 00000000 00:00 0                      [stack]\n", "none");
	expect_mapped("7f00-7f01 rw-p 00000000 00:00 0 \n", "none");
	expect_mapped("7f00-7f01 rw-s 00000000 00:0f 77    anon_inode:i915\n", "none");
	expect_mapped("nonsense\n", "none");
}

Test(exec_chain, newlines_in_mapped_files)
{
	char text[] = "/a\\012b\\012\\012c\\d\\01";

	exec_chain_unescape(text);
	cr_expect_str_eq(text, "/a\nb\n\nc\\d\\01");
}

/* An image with one program header of that type at `phoff`, and a name at `offset`. */
#define IMAGE(bits, image, type, phoff, offset, name)                                                                  \
	do {                                                                                                           \
		Elf##bits##_Ehdr file = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS##bits}, .e_phoff = (phoff)};        \
		Elf##bits##_Phdr part = {.p_type = (type), .p_offset = (offset), .p_filesz = sizeof(name)};            \
                                                                                                                       \
		file.e_phnum = 1;                                                                                      \
		memcpy(image, &file, sizeof file);                                                                     \
		memcpy((image) + (phoff), &part, sizeof part);                                                         \
		memcpy((image) + (offset), name, sizeof(name));                                                        \
	} while (0)

static void expect_loader(const char *head, size_t length, const char *want)
{
	scoped_free char *loader = exec_chain_loader(head, length);

	cr_expect_str_eq(loader ? loader : "none", want);
}

Test(exec_chain, loaders)
{
	char image[1024] = {0};

	IMAGE(64, image, PT_INTERP, 64, 500, "/lib64/ld.so");
	expect_loader(image, sizeof image, "/lib64/ld.so");
	expect_loader(image, 500 + sizeof "/lib64/ld.so" - 1, "none");
	expect_loader(image, 100, "none");
	expect_loader(image, 20, "none");
	IMAGE(64, image, PT_LOAD, 64, 500, "/lib64/ld.so");
	expect_loader(image, sizeof image, "none");
	IMAGE(32, image, PT_INTERP, 52, 500, "/lib/ld.so");
	expect_loader(image, sizeof image, "/lib/ld.so");
	expect_loader(image, 80, "none");
	expect_loader("#!/bin/sh\n", 10, "none");
	expect_loader("", 0, "none");
}

/* Numbers that lead out of the file, also past the end of what can be counted. */
Test(exec_chain, no_loader_out_of_the_file)
{
	Elf64_Ehdr far = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64}, .e_phoff = UINT64_MAX - 8, .e_phnum = 9};
	char image[1024] = {0};

	memcpy(image, &far, sizeof far);
	expect_loader(image, sizeof image, "none");
	IMAGE(64, image, PT_INTERP, 64, 500, "/lib64/ld.so");
	((Elf64_Phdr *)(void *)(image + 64))->p_filesz = UINT64_MAX;
	expect_loader(image, sizeof image, "none");
	((Elf64_Phdr *)(void *)(image + 64))->p_filesz = 13;
	((Elf64_Phdr *)(void *)(image + 64))->p_offset = UINT64_MAX - 2;
	expect_loader(image, sizeof image, "none");
}
