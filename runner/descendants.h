/* All processes that came of one process, found through /proc. */
#pragma once

#include <sys/types.h>

/* Sends the signal to each process beneath pid, children first found first; returns how many there were. */
size_t descendants_signal(pid_t pid, int signal);
