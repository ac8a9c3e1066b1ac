/* The facts of a profile as its lines say them: what stands behind "key = ", on one line of any length; then the lines.
 */
#pragma once

#include "profile/profile.h"

/* Each appends the value of one line. */
void line_grant(struct buffer *out, const struct grant *grant);	    /* read_file /etc/hosts */
void line_move(struct buffer *out, const struct move *move);	    /* /home/me/a /home/me/b */
void line_port(struct buffer *out, const struct port_grant *grant); /* connect_tcp 443 */
void line_environment(struct buffer *out, const struct environment_line *line);
void line_word(struct buffer *out, const struct word *word);
/* The text as the origin spells it, else escaped. */
void line_text(struct buffer *out, const char *text, const struct origin *origin);

const char *environment_action_name(enum environment_action action); /* "keep", … */

/* "key = value" and a newline, going on in indented lines so that none is longer than what inih takes. */
void line_write(struct buffer *out, const char *key, const char *value);
