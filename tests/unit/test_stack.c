/* Call stacks, all that is pure: their two forms, maps, and symbols and frames of files that say anything. */
#include <criterion/criterion.h>

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/stack.h"
#include "tracer/stack_frames.h"
#include "tracer/stack_maps.h"
#include "tracer/stack_symbols.h"

static const char maps[] = "55d0c0000000-55d0c0002000 r-xp 00001000 fe:01 1234       /usr/bin/a program\n"
			   "55d0c0002000-55d0c0003000 rw-p 00003000 fe:01 1234       /usr/bin/a program (deleted)\n"
			   "7f0000000000-7f0000021000 rw-p 00000000 00:00 0 \n"
			   "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]\n";

Test(stack, maps)
{
	struct stack_map map;

	cr_assert(stack_map_find(maps, 0x55d0c0001fff, &map));
	cr_expect_eq(map.offset, 0x1000);
	cr_expect_eq(map.inode, 1234);
	cr_expect_not(map.writable);
	cr_expect_eq(strncmp(map.name, "/usr/bin/a program\n", map.length + 1), 0);
	cr_assert(stack_map_find(maps, 0x55d0c0002000, &map));
	cr_expect(map.writable);
	cr_assert(stack_map_find(maps, 0x7f0000000000, &map));
	cr_expect_eq(map.inode, 0);
	cr_expect_eq(map.length, 0);
	cr_assert(stack_map_find(maps, 0x7ffc00020fff, &map));
	cr_expect_not(stack_map_find(maps, 0x7ffc00021000, &map));
	cr_expect_not(stack_map_find(maps, 0x1000, &map));
	cr_expect_not(stack_map_find("", 0, &map));
	cr_expect_not(stack_map_find("1-2", 1, &map));
	cr_expect_not(stack_map_find("2000-1000 r-xp 0 0:0 0 /x\n", 0x1800, &map));
}

Test(stack, maps_for_many_questions)
{
	static const uint64_t addresses[] = {0x1000,	     0x55d0c0000000, 0x55d0c0001fff, 0x55d0c0002000,
					     0x55d0c0003000, 0x7f0000000000, 0x7ffc00020fff, 0x7ffc00021000};
	struct stack_maps all;

	stack_maps_read(&all, maps);
	cr_expect_eq(all.count, 4);
	for (size_t i = 0; i < ARRAY_LENGTH(addresses); i++) {
		const struct stack_map *found = stack_maps_find(&all, addresses[i]);
		struct stack_map map;

		cr_assert_eq(found != NULL, stack_map_find(maps, addresses[i], &map));
		cr_expect(!found || (found->start == map.start && found->name == map.name));
	}
	stack_maps_finish(&all);
	stack_maps_read(&all, "");
	cr_expect_null(stack_maps_find(&all, 0));
	stack_maps_finish(&all);
	stack_maps_read(&all, "2000-3000 r-xp 0 0:0 0 /x\n1000-2800 r-xp 0 0:0 0 /y\n");
	cr_expect_eq(all.count, 1);
	stack_maps_finish(&all);
}

static char *record_of(const struct stack *stack)
{
	scoped_json json = json_create_object();
	scoped_buffer text = {0};

	stack_put(json, stack);
	json_write(json, false, &text);
	return buffer_steal(&text);
}

Test(stack, two_forms)
{
	struct stack_frame frames[] = {{(char *)"a\033b", (char *)"/usr/lib/x", 7}, {NULL, NULL, UINT64_MAX}};
	const struct stack stack = {.frames = frames, .count = 2, .cut = true};
	scoped_stack back = {0};
	scoped_buffer bytes = {0};
	scoped_free char *text = NULL;

	stack_write(&stack, &bytes);
	cr_assert(stack_read(bytes.data, bytes.length, &back));
	text = record_of(&back);
	cr_expect_str_eq(text, "{\"stack\":[{\"function\":\"a\\\\x1bb\",\"offset\":7,\"module\":\"/usr/lib/x\"},"
			       "{\"offset\":9223372036854775807}],\"stack_cut\":true}");
	for (size_t length = 0; length < bytes.length; length++) {
		scoped_stack part = {0};
		/* Whole frames are a stack as well. */
		bool whole = length == 1 || length == 1 + 8 + sizeof "a\033b" + sizeof "/usr/lib/x";

		cr_expect_eq(stack_read(bytes.data, length, &part), whole, "%zu", length);
	}
}

Test(stack, an_answer_has_no_more_frames_than_there_can_be)
{
	scoped_stack stack = {0};
	scoped_buffer bytes = {0};

	buffer_add_byte(&bytes, 0);
	for (int i = 0; i <= STACK_DEPTH_MOST; i++)
		buffer_add(&bytes, "12345678\0", 10);
	cr_expect_not(stack_read(bytes.data, bytes.length, &stack));
}

Test(stack, none_says_why)
{
	const struct stack stack = {.missing = (char *)"the task was gone"};
	scoped_stack back = {0};
	scoped_buffer bytes = {0};
	scoped_free char *text = NULL;

	stack_write(&stack, &bytes);
	cr_assert(stack_read(bytes.data, bytes.length, &back));
	text = record_of(&back);
	cr_expect_str_eq(text, "{\"stack_missing\":\"the task was gone\"}");
}

/* This very program, whose linker wrote what linkers write. */
static unsigned char *own_bytes(size_t *size)
{
	scoped_fd fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	unsigned char *bytes;
	struct stat status;

	cr_assert(fd >= 0 && fstat(fd, &status) == 0);
	*size = (size_t)status.st_size;
	bytes = allocate(*size);
	cr_assert_eq(read(fd, bytes, *size), (ssize_t)*size);
	return bytes;
}

int is_looked_for(int number);
__attribute__((noinline)) int is_looked_for(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

static uint64_t address_of(const struct stack_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (strcmp(symbols->symbols[i].name, name) == 0)
			return symbols->symbols[i].start;
	return 0;
}

Test(stack, symbols_and_frames_of_a_file)
{
	size_t size, i = 0;
	scoped_free unsigned char *bytes = own_bytes(&size);
	struct stack_symbols symbols = {0};
	struct stack_frames frames = {0};
	uint64_t address, start;
	const char *name;

	cr_assert_eq(is_looked_for(3), 3);
	stack_symbols_read(&symbols, bytes, size);
	address = address_of(&symbols, "is_looked_for");
	cr_assert(address, "not in a program that is not stripped");
	name = stack_symbols_find(&symbols, address + 1, &start);
	cr_assert(name);
	cr_expect_str_eq(name, "is_looked_for");
	cr_expect_eq(start, address);
	cr_expect_null(stack_symbols_find(&symbols, 0, &start));
	stack_frames_read(&frames, bytes, size);
	while (i < frames.count && frames.address + (uint64_t)(int64_t)frames.entries[i].start != address)
		i++;
	cr_expect(i < frames.count, "its frame is among those of .eh_frame");
	stack_symbols_finish(&symbols);
	stack_frames_finish(&frames);
}

/* Under the sanitizers, or valgrind, each byte that is read outside of the file is an error. */
Test(stack, damaged_files_are_read_within_their_bounds)
{
	size_t size;
	scoped_free unsigned char *bytes = own_bytes(&size);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)bytes;
	size_t sections = header->e_shoff, end = sections + header->e_shnum * sizeof(Elf64_Shdr);
	unsigned state = 1;

	cr_assert(end <= size);
	for (int round = 0; round < 200; round++) {
		scoped_free unsigned char *damaged = allocate(size);
		struct stack_symbols symbols = {0};
		struct stack_frames frames = {0};
		uint64_t start;

		memcpy(damaged, bytes, size);
		for (int i = 0; i < 40; i++) {
			state = state * 1103515245 + 12345;
			damaged[sections + (state >> 8) % (end - sections)] = (unsigned char)(state >> 24);
		}
		for (size_t i = 0; i < size / 64; i++) {
			state = state * 1103515245 + 12345;
			damaged[64 + (state >> 4) % (sections - 64)] ^= (unsigned char)(1U << (state >> 28 & 7));
		}
		stack_symbols_read(&symbols, damaged, round % 3 ? size : sections + (size_t)round);
		stack_symbols_find(&symbols, state, &start);
		stack_frames_read(&frames, damaged, round % 3 ? size : sections + (size_t)round);
		stack_symbols_finish(&symbols);
		stack_frames_finish(&frames);
	}
}
