#include "profile/access.h"

#include <sys/stat.h>

rights_t access_make_right(enum object_type type)
{
	static const rights_t rights[] = {
		[OBJECT_NONE] = 0,
		[OBJECT_FILE] = RIGHT_MAKE_REG,
		[OBJECT_DIRECTORY] = RIGHT_MAKE_DIR,
		[OBJECT_SYMLINK] = RIGHT_MAKE_SYM,
		[OBJECT_FIFO] = RIGHT_MAKE_FIFO,
		[OBJECT_SOCKET] = RIGHT_MAKE_SOCK,
		[OBJECT_CHARACTER] = RIGHT_MAKE_CHAR,
		[OBJECT_BLOCK] = RIGHT_MAKE_BLOCK,
	};

	return rights[type];
}

rights_t access_remove_right(enum object_type type)
{
	return type == OBJECT_DIRECTORY ? RIGHT_REMOVE_DIR : RIGHT_REMOVE_FILE;
}

enum object_type object_type_of_mode(uint32_t st_mode)
{
	switch (st_mode & S_IFMT) {
	case S_IFREG:
		return OBJECT_FILE;
	case S_IFDIR:
		return OBJECT_DIRECTORY;
	case S_IFLNK:
		return OBJECT_SYMLINK;
	case S_IFIFO:
		return OBJECT_FIFO;
	case S_IFSOCK:
		return OBJECT_SOCKET;
	case S_IFCHR:
		return OBJECT_CHARACTER;
	case S_IFBLK:
		return OBJECT_BLOCK;
	default:
		return OBJECT_NONE;
	}
}
