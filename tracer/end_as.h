/* Ending as the program ended: with its status, or by its signal. */
#pragma once

/*
 * `status` is a wait status. Returns the exit status; dies of the signal when it was one, without a core (the program
 * has left its own). Signals may be blocked, as trace_session() leaves them.
 */
int end_as(int status);

int end_by_signal(int signal);
