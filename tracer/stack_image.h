/*
 * The files that a process maps, kept mapped here while they are asked about: their bytes, the table of their unwind
 * information and their symbols, each checked against the file's size before it is used. One that shrinks meanwhile
 * ends us by SIGBUS: for use in the helper alone (stack_helper.h). Source: elf(5), and the Linux Standard Base on
 * .eh_frame_hdr.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/stack_maps.h"

struct stack_image;  /* one file */
struct stack_images; /* those that were asked for, by name and inode */

struct stack_images *stack_images_create(void);

/* The file of a mapping; NULL when there is none that can be read. It is the images'. */
struct stack_image *stack_image_of(struct stack_images *images, const struct stack_map *map);

/* Its bytes at that offset: `size` of them, or NULL. */
const void *stack_image_bytes(const struct stack_image *image, uint64_t offset, uint64_t size);

/* An offset in the file as an address in the ELF file's own numbering; false where it maps none. */
bool stack_image_address(const struct stack_image *image, uint64_t offset, uint64_t *address);

/* The search table of unwind information: such an address, relative to which its entries are; and the entries. */
struct stack_table {
	uint64_t base;
	const void *entries; /* the image's: pairs of four bytes, function and description */
	uint64_t size;	     /* bytes */
};

/* That of .eh_frame_hdr, or one made of .eh_frame where the linker wrote none; false when there is neither. */
bool stack_image_table(struct stack_image *image, struct stack_table *table);

/* The function at such an address, and where it starts; NULL for none. It is the image's, and ends with NUL. */
const char *stack_image_function(struct stack_image *image, uint64_t address, uint64_t *start);
