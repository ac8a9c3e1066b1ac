#include "tracer/stack_frames.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define RELATIVE_4                                                                                                     \
	0x1b /* how functions are named: from the place where it stands, in four bytes. Linkers write no other. */

struct part {
	const unsigned char *at, *end;
};

/* False where fewer bytes are left. */
static bool take(struct part *part, void *data, size_t size)
{
	if ((size_t)(part->end - part->at) < size)
		return false;
	memcpy(data, part->at, size);
	part->at += size;
	return true;
}

static bool skip_number(struct part *part)
{
	while (part->at < part->end)
		if (!(*part->at++ & 0x80))
			return true;
	return false;
}

/* How the personality, which stands before what is looked for, is written. */
static bool skip_pointer(struct part *part)
{
	unsigned char form;
	char pointer[8];

	if (!take(part, &form, 1))
		return false;
	form &= 0x0f;
	/* The low bits are the size; one of them is the sign. */
	return take(part, pointer, (form & 7) == 3 ? 4 : (form & 7) == 2 ? 2 : 8);
}

/* Whether what has this common part names its functions in the known way. */
static bool is_known_common(struct part part)
{
	char word[16] = {0};
	unsigned char version, form;
	const unsigned char *end;

	if (!take(&part, &version, 1))
		return false;
	end = memchr(part.at, '\0', (size_t)(part.end - part.at));
	if (!end || *part.at != 'z' || (size_t)(end - part.at) >= sizeof word)
		return false;
	memcpy(word, part.at, (size_t)(end - part.at));
	part.at = end + 1;
	/* Of code, of data, the return address's register, and the length of what follows. */
	for (int i = 0; i < 4; i++)
		if (!skip_number(&part))
			return false;
	for (const char *letter = word + 1; *letter; letter++) {
		if (*letter == 'R')
			return take(&part, &form, 1) && form == RELATIVE_4;
		if (*letter == 'P' ? !skip_pointer(&part) : *letter == 'L' && !take(&part, &form, 1))
			return false;
	}
	return false;
}

/* The part behind its length, which stands at `at`. */
static bool part_at(const struct part *whole, const unsigned char *at, struct part *part)
{
	uint32_t length;

	*part = (struct part){at, whole->end};
	if (!take(part, &length, sizeof length) || !length || length > (size_t)(part->end - part->at))
		return false;
	part->end = part->at + length;
	return true;
}

static bool has_known_common(const struct part *whole, const unsigned char *back, uint32_t distance, size_t before)
{
	struct part common;
	uint32_t zero;

	return distance <= before && part_at(whole, back - distance, &common) && take(&common, &zero, sizeof zero) &&
	       !zero && is_known_common(common);
}

static void read_all(struct stack_frames *frames, const unsigned char *bytes, size_t size)
{
	const struct part whole = {bytes, bytes + size};
	const unsigned char *at = bytes;
	struct part part;

	for (; part_at(&whole, at, &part); at = part.end) {
		const unsigned char *back = part.at;
		uint32_t distance;
		int32_t relative;
		int64_t start;

		if (!take(&part, &distance, sizeof distance) || !distance ||
		    !has_known_common(&whole, back, distance, (size_t)(back - bytes)))
			continue;
		start = part.at - bytes;
		if (!take(&part, &relative, sizeof relative))
			continue;
		start += relative;
		if (start >= INT32_MIN && start <= INT32_MAX && at - bytes <= INT32_MAX)
			*ARRAY_APPEND(frames->entries, frames->count, frames->capacity) =
				(struct stack_frames_entry){(int32_t)start, (int32_t)(at - bytes)};
	}
}

static int compare(const void *left, const void *right)
{
	const struct stack_frames_entry *one = left, *other = right;

	return one->start < other->start ? -1 : one->start > other->start;
}

static bool is_named(const unsigned char *bytes, uint64_t size, const Elf64_Shdr *names, uint32_t name)
{
	static const char wanted[] = ".eh_frame";

	return names->sh_offset <= size && names->sh_size <= size - names->sh_offset && name <= names->sh_size &&
	       sizeof wanted <= names->sh_size - name &&
	       memcmp(bytes + names->sh_offset + name, wanted, sizeof wanted) == 0;
}

void stack_frames_read(struct stack_frames *frames, const unsigned char *bytes, uint64_t size)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)bytes;
	const Elf64_Shdr *sections;

	if (size < sizeof *header || header->e_shentsize != sizeof *sections || header->e_shoff % sizeof(uint64_t) ||
	    header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof *sections ||
	    header->e_shstrndx >= header->e_shnum)
		return;
	sections = (const Elf64_Shdr *)(const void *)(bytes + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *section = &sections[i];

		if (!is_named(bytes, size, &sections[header->e_shstrndx], section->sh_name) ||
		    section->sh_offset > size || section->sh_size > size - section->sh_offset)
			continue;
		frames->address = section->sh_addr;
		read_all(frames, bytes + section->sh_offset, section->sh_size);
		break;
	}
	if (frames->count)
		qsort(frames->entries, frames->count, sizeof *frames->entries, compare);
}

void stack_frames_finish(struct stack_frames *frames)
{
	free(frames->entries);
	*frames = (struct stack_frames){0};
}
