#include "tracer/colocate.h"

#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "tracer/clock.h"
#include "tracer/proc_status.h"
#include "tracer/running.h"
#include "tracer/signals.h"

#define STREAK	    4	  /* stops of one task in a row, … */
#define STREAK_LAST 2	  /* … of the one that was moved last, when nothing spoke against it, … */
#define WINDOW	    1000  /* … within so many µs, are often */
#define PAUSE_FIRST 1000  /* µs after a move that did not pay, or could not be made; doubled each time up to … */
#define PAUSE_LAST  32000 /* … this */
#define CHECK_COST  10	  /* µs to see whether a task runs, at most */
#define CHECK_SHARE 20	  /* one part in so many of the time goes into looking */

static bool set_all(pid_t tid)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	return sched_setaffinity(tid, sizeof all, &all) == 0;
}

static bool set_one(pid_t tid, int processor)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	return sched_setaffinity(tid, sizeof one, &one) == 0;
}

/* The kernel's list of processors has to be there: without it, sysconf(3) tells of ours alone. */
static bool has_all_processors(void)
{
	cpu_set_t ours;

	return access("/sys/devices/system/cpu/online", R_OK) == 0 && sched_getaffinity(0, sizeof ours, &ours) == 0 &&
	       CPU_COUNT(&ours) > 1 && CPU_COUNT(&ours) >= sysconf(_SC_NPROCESSORS_ONLN);
}

static bool has(const char *set, int capability)
{
	int64_t held = proc_status(0, set, 16);

	return held >= 0 && (held >> capability & 1);
}

/* A task that changes its user can be given back by those alone who may do so to anybody's. */
static bool can_always_give_back(void)
{
	return has("CapEff", CAP_SYS_NICE) || !has("CapPrm", CAP_SETUID);
}

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
		is_wanted(session->options) && has_all_processors() && can_always_give_back() && !is_realtime();
}

/* Not worth it, this time: longer each time in a row. */
static void pause_moves(struct colocation *colocation, uint64_t now)
{
	colocation->retry_at = now + colocation->pause;
	colocation->pause = colocation->pause * 2 < PAUSE_LAST ? colocation->pause * 2 : PAUSE_LAST;
}

/* The tool stays too: woken by the task, the kernel would put it on an idle processor. */
static bool stay(struct colocation *colocation)
{
	int processor = sched_getcpu();

	if (colocation->stays)
		return true;
	if (processor < 0 || processor >= CPU_SETSIZE || !set_one(0, processor))
		return false;
	colocation->used = colocation->stays = true;
	colocation->processor = processor;
	signals_tick(TICK_COLOCATE, true);
	return true;
}

static void stay_no_longer(struct colocation *colocation)
{
	if (!colocation->stays)
		return;
	colocation->stays = false;
	colocation->bereaved = 0;
	set_all(0);
	signals_tick(TICK_COLOCATE, false);
}

/* It is there by now. */
static void take(struct colocation *colocation, struct task *task, uint64_t now)
{
	colocation->moved = task;
	colocation->moved_at = now;
	colocation->bereaved = 0;
	colocation->seen = colocation->stops;
}

static void move(struct session *session, struct task *task, uint64_t now)
{
	struct colocation *colocation = &session->colocation;

	if (!stay(colocation))
		return;
	take(colocation, task, now);
	if (!set_one(task->tid, colocation->processor)) {
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
	if (colocation->streak < (colocation->quiet == task->tid ? STREAK_LAST : STREAK) || now < colocation->retry_at)
		return;
	colocation->streak = 0;
	if (now - colocation->since > WINDOW)
		return;
	colocation->retry_at = now + task_count(&session->tasks) * CHECK_COST * CHECK_SHARE;
	colocation->quiet = 0;
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

void colocate_stop(struct session *session, struct task *task)
{
	struct colocation *colocation = &session->colocation;

	if (!colocation->on)
		return;
	colocation->stops++;
	if (colocation->moved == task)
		return;
	if (colocation->moved)
		conflict(session);
	else if (colocation->bereaved != task->pid)
		stay_no_longer(colocation);
	if (colocation->last != task->tid)
		colocation->streak = 0;
	colocation->last = task->tid;
	colocation->streak++;
	consider(session, task);
}

/* Whether it may have been born of the task that was moved, once others have processors of their own choice. */
static bool is_heir(const struct session *session, const struct task *task, const struct task *maker)
{
	const struct task *lender = task_find(&session->tasks, session->colocation.lender);
	cpu_set_t set;

	if (!lender || maker)
		return lender && lender == maker;
	if (task->pid != lender->pid && proc_status(task->tid, "PPid", 10) != lender->pid)
		return false;
	return sched_getaffinity(task->tid, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
	       CPU_ISSET(session->colocation.processor, &set);
}

void colocate_birth(struct session *session, struct task *task, const struct task *maker)
{
	const struct colocation *colocation = &session->colocation;

	if (!task->native && colocation->used && (colocation->on || is_heir(session, task, maker)))
		set_all(task->tid);
	task->native = true;
}

/* Its maker mostly waits for it, and has all processors for what else it may do: so still one alone is moved. */
static void hand_on(struct colocation *colocation, struct task *maker, struct task *made)
{
	set_all(maker->tid);
	made->native = true;
	take(colocation, made, clock_microseconds());
	colocation->stops++;
}

void colocate_made(struct session *session, struct task *maker, struct task *made)
{
	struct colocation *colocation = &session->colocation;

	if (made)
		made->maker = maker->pid;
	if (made && colocation->moved == maker && made->pid != maker->pid && !made->native) {
		hand_on(colocation, maker, made);
		return;
	}
	colocate_give_back(session); /* two run now */
	if (made)
		colocate_birth(session, made, maker);
}

void colocate_child_ended(struct session *session, struct task *task)
{
	const struct colocation *colocation = &session->colocation;
	uint64_t now;

	if (!colocation->on || colocation->moved || colocation->bereaved != task->pid)
		return;
	now = clock_microseconds();
	if (now >= colocation->retry_at)
		move(session, task, now);
}

void colocate_handled(struct session *session, pid_t tid)
{
	if (session->colocation.lender == tid)
		session->colocation.lender = 0;
}

void colocate_give_back(struct session *session)
{
	struct colocation *colocation = &session->colocation;
	const struct task *task = steal_pointer(&colocation->moved);

	if (task) {
		colocation->lender = task->tid;
		set_all(task->tid);
	}
	stay_no_longer(colocation);
}

void colocate_end(struct session *session)
{
	colocate_give_back(session);
	session->colocation.on = false;
}

void colocate_forget(struct session *session, const struct task *task)
{
	struct colocation *colocation = &session->colocation;

	if (colocation->moved != task)
		return;
	colocation->moved = NULL;
	set_all(task->tid); /* who has not waited for it yet may ask a zombie too */
	colocation->bereaved = task->tid == task->pid ? task->maker : 0;
	if (!colocation->bereaved)
		stay_no_longer(colocation);
}

void colocate_look(struct session *session)
{
	struct colocation *colocation = &session->colocation;

	if (!colocation->stays || !signals_ticked(TICK_COLOCATE))
		return;
	if (colocation->seen == colocation->stops) {
		colocation->quiet = colocation->moved ? colocation->moved->tid : 0;
		colocate_give_back(session);
	}
	colocation->seen = colocation->stops;
}
