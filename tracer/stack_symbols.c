#include "tracer/stack_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct file {
	const unsigned char *bytes;
	uint64_t size;
};

/* `count` items that lie at an aligned offset; NULL where the file does not hold them. */
static const void *items_at(const struct file *file, uint64_t offset, uint64_t count, uint64_t size)
{
	if (offset % sizeof(uint64_t) || offset > file->size || count > (file->size - offset) / size)
		return NULL;
	return file->bytes + offset;
}

static void add(struct stack_symbols *symbols, const Elf64_Sym *symbol, const char *names, uint64_t length)
{
	unsigned char type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || !symbol->st_name ||
	    symbol->st_name >= length || !memchr(names + symbol->st_name, '\0', length - symbol->st_name) ||
	    !names[symbol->st_name])
		return;
	*ARRAY_APPEND(symbols->symbols, symbols->count, symbols->capacity) =
		(struct stack_symbol){symbol->st_value, symbol->st_size, names + symbol->st_name};
}

static void read_section(struct stack_symbols *symbols, const struct file *file, const Elf64_Shdr *section,
			 const Elf64_Shdr *names)
{
	uint64_t count = section->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *items = items_at(file, section->sh_offset, count, sizeof *items);

	if (!items || names->sh_type != SHT_STRTAB || names->sh_offset > file->size ||
	    names->sh_size > file->size - names->sh_offset)
		return;
	for (uint64_t i = 0; i < count; i++)
		add(symbols, &items[i], (const char *)file->bytes + names->sh_offset, names->sh_size);
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Of several names of one function the plainest comes first, whatever their order in the file. */
static int compare(const void *left, const void *right)
{
	const struct stack_symbol *one = left, *other = right;
	size_t depth = underscores(one->name), other_depth = underscores(other->name);
	size_t length = strlen(one->name), other_length = strlen(other->name);

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	if (!one->size != !other->size)
		return one->size ? -1 : 1;
	if (depth != other_depth)
		return depth < other_depth ? -1 : 1;
	if (length != other_length)
		return length < other_length ? -1 : 1;
	return strcmp(one->name, other->name);
}

void stack_symbols_read(struct stack_symbols *symbols, const unsigned char *bytes, uint64_t size)
{
	const struct file file = {bytes, size};
	const Elf64_Ehdr *header = items_at(&file, 0, 1, sizeof *header);
	const Elf64_Shdr *sections =
		header ? items_at(&file, header->e_shoff, header->e_shnum, sizeof *sections) : NULL;

	if (!sections || header->e_shentsize != sizeof *sections)
		return;
	for (unsigned i = 0; i < header->e_shnum; i++)
		if ((sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM) &&
		    sections[i].sh_link < header->e_shnum)
			read_section(symbols, &file, &sections[i], &sections[sections[i].sh_link]);
	if (symbols->count)
		qsort(symbols->symbols, symbols->count, sizeof *symbols->symbols, compare);
}

void stack_symbols_finish(struct stack_symbols *symbols)
{
	free(symbols->symbols);
	*symbols = (struct stack_symbols){0};
}

const char *stack_symbols_find(const struct stack_symbols *symbols, uint64_t address, uint64_t *start)
{
	size_t low = 0, high = symbols->count;
	const struct stack_symbol *found;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	found = &symbols->symbols[low - 1];
	while (found > symbols->symbols && found[-1].start == found->start)
		found--;
	if (found->size && address - found->start >= found->size)
		return NULL;
	*start = found->start;
	return found->name;
}
