/* Where files lie whose path is longer than the kernel tells of a descriptor: as it was when they were opened. */
#pragma once

#include <sys/stat.h>

struct deep_names; /* NULL: none */

void deep_names_add(struct deep_names **names, dev_t device, ino_t inode, const char *path);

/* NULL unless that very file is still there. Stays theirs. */
const char *deep_names_find(struct deep_names *names, dev_t device, ino_t inode);
void deep_names_clear(struct deep_names **names);
