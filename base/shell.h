/*
 * Commands that a message shows, so that they can be copied and pasted into bash, zsh or ksh: whatever bytes a name
 * has, it comes back as one word. What escape_display() would change is in there as $'…', so both can be applied.
 */
#pragma once

#include "base/buffer.h"

/* Quoted only where it must be; an empty word is ''. */
void shell_add_word(struct buffer *out, const char *word);
/* Always quoted. */
void shell_add_quoted(struct buffer *out, const char *word);
/* The name of a file, as a word that is never taken for an option: ./ goes before a dash. The caller frees. */
char *shell_file(const char *name);
