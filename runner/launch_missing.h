/* Why execve(2) does not find a file that is there. */
#pragma once

/*
 * What is missing of a program that is there, in words: "its interpreter /no/such is not there"; also of what stands
 * behind a script's interpreter, as far as the kernel follows. NULL when the file cannot be read, or nothing is
 * missing. The caller frees; not escaped.
 */
char *launch_missing(const char *name);
