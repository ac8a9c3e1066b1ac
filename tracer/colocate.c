#include "tracer/colocate.h"

#include <sched.h>

#include "base/cleanup.h"
#include "tracer/clock.h"
#include "tracer/lend.h"
#include "tracer/makers.h"
#include "tracer/processors.h"
#include "tracer/running.h"
#include "tracer/signals.h"

#define STREAK	     4	   /* stops of one task in a row, … */
#define STREAK_MAKER 8	   /* stops of what was moved, until its maker is looked at */
#define WINDOW	     1000  /* … within so many µs, are often */
#define TICK	     2	   /* ms in which a task that was moved has to stop, doubled while it does up to … */
#define TICK_LAST    16	   /* … this, which is also when makers are looked at again once it does not */
#define PAUSE_FIRST  1000  /* µs after a move that did not pay, or could not be made; doubled each time up to … */
#define PAUSE_LAST   32000 /* … this */
#define CHECK_COST   10	   /* µs to see whether a task runs, at most */
#define CHECK_SHARE  20	   /* one part in so many of the time goes into looking */

/* Nothing else runs beside a realtime task that does not wait, so its stops alone would be handled. */
static bool is_realtime(void)
{
	int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

	return policy == SCHED_FIFO || policy == SCHED_RR;
}

/* A ring could open /proc/PID/status unseen. Where every call stops, the stops that would tell are another loop's. */
static bool is_wanted(const struct trace_options *options)
{
	return options->colocate == TRACE_COLOCATE_AUTO && !options->allow_rings && !options->every_call;
}

void colocate_begin(struct session *session)
{
	session->colocation = (struct colocation){.pause = PAUSE_FIRST};
	session->colocation.on =
		is_wanted(session->options) && processors_are_all_ours() && processors_can_be_given() && !is_realtime();
}

/* Not worth it, this time: longer each time in a row. */
static void pause_moves(struct colocation *colocation, uint64_t now)
{
	colocation->retry_at = now + colocation->pause;
	colocation->pause = colocation->pause * 2 < PAUSE_LAST ? colocation->pause * 2 : PAUSE_LAST;
}

static void tick(struct colocation *colocation, unsigned period)
{
	if (colocation->period != period)
		signals_tick(TICK_COLOCATE, period);
	colocation->period = period;
}

/* The tool stays too: woken by the task, the kernel would put it on an idle processor. */
static bool stay(struct colocation *colocation)
{
	int processor = sched_getcpu();

	if (colocation->stays)
		return true;
	if (processor < 0 || processor >= CPU_SETSIZE || !processors_keep_to(0, processor))
		return false;
	colocation->used = colocation->stays = true;
	colocation->processor = processor;
	return true;
}

static void stay_no_longer(struct session *session)
{
	struct colocation *colocation = &session->colocation;

	if (!colocation->stays)
		return;
	makers_give_back(session);
	colocation->stays = false;
	colocation->quiet = colocation->bereaved = 0;
	processors_give(0);
	tick(colocation, 0);
}

/* It is there by now. */
static void take(struct colocation *colocation, struct task *task, uint64_t now)
{
	colocation->moved = task;
	colocation->moved_at = now;
	colocation->quiet = colocation->bereaved = 0;
	colocation->seen = colocation->taken_at = colocation->stops;
	tick(colocation, TICK);
	makers_drop(colocation, task);
}

static void move(struct session *session, struct task *task, uint64_t now)
{
	struct colocation *colocation = &session->colocation;

	if (!stay(colocation))
		return;
	take(colocation, task, now);
	if (!processors_keep_to(task->tid, colocation->processor)) {
		pause_moves(colocation, now);
		colocate_give_back(session);
	}
}

static void consider(struct session *session, struct task *task)
{
	struct colocation *colocation = &session->colocation;
	uint64_t now = clock_microseconds();

	if (colocation->streak == 1)
		colocation->since = now;
	if (colocation->streak < STREAK || now < colocation->retry_at)
		return;
	colocation->streak = 0;
	if (now - colocation->since > WINDOW)
		return;
	colocation->retry_at = now + task_count(&session->tasks) * CHECK_COST * CHECK_SHARE;
	if (running_beside(session, task))
		pause_moves(colocation, now);
	else
		move(session, task, now);
}

/* Another task runs after all. */
static void conflict(struct session *session)
{
	struct colocation *colocation = &session->colocation;
	uint64_t now = clock_microseconds();

	if (now - colocation->moved_at < WINDOW)
		pause_moves(colocation, now);
	else
		colocation->pause = PAUSE_FIRST;
	colocate_give_back(session);
}

/* Whether the place beside the tool is this task's at its next stop, since nothing else has stopped meanwhile. */
static bool is_next(const struct colocation *colocation, const struct task *task)
{
	return colocation->stays && !colocation->moved &&
	       (colocation->quiet == task->tid || colocation->bereaved == task->pid);
}

/* Where the kernel has brought it elsewhere meanwhile, somebody else computes here. */
static void resume_place(struct session *session, struct task *task)
{
	struct colocation *colocation = &session->colocation;

	if (colocation->quiet && running_processor(task) != colocation->processor)
		stay_no_longer(session);
	else
		move(session, task, clock_microseconds());
}

void colocate_stop(struct session *session, struct task *task)
{
	struct colocation *colocation = &session->colocation;

	if (!colocation->on)
		return;
	colocation->stops++;
	if (colocation->moved == task) {
		if (colocation->stops - colocation->taken_at == STREAK_MAKER)
			makers_keep(session, task);
		return;
	}
	if (is_next(colocation, task)) {
		resume_place(session, task);
		return;
	}
	if (colocation->moved)
		conflict(session);
	else
		stay_no_longer(session);
	if (colocation->last != task->tid)
		colocation->streak = 0;
	colocation->last = task->tid;
	colocation->streak++;
	consider(session, task);
}

void colocate_birth(struct session *session, struct task *task, const struct task *maker)
{
	const struct colocation *colocation = &session->colocation;

	if (!task->native && colocation->used && (colocation->on || lend_may_have_made(session, task, maker)))
		processors_give(task->tid);
	task->native = true;
}

/* Its maker mostly waits for it, and has all processors for what else it may do: so still one alone is moved. */
static void hand_on(struct session *session, struct task *maker, struct task *made)
{
	struct colocation *colocation = &session->colocation;
	bool inherits = (colocation->moved == maker || maker->waits) && !made->native;

	if (colocation->moved == maker)
		processors_give(maker->tid);
	if (inherits)
		take(colocation, made, clock_microseconds());
	else
		move(session, made, clock_microseconds());
	made->native = true;
	colocation->stops++;
}

void colocate_made(struct session *session, struct task *maker, struct task *made)
{
	struct colocation *colocation = &session->colocation;

	if (made)
		made->maker = maker->pid;
	if (made && made->pid != maker->pid && colocation->on &&
	    (colocation->moved == maker || is_next(colocation, maker))) {
		hand_on(session, maker, made);
		return;
	}
	colocate_give_back(session); /* two run now */
	if (made)
		colocate_birth(session, made, maker);
}

void colocate_child_ended(struct session *session, struct task *task)
{
	if (session->colocation.on && is_next(&session->colocation, task))
		resume_place(session, task);
}

void colocate_handled(struct session *session, pid_t tid)
{
	struct colocation *colocation = &session->colocation;
	struct task *task = colocation->lenders ? task_find(&session->tasks, tid) : NULL;

	if (task)
		lend_end(colocation, task);
}

void colocate_give_back(struct session *session)
{
	struct colocation *colocation = &session->colocation;
	struct task *task = steal_pointer(&colocation->moved);

	if (task)
		lend_give_back(colocation, task);
	stay_no_longer(session);
}

void colocate_end(struct session *session)
{
	colocate_give_back(session);
	session->colocation.on = false;
}

void colocate_forget(struct session *session, struct task *task)
{
	struct colocation *colocation = &session->colocation;

	if (task->waits || colocation->moved == task)
		processors_give(task->tid); /* who has not waited for it yet may ask a zombie too */
	makers_drop(colocation, task);
	lend_end(colocation, task);
	if (colocation->moved != task && !is_next(colocation, task))
		return;
	colocation->moved = NULL;
	colocation->quiet = 0;
	colocation->bereaved = task->tid == task->pid ? task->maker : 0;
	if (!colocation->bereaved)
		stay_no_longer(session);
}

/* The tool stays where it is: there the task, or who waits for its end, is expected next. */
static void rest(struct session *session)
{
	struct colocation *colocation = &session->colocation;
	struct task *task = steal_pointer(&colocation->moved);

	tick(colocation, colocation->makers ? TICK_LAST : 0);
	if (!task)
		return;
	colocation->quiet = task->tid;
	lend_give_back(colocation, task);
}

void colocate_look(struct session *session)
{
	struct colocation *colocation = &session->colocation;

	if (!signals_ticked(TICK_COLOCATE) || !colocation->period)
		return;
	makers_look(session);
	if (colocation->seen == colocation->stops)
		rest(session);
	else
		tick(colocation, colocation->period < TICK_LAST ? colocation->period * 2 : TICK_LAST);
	colocation->seen = colocation->stops;
}
