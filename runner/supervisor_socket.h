/* Sockets between trace-run, the supervisor and the program's process. */
#pragma once

#include "base/error.h"

/* A pair of SOCK_SEQPACKET, close on exec, none of which is a standard stream, should one of those be closed. */
int supervisor_socket(int ends[2], struct error *err);

/* 0, or -errno. */
int send_descriptor(int end, int fd);

/* The descriptor that the other end sent (close on exec); -1 when it has ended instead. */
int receive_descriptor(int end);
