#include "tracer/stack_unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tracer/stack_image.h"
#include "tracer/stack_maps.h"

#if defined __x86_64__

#include <libunwind.h>
#include <sys/user.h>

_Static_assert(sizeof(struct user_regs_struct) == sizeof(elf_gregset_t), "two names for the same registers");

/* As the library's own finders of tables use it; no header declares it. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t address, unw_dyn_info_t *table,
					      unw_proc_info_t *info, int need_unwind_info, void *data);

#define NAME_MOST 1024		     /* bytes of a function's name */
#define TABLE	  0xffff900000000000 /* an address that no program has */

struct stack_unwinder {
	unw_addr_space_t space;
	struct stack_images *images;
};

/* What the library gets back with each question. */
struct unwinding {
	struct stack_unwinder *unwinder;
	const struct stack_moment *moment;
	struct stack_maps maps;		   /* the moment's: the library asks for each word by itself */
	struct user_regs_struct registers; /* where it begins */
	struct stack_table table;	   /* that was asked for last: the library reads it at TABLE */
};

/* *map: NULL for none */
static struct stack_image *image_at(const struct unwinding *unwinding, uint64_t address, const struct stack_map **map)
{
	*map = stack_maps_find(&unwinding->maps, address);
	return *map ? stack_image_of(unwinding->unwinder->images, *map) : NULL;
}

static int find_proc_info(unw_addr_space_t space, unw_word_t address, unw_proc_info_t *info, int need_unwind_info,
			  void *data)
{
	const struct stack_map *map;
	struct unwinding *unwinding = data;
	struct stack_image *image = image_at(unwinding, address, &map);
	uint64_t own;
	unw_dyn_info_t found = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};

	if (!image || !stack_image_address(image, map->offset + (address - map->start), &own) ||
	    !stack_image_table(image, &unwinding->table))
		return -UNW_ENOINFO;
	found.start_ip = map->start;
	found.end_ip = map->end;
	found.u.rti.segbase = unwinding->table.base + (address - own);
	found.u.rti.table_data = TABLE;
	found.u.rti.table_len = unwinding->table.size / sizeof(unw_word_t);
	return UNW_OBJ(dwarf_search_unwind_table)(space, address, &found, info, need_unwind_info, data);
}

/* What it holds was allocated by the library, of a pool of its own. */
static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info, void *data)
{
	(void)space;
	(void)info;
	(void)data;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the library's type */
static int no_dynamic_list(unw_addr_space_t space, unw_word_t *list, void *data)
{
	(void)space;
	(void)list;
	(void)data;
	return -UNW_ENOINFO;
}

/* `size` bytes at `offset` of as many as there are. */
static const void *within(const void *bytes, uint64_t length, uint64_t offset, uint64_t size)
{
	return offset <= length && size <= length - offset ? (const char *)bytes + offset : NULL;
}

/* The stack from what was taken of it; what only files have, from the files. */
static int access_memory(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int is_write, void *data)
{
	const struct unwinding *unwinding = data;
	const struct stack_moment *moment = unwinding->moment;
	const void *bytes = NULL;
	const struct stack_image *image;
	const struct stack_map *map;

	(void)space;
	if (is_write)
		return -UNW_EINVAL;
	if (address >= TABLE)
		bytes = within(unwinding->table.entries, unwinding->table.size, address - TABLE, sizeof *value);
	else if (address >= moment->start && address - moment->start < moment->length)
		bytes = within(moment->bytes, moment->length, address - moment->start, sizeof *value);
	else if ((image = image_at(unwinding, address, &map)) && !map->writable)
		bytes = stack_image_bytes(image, map->offset + (address - map->start), sizeof *value);
	if (!bytes)
		return -UNW_EINVAL;
	memcpy(value, bytes, sizeof *value);
	return 0;
}

static unsigned long long *find_register(struct user_regs_struct *registers, unw_regnum_t number)
{
	switch (number) {
	case UNW_X86_64_RAX:
		return &registers->rax;
	case UNW_X86_64_RDX:
		return &registers->rdx;
	case UNW_X86_64_RCX:
		return &registers->rcx;
	case UNW_X86_64_RBX:
		return &registers->rbx;
	case UNW_X86_64_RSI:
		return &registers->rsi;
	case UNW_X86_64_RDI:
		return &registers->rdi;
	case UNW_X86_64_RBP:
		return &registers->rbp;
	case UNW_X86_64_RSP:
		return &registers->rsp;
	case UNW_X86_64_R8:
		return &registers->r8;
	case UNW_X86_64_R9:
		return &registers->r9;
	case UNW_X86_64_R10:
		return &registers->r10;
	case UNW_X86_64_R11:
		return &registers->r11;
	case UNW_X86_64_R12:
		return &registers->r12;
	case UNW_X86_64_R13:
		return &registers->r13;
	case UNW_X86_64_R14:
		return &registers->r14;
	case UNW_X86_64_R15:
		return &registers->r15;
	case UNW_X86_64_RIP:
		return &registers->rip;
	default:
		return NULL;
	}
}

static int access_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int is_write, void *data)
{
	struct unwinding *unwinding = data;
	const unsigned long long *found = find_register(&unwinding->registers, number);

	(void)space;
	if (is_write || !found)
		return -UNW_EBADREG;
	*value = *found;
	return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the library's type */
static int no_float_register(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int is_write, void *data)
{
	(void)space;
	(void)number;
	(void)value;
	(void)is_write;
	(void)data;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *data)
{
	(void)space;
	(void)cursor;
	(void)data;
	return -UNW_EINVAL;
}

struct stack_unwinder *stack_unwinder_create(void)
{
	static unw_accessors_t accessors = {find_proc_info,  put_unwind_info,	no_dynamic_list, access_memory,
					    access_register, no_float_register, no_resume,	 NULL};
	struct stack_unwinder *unwinder = allocate(sizeof *unwinder);

	unwinder->space = unw_create_addr_space(&accessors, 0);
	if (!unwinder->space)
		out_of_memory();
	unw_set_caching_policy(unwinder->space, UNW_CACHE_NONE); /* the next stack is another process's */
	unwinder->images = stack_images_create();
	return unwinder;
}

/* A return address may be the first of the next function: what called is before it. */
static void describe(const struct unwinding *unwinding, uint64_t address, bool is_return, struct stack_frame *frame)
{
	const struct stack_map *map;
	struct stack_image *image = image_at(unwinding, address - is_return, &map);
	uint64_t own, start;
	const char *name;

	*frame = (struct stack_frame){.offset = address};
	if (!map)
		return;
	frame->offset = map->offset + (address - map->start);
	if (map->inode && map->length)
		frame->module = duplicate_bytes(map->name, map->length);
	if (!image || !stack_image_address(image, frame->offset - is_return, &own))
		return;
	name = stack_image_function(image, own, &start);
	if (!name)
		return;
	frame->function = duplicate_bytes(name, strnlen(name, NAME_MOST));
	frame->offset = own + is_return - start;
}

/*
 * Code without unwind information (made in memory, or written by hand) is left by its frame pointer: the library would
 * guess. It begins anew there, with the other registers as they are.
 */
static bool follow_frame_pointer(struct unwinding *unwinding, unw_cursor_t *cursor)
{
	const struct stack_moment *moment = unwinding->moment;
	struct user_regs_struct *registers = &unwinding->registers;
	unw_word_t pointer, top, value;
	const unw_word_t *frame;

	if (unw_get_reg(cursor, UNW_X86_64_RBP, &pointer) < 0 || unw_get_reg(cursor, UNW_REG_SP, &top) < 0 ||
	    pointer < top || pointer % sizeof *frame || pointer < moment->start)
		return false;
	frame = within(moment->bytes, moment->length, pointer - moment->start, 2 * sizeof *frame);
	if (!frame)
		return false;
	for (unw_regnum_t number = UNW_X86_64_RAX; number <= UNW_X86_64_R15; number++)
		if (unw_get_reg(cursor, number, &value) == 0)
			*find_register(registers, number) = value;
	registers->rbp = frame[0];
	registers->rip = frame[1];
	registers->rsp = pointer + 2 * sizeof *frame;
	return unw_init_remote(cursor, unwinding->unwinder->space, unwinding) == 0;
}

/* address: in the function. */
static bool step(struct unwinding *unwinding, unw_cursor_t *cursor, uint64_t address)
{
	unw_proc_info_t info;

	if (unw_is_signal_frame(cursor) <= 0 &&
	    find_proc_info(unwinding->unwinder->space, address, &info, 0, unwinding) < 0)
		return follow_frame_pointer(unwinding, cursor);
	return unw_step(cursor) > 0;
}

static void unwind(struct unwinding *unwinding, unsigned depth, struct stack *stack)
{
	bool is_return = false;
	unw_cursor_t cursor;
	unw_word_t address;

	if (unw_init_remote(&cursor, unwinding->unwinder->space, unwinding) < 0)
		return;
	do {
		if (unw_get_reg(&cursor, UNW_REG_IP, &address) < 0 || !address)
			return;
		if (stack->count == depth) {
			stack->cut = true;
			return;
		}
		describe(unwinding, address, is_return, &stack->frames[stack->count++]);
		address -= is_return;
		is_return = unw_is_signal_frame(&cursor) <= 0;
	} while (step(unwinding, &cursor, address));
}

void stack_unwind(struct stack_unwinder *unwinder, const struct stack_moment *moment, unsigned depth,
		  struct stack *stack)
{
	struct unwinding unwinding = {.unwinder = unwinder, .moment = moment};

	memcpy(&unwinding.registers, &moment->registers, sizeof unwinding.registers);
	stack_maps_read(&unwinding.maps, moment->maps);
	stack->frames = allocate_array(depth + 1, sizeof *stack->frames);
	unwind(&unwinding, depth, stack);
	stack_maps_finish(&unwinding.maps);
}

#else

struct stack_unwinder {
	char nothing;
};

struct stack_unwinder *stack_unwinder_create(void)
{
	return allocate(sizeof(struct stack_unwinder));
}

void stack_unwind(struct stack_unwinder *unwinder, const struct stack_moment *moment, unsigned depth,
		  struct stack *stack)
{
	(void)unwinder;
	(void)moment;
	(void)depth;
	stack->missing = duplicate("stacks of this architecture are not read");
}

#endif
