/* Cores that processes dump when they die: core(5). */
#pragma once

#include <stdbool.h>

/*
 * Whether a process that ended with this wait status wrote its core to a file. The kernel opens that as the process,
 * and asks Landlock; a program that cores are piped to runs outside of any domain.
 */
bool core_dumped_to_file(int status);
