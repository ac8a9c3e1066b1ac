#include "tracer/signals.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "base/continue_timer.h"
#include "tracer/clock.h"

#define RING_SIZE   256
#define RING_KEPT   64 /* for others than real-time signals: of each there is one at most */
#define TICK	    10 /* ms */
#define NANOSECONDS 1000000L

static struct {
	sigset_t mask;
	struct sigaction actions[_NSIG];
	timer_t timer, tickers[TICKS];
	bool has_timer;
	size_t ticker_count;
	siginfo_t ring[RING_SIZE];
	atomic_uint ring_head; /* next to be taken */
	atomic_uint ring_tail; /* next to be filled */
	atomic_bool woken;
	atomic_bool ticked[TICKS];
	atomic_bool continued;
	bool is_full;
} own;

enum treatment { LEAVE, CATCH, IGNORE, DEFAULT };

/* What we do with each signal while the session lasts. */
static enum treatment treatment_of(int signal)
{
	switch (signal) {
	case SIGKILL:
	case SIGSTOP:
	case SIGSEGV: /* a fault of ours ends us, and PTRACE_O_EXITKILL the session */
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
	case SIGABRT:
	case SIGPROF:
		return LEAVE;
	case SIGTTIN:
	case SIGTTOU:
	case SIGPIPE:
	case SIGXFSZ:
		return IGNORE;
	case SIGCHLD: /* ignored, it would hide the ends of children from wait4(2) */
		return DEFAULT;
	default:
		return signal > SIGSYS && signal < SIGRTMIN ? LEAVE : CATCH;
	}
}

static void tick_until_looked(void)
{
	static const struct itimerspec soon = {{0, TICK * NANOSECONDS}, {0, 1}};

	timer_settime(own.timer, 0, &soon, NULL);
}

/*
 * Of most signals the kernel keeps one until it is taken, and so do we. Real-time signals are queued, as many as come:
 * what there is no room for waits in the kernel until we have looked.
 */
static void keep(const siginfo_t *info, ucontext_t *context)
{
	unsigned tail = atomic_load(&own.ring_tail);

	if (info->si_signo < SIGRTMIN && signals_has(info->si_signo))
		return;
	own.ring[tail % RING_SIZE] = *info;
	atomic_store(&own.ring_tail, ++tail);
	if (tail - atomic_load(&own.ring_head) < RING_SIZE - RING_KEPT)
		return;
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		sigaddset(&context->uc_sigmask, signal);
	own.is_full = true;
}

/* Those that wait come at once. */
static void let_come(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		sigaddset(&set, signal);
	own.is_full = false;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Runs with all signals blocked, so nothing interrupts it. */
static void handle(int signal, siginfo_t *info, void *context)
{
	int saved = errno;

	if (signal == SIGALRM && info->si_code == SI_TIMER && info->si_value.sival_int) {
		atomic_store(&own.ticked[info->si_value.sival_int - 1], true);
		errno = saved;
		return;
	}
	atomic_store(&own.woken, true);
	if (signal == SIGALRM && info->si_code == SI_TIMER)
		return;
	if (signal == SIGCONT)
		atomic_store(&own.continued, true);
	if (signal == SIGCONT && info->si_code == SI_TIMER) /* ours, for nobody else */
		return;
	keep(info, context);
	tick_until_looked();
	errno = saved;
}

void signals_hold(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &own.mask);
	for (int signal = 1; signal < _NSIG; signal++)
		if (sigaction(signal, NULL, &own.actions[signal]) < 0)
			own.actions[signal] = (struct sigaction){0};
}

void signals_release_child(void)
{
	sigprocmask(SIG_SETMASK, &own.mask, NULL);
}

static int make_timer(struct error *err)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

	if (timer_create(CLOCK_MONOTONIC, &event, &own.timer) < 0)
		return error_set_errno(err, errno, "cannot make a timer");
	own.has_timer = true;
	while (own.ticker_count < TICKS) {
		event.sigev_value.sival_int = (int)own.ticker_count + 1;
		if (timer_create(CLOCK_MONOTONIC, &event, &own.tickers[own.ticker_count]) < 0)
			return error_set_errno(err, errno, "cannot make a timer");
		own.ticker_count++;
	}
	return 0;
}

static void set_actions(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = handle};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction standard = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}; /* a task's stop is a child's */

	sigfillset(&action.sa_mask);
	for (int signal = 1; signal <= SIGRTMAX; signal++) {
		enum treatment treatment = treatment_of(signal);

		if (treatment == CATCH)
			sigaction(signal, &action, NULL);
		else if (treatment == IGNORE)
			sigaction(signal, &ignore, NULL);
		else if (treatment == DEFAULT)
			sigaction(signal, &standard, NULL);
	}
}

int signals_begin(struct error *err)
{
	sigset_t none;
	int result = make_timer(err);

	if (result < 0)
		return result;
	atomic_store(&own.ring_head, 0);
	atomic_store(&own.ring_tail, 0);
	atomic_store(&own.woken, false);
	atomic_store(&own.continued, false);
	own.is_full = false;
	set_actions();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return 0;
}

void signals_end(void)
{
	sigset_t kept = own.mask;

	for (int signal = 1; signal <= SIGRTMAX; signal++)
		if (treatment_of(signal) == CATCH && signal != SIGQUIT && signal != SIGTSTP && signal != SIGCONT)
			sigaddset(&kept, signal);
	sigprocmask(SIG_SETMASK, &kept, NULL);
	if (own.has_timer)
		timer_delete(own.timer);
	own.has_timer = false;
	while (own.ticker_count)
		timer_delete(own.tickers[--own.ticker_count]);
	for (int signal = 1; signal <= SIGRTMAX; signal++)
		if (treatment_of(signal) != LEAVE)
			sigaction(signal, &own.actions[signal], NULL);
}

bool signals_woken(void)
{
	return atomic_load(&own.woken) && atomic_exchange(&own.woken, false);
}

bool signals_pending(void)
{
	bool pending = atomic_load(&own.woken);

	for (size_t tick = 0; tick < TICKS; tick++)
		pending |= atomic_load(&own.ticked[tick]);
	return pending;
}

void signals_wake(void)
{
	atomic_store(&own.woken, true);
}

bool signals_next(siginfo_t *info)
{
	unsigned head = atomic_load(&own.ring_head);

	if (head == atomic_load(&own.ring_tail) && own.is_full)
		let_come();
	if (head == atomic_load(&own.ring_tail))
		return false;
	*info = own.ring[head % RING_SIZE];
	atomic_store(&own.ring_head, head + 1);
	return true;
}

bool signals_has(int signal)
{
	for (unsigned at = atomic_load(&own.ring_head); at != atomic_load(&own.ring_tail); at++)
		if (own.ring[at % RING_SIZE].si_signo == signal)
			return true;
	return false;
}

void signals_wake_at(uint64_t deadline)
{
	uint64_t now = clock_now();
	uint64_t wait = deadline > now ? deadline - now : 1;
	struct itimerspec when = {{0, TICK * NANOSECONDS}, {(time_t)(wait / 1000), (long)(wait % 1000) * NANOSECONDS}};
	static const struct itimerspec never;

	timer_settime(own.timer, 0, deadline ? &when : &never, NULL);
}

void signals_tick(enum tick tick, unsigned period)
{
	struct timespec length = {0, (long)period * NANOSECONDS};
	struct itimerspec when = {length, length};

	timer_settime(own.tickers[tick], 0, &when, NULL);
}

bool signals_ticked(enum tick tick)
{
	return atomic_load(&own.ticked[tick]) && atomic_exchange(&own.ticked[tick], false);
}

bool signals_was_quiet(int signal)
{
	return own.actions[signal].sa_handler == SIG_IGN || sigismember(&own.mask, signal) == 1;
}

void signals_forget_continue(void)
{
	atomic_store(&own.continued, false);
}

/*
 * The signal is sent while it is blocked. A SIGCONT from before is then known by its handler, and one from now on
 * takes the pending stop back (signal(7)); so none is slept through.
 */
static void stop(int signal)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction saved;
	sigset_t set;

	if (signal == SIGSTOP) { /* cannot be blocked; a continue that comes in between is lost */
		if (!atomic_load(&own.continued))
			raise(SIGSTOP);
		return;
	}
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(signal, &standard, &saved);
	raise(signal);
	if (atomic_load(&own.continued))
		sigaction(signal, &ignore, NULL); /* takes the pending one back */
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigaction(signal, &saved, NULL);
}

void signals_stop_self(int signal, uint64_t until)
{
	const struct timespec when = {(time_t)(until / 1000), (long)(until % 1000) * NANOSECONDS};
	struct continue_timer timer;

	continue_timer_begin(&timer, until ? &when : NULL);
	stop(signal);
	continue_timer_end(&timer);
}
