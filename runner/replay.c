#include "runner/replay.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/message.h"
#include "runner/launch.h"

/* What comes back, unless the process was ended before. */
struct news {
	bool failed;
	struct captured captured[2];
};

/* What a terminal, or whoever ends the session, sends to all. */
static const int waiting_signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP};
#define SIGNALS ARRAY_LENGTH(waiting_signals)

/* What begins it. */
struct order {
	struct captured captured[2]; /* of the session */
	char profile[PATH_MAX];
};

/* False when there will be no replay. What is sent to the session meanwhile is not for us. */
static bool wait_for_order(int socket, struct order *order)
{
	struct sigaction before[SIGNALS];
	ssize_t got;

	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(waiting_signals[i], &(struct sigaction){.sa_handler = SIG_IGN}, &before[i]);
	while ((got = recv(socket, order, sizeof *order, 0)) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(waiting_signals[i], &before[i], NULL);
	return got == sizeof *order;
}

struct place {
	struct capture capture;
	int socket;
	bool output;
};

static void take_place(void *data)
{
	const struct place *place = data;

	if (place->output)
		capture_take_place(&place->capture);
}

static void tell(void *data, bool failed)
{
	struct place *place = data;
	struct news news = {.failed = failed};

	if (place->output)
		capture_end(&place->capture, news.captured);
	send(place->socket, &news, sizeof news, MSG_NOSIGNAL);
}

static void tell_end(void *data)
{
	tell(data, false);
}

static _Noreturn void be_replay(const struct start_options *given, int socket, bool output)
{
	struct place place = {.capture = CAPTURE_NONE, .socket = socket, .output = output};
	struct start_options options = *given;
	struct error err = {0};
	struct order order;
	int status = STATUS_FAILURE;

	if (!wait_for_order(socket, &order))
		_exit(0);
	options.profile = order.profile;
	options.redirect = take_place;
	options.ended = tell_end;
	options.data = &place;
	if (!output || capture_start(&place.capture, order.captured, &err) == 0)
		status = start_run(&options, &err);
	if (err.number) {
		message_error(&err);
		tell(&place, true);
	}
	error_finish(&err);
	exit(status);
}

int replay_prepare(struct replay *replay, const struct start_options *options, bool output, struct error *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_set_errno(err, errno, "the replay cannot be prepared");
	replay->output = output;
	replay->socket = ends[0];
	replay->process = fork();
	if (replay->process == 0) {
		close(ends[0]);
		be_replay(options, ends[1], output);
	}
	close(ends[1]);
	if (replay->process < 0) {
		replay->process = 0;
		return error_set_errno(err, errno, "no process can be made for the replay");
	}
	return output ? capture_start(&replay->capture, NULL, err) : 0;
}

void replay_take_place(const struct replay *replay)
{
	if (replay->output)
		capture_take_place(&replay->capture);
}

void replay_session_ended(struct replay *replay)
{
	if (replay->output)
		capture_end(&replay->capture, replay->captured);
}

/* It has stopped with its program: so do we, in the same job, and go on together. */
static void stop_with(pid_t process)
{
	raise(SIGSTOP);
	kill(process, SIGCONT);
}

/* What a process sent to us alone is for it; what the terminal sends it has got itself. */
static void pass_on(pid_t process, const siginfo_t *info)
{
	if (info->si_code <= 0)
		kill(process, info->si_signo);
}

static int wait_for(pid_t process)
{
	siginfo_t info;
	sigset_t set, before;
	int status = 0;
	pid_t ended = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < SIGNALS; i++)
		if (waiting_signals[i] != SIGTSTP)
			sigaddset(&set, waiting_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	while (ended != process || WIFSTOPPED(status)) {
		ended = waitpid(process, &status, WNOHANG | WUNTRACED);
		if (ended < 0)
			break;
		if (ended == process && WIFSTOPPED(status))
			stop_with(process);
		else if (ended == 0 && sigwaitinfo(&set, &info) > 0 && info.si_signo != SIGCHLD)
			pass_on(process, &info);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

int replay_run(struct replay *replay, const char *profile, struct replay_end *end, struct error *err)
{
	struct order order = {0};
	struct news news = {0};

	*end = (struct replay_end){.failed = true};
	if (strlen(profile) >= PATH_MAX)
		return error_set(err, ENAMETOOLONG, "the name of the profile is too long for a replay");
	memcpy(order.captured, replay->captured, sizeof order.captured);
	memcpy(order.profile, profile, strlen(profile) + 1);
	if (send(replay->socket, &order, sizeof order, MSG_NOSIGNAL) < 0)
		return error_set_errno(err, errno, "the process for the replay is gone");
	end->status = wait_for(replay->process);
	replay->process = 0;
	if (recv(replay->socket, &news, sizeof news, MSG_DONTWAIT) != sizeof news)
		return error_set(err, ECHILD, "the process for the replay was ended");
	end->failed = news.failed;
	memcpy(end->captured, news.captured, sizeof end->captured);
	return 0;
}

static char *describe(int status)
{
	const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;

	if (name)
		return format_text("SIG%s", name);
	return WIFSIGNALED(status) ? format_text("signal %d", WTERMSIG(status))
				   : format_text("status %d", WEXITSTATUS(status));
}

static bool is_same_end(int one, int other)
{
	return WIFSIGNALED(one) ? WIFSIGNALED(other) && WTERMSIG(one) == WTERMSIG(other)
				: WIFEXITED(other) && WEXITSTATUS(one) == WEXITSTATUS(other);
}

static bool is_same_output(const struct captured *one, const struct captured *other)
{
	return one->length == other->length && strcmp(one->hash, other->hash) == 0;
}

char *replay_difference(const struct replay *replay, int status, const struct replay_end *end)
{
	static const char *const names[] = {"standard output", "standard error"};

	if (end->failed)
		return duplicate("the replay could not be run");
	if (!is_same_end(status, end->status)) {
		scoped_free char *was = describe(status);
		scoped_free char *is = describe(end->status);

		return format_text("the replay ended with %s, not with %s", is, was);
	}
	for (int i = 0; replay->output && i < 2; i++) {
		const struct captured *one = &replay->captured[i], *other = &end->captured[i];

		if (!is_same_output(one, other))
			return format_text("the replay wrote other bytes to %s", names[i]);
	}
	return NULL;
}

void replay_finish(struct replay *replay)
{
	capture_finish(&replay->capture);
	if (replay->socket >= 0)
		close(replay->socket);
	if (replay->process > 0)
		waitpid(replay->process, NULL, 0);
	*replay = REPLAY_NONE;
}
