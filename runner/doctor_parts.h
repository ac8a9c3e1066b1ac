/* What the parts of doctor share. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct doctor {
	FILE *out;
	int abi;
	bool failed; /* something that every start or session needs is not there, or a line of a profile may need */
};

/* One line: what it is about, and what there is to say. */
void doctor_say(const struct doctor *doctor, const char *what, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The first bytes of a file in /proc or /sys; NULL when it cannot be read. The caller frees. */
char *doctor_read(const char *path);

void doctor_supervisor(struct doctor *doctor);
void doctor_processes(struct doctor *doctor); /* /proc, and namespaces */
