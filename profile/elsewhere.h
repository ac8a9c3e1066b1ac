/* What is asked of trace-profile, and is done by another command. */
#pragma once

/* How that one is called, for a person; NULL for none. */
const char *elsewhere_command(const char *name);
