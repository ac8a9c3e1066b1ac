/*
 * The tool's own signals during a session. What is caught is kept in a ring for the loop; stops of the terminal
 * never stop the tool by themselves, and no output of its own can (SIGTTOU) or end it (SIGPIPE, SIGXFSZ).
 *
 * Why no wake-up is lost. The loop blocks in wait4(2), which cannot unblock signals for its own duration, so a signal
 * may come between the loop's look at the ring and the wait. Therefore the handler also sets a timer that goes on
 * interrupting the wait until the loop has looked: what falls into the gap is late by one tick, never lost. Deadlines
 * use the same timer, for the same reason.
 *
 * One session at a time: a handler knows no other place than the file's own variables.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Before the child is made: blocks everything, so nothing sent to us is lost, and remembers mask and dispositions. */
void signals_hold(void);
/* In the child: gives the mask back. Dispositions were not changed yet. */
void signals_release_child(void);
/* In the parent, after the child was made: catches and unblocks. */
int signals_begin(struct error *err);
/*
 * Gives the dispositions back. The signals that would end us stay blocked, so that what was learned can be written;
 * SIGQUIT ends us.
 */
void signals_end(void);

/* Whether there is something to look at: a signal in the ring, or a deadline that has passed. Clears the question. */
bool signals_woken(void);
/* Whether there is, or some tick has come. Clears nothing. */
bool signals_pending(void);
/* The deadline has changed: the next signals_woken() says yes. */
void signals_wake(void);
/* Takes the oldest signal from the ring. */
bool signals_next(siginfo_t *info);
/* Whether this one came as well, and was not taken yet. */
bool signals_has(int signal);
/*
 * When to be woken (clock_now()), 0 for never. This takes the timer from a signal that came meanwhile, so ask
 * signals_woken() once more before waiting.
 */
void signals_wake_at(uint64_t deadline);

/* What interrupts the wait again and again, until it is told not to. */
enum tick { TICK_COLOCATE, TICK_KEPT, TICKS };
/* period: ms, below 1000; 0 ends it. */
void signals_tick(enum tick tick, unsigned period);
/* Whether one has come. Clears the question. */
bool signals_ticked(enum tick tick);

/* Whether it was ignored or blocked when the tool was started: it was not meant to end the tool. */
bool signals_was_quiet(int signal);

/* From now on a SIGCONT that is sent to us prevents the next signals_stop_self(). */
void signals_forget_continue(void);
/*
 * Stops the tool as this signal does by default; returns after SIGCONT, at once if that came already, and at `until`
 * (clock_now(), 0 for never) at the latest.
 */
void signals_stop_self(int signal, uint64_t until);
