#include "tracer/stack_image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracer/stack_frames.h"
#include "tracer/stack_symbols.h"

#define IMAGES_MOST 512 /* kept mapped */
#define TABLE_START 12	/* in .eh_frame_hdr, of the one form that linkers write */
#define ENTRY	    8	/* bytes */

struct stack_image {
	char *name;
	uint64_t inode;
	const unsigned char *bytes; /* NULL when it cannot be read */
	uint64_t size;
	const Elf64_Phdr *segments;
	unsigned segment_count;
	struct stack_symbols symbols;
	struct stack_frames frames;   /* where the linker wrote no table */
	bool has_symbols, has_frames; /* they were read */
};

struct stack_images {
	struct stack_image *images[IMAGES_MOST];
	size_t count;
};

struct stack_images *stack_images_create(void)
{
	return allocate(sizeof(struct stack_images));
}

static void destroy_image(struct stack_image *image)
{
	stack_symbols_finish(&image->symbols);
	stack_frames_finish(&image->frames);
	if (image->bytes)
		munmap((void *)image->bytes, image->size);
	free(image->name);
	free(image);
}

static void forget_all(struct stack_images *images)
{
	while (images->count)
		destroy_image(images->images[--images->count]);
}

const void *stack_image_bytes(const struct stack_image *image, uint64_t offset, uint64_t size)
{
	return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* A name may lead anywhere by now: nothing but a regular file is read. */
static void map_file(struct stack_image *image)
{
	scoped_fd fd = open(image->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size <= 0)
		return;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return;
	image->bytes = bytes;
	image->size = (uint64_t)status.st_size;
}

static bool is_elf(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       header->e_phentsize == sizeof(Elf64_Phdr);
}

static void find_segments(struct stack_image *image)
{
	const Elf64_Ehdr *header = stack_image_bytes(image, 0, sizeof *header);

	if (!header || !is_elf(header) || header->e_phoff % _Alignof(Elf64_Phdr))
		return;
	image->segments = stack_image_bytes(image, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr));
	image->segment_count = image->segments ? header->e_phnum : 0;
}

struct stack_image *stack_image_of(struct stack_images *images, const struct stack_map *map)
{
	struct stack_image *image;

	if (!map->inode || !map->length || *map->name != '/')
		return NULL;
	for (size_t i = 0; i < images->count; i++) {
		image = images->images[i];
		if (image->inode == map->inode && strncmp(image->name, map->name, map->length) == 0 &&
		    !image->name[map->length])
			return image->bytes ? image : NULL;
	}
	if (images->count == IMAGES_MOST)
		forget_all(images);
	image = images->images[images->count++] = allocate(sizeof *image);
	image->name = duplicate_bytes(map->name, map->length);
	image->inode = map->inode;
	map_file(image);
	if (image->bytes)
		find_segments(image);
	return image->bytes ? image : NULL;
}

bool stack_image_address(const struct stack_image *image, uint64_t offset, uint64_t *address)
{
	for (unsigned i = 0; i < image->segment_count; i++) {
		const Elf64_Phdr *segment = &image->segments[i];

		if (segment->p_type != PT_LOAD || offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz)
			continue;
		*address = offset - segment->p_offset + segment->p_vaddr;
		return true;
	}
	return false;
}

static bool is_known_form(const unsigned char *header)
{
	/* Version 1; the frames' address as four bytes, their number unsigned; the table relative, in four bytes. */
	return header[0] == 1 && (header[1] & 0x0f) == 0x0b && header[2] == 0x03 && header[3] == 0x3b;
}

static bool linked_table(const struct stack_image *image, struct stack_table *table)
{
	for (unsigned i = 0; i < image->segment_count; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		const unsigned char *bytes;
		uint32_t count;

		if (segment->p_type != PT_GNU_EH_FRAME || segment->p_filesz < TABLE_START)
			continue;
		bytes = stack_image_bytes(image, segment->p_offset, segment->p_filesz);
		if (!bytes || !is_known_form(bytes))
			return false;
		memcpy(&count, bytes + 8, sizeof count);
		if (!count || count > (segment->p_filesz - TABLE_START) / ENTRY)
			return false;
		*table = (struct stack_table){segment->p_vaddr, bytes + TABLE_START, (uint64_t)count * ENTRY};
		return true;
	}
	return false;
}

bool stack_image_table(struct stack_image *image, struct stack_table *table)
{
	const struct stack_frames *frames = &image->frames;

	if (linked_table(image, table))
		return true;
	if (!image->has_frames && image->segment_count)
		stack_frames_read(&image->frames, image->bytes, image->size);
	image->has_frames = true;
	*table = (struct stack_table){frames->address, frames->entries, frames->count * ENTRY};
	return frames->count > 0;
}

const char *stack_image_function(struct stack_image *image, uint64_t address, uint64_t *start)
{
	if (!image->has_symbols && image->segment_count)
		stack_symbols_read(&image->symbols, image->bytes, image->size);
	image->has_symbols = true;
	return stack_symbols_find(&image->symbols, address, start);
}
