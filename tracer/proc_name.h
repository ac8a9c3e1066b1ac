/*
 * Names in /proc by hand: they are made at each stop, where printf(3) takes a quarter of what the tool does by itself.
 * Each fills `name` and returns it. A descriptor less than 0 gives a name that nothing has.
 */
#pragma once

#include <sys/types.h>

#define PROC_NAME_SIZE 64

const char *proc_name(char name[PROC_NAME_SIZE], pid_t id, const char *entry); /* "/proc/ID/ENTRY", 32 bytes of it */
const char *proc_name_fd(char name[PROC_NAME_SIZE], pid_t id, int fd);	       /* "/proc/ID/fd/FD" */
const char *proc_name_own_fd(char name[PROC_NAME_SIZE], int fd);	       /* "/proc/self/fd/FD" */
