/*
 * A fuzz target without a fuzzer, for `make check`: each file that is named, each beginning of it, and a thousand
 * mutations of it, the same each time. A target that finds something wrong aborts.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUTATIONS 1000
#define CHANGES	  4
#define MAX_BYTES (64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t state = 1;

static uint32_t random_below(uint32_t limit)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % limit;
}

/* From a block of exactly this size, so that a sanitizer or valgrind sees a read behind it. */
static void try(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + !size);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

/* Bytes that mean something somewhere come more often than others. */
static uint8_t random_byte(void)
{
	static const char telling[] = "\n[]=;# \\$\"{}/,.\0\t\xff\xc2x0";

	return random_below(2) ? (uint8_t)telling[random_below(sizeof telling - 1)] : (uint8_t)random_below(256);
}

/* One byte changed, put in, or taken out. Returns the new size; there is room for one more. */
static size_t change(uint8_t *data, size_t size)
{
	size_t at = random_below((uint32_t)size + 1);

	switch (random_below(3)) {
	case 0:
		memmove(data + at + 1, data + at, size - at);
		data[at] = random_byte();
		return size + 1;
	case 1:
		if (at == size)
			return size;
		memmove(data + at, data + at + 1, size - at - 1);
		return size - 1;
	default:
		if (at < size)
			data[at] = random_byte();
		return size;
	}
}

static void try_mutations(const uint8_t *data, size_t size)
{
	uint8_t *mutant = malloc(size + CHANGES);

	if (!mutant)
		abort();
	for (int i = 0; i < MUTATIONS; i++) {
		size_t length = size;

		memcpy(mutant, data, size);
		for (uint32_t changes = 1 + random_below(CHANGES); changes; changes--)
			length = change(mutant, length);
		try(mutant, length);
	}
	free(mutant);
}

/* Returns whether there was something to try. */
static int replay(const char *name)
{
	static uint8_t data[MAX_BYTES];
	FILE *file = fopen(name, "rb");
	size_t size = file ? fread(data, 1, sizeof data, file) : 0;

	if (file)
		fclose(file);
	for (size_t length = 0; length <= size; length++)
		try(data, length);
	try_mutations(data, size);
	return size > 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!replay(argv[i])) {
			fprintf(stderr, "%s: nothing to read\n", argv[i]);
			return 1;
		}
	return argc < 2;
}
