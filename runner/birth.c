#include "runner/birth.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runner/launch.h"
#include "runner/supervisor_socket.h"

static void be_program(void *data, pid_t parent)
{
	const struct birth *birth = data;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* killing its parent is killing the program */
	if (getppid() != parent)
		_exit(STATUS_FAILURE);
	sigaction(SIGCHLD, &birth->on_child, NULL);
	sigprocmask(SIG_SETMASK, &birth->mask, NULL);
	_exit(birth->start(birth->data));
}

/* The supervisor's news come with SIGIO, so that they are waited for like everything else. */
static int make_news(int ends[2], struct error *err)
{
	if (supervisor_socket(ends, err) < 0)
		return -err->number;
	if (fcntl(ends[0], F_SETSIG, SIGIO) < 0 || fcntl(ends[0], F_SETOWN, getpid()) < 0 ||
	    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
		return error_set_errno(err, errno, "the supervisor cannot be heard");
	return 0;
}

/* What came before there is a program does to us what it does to a program that starts; it would not get it later. */
static void let_signals_act(const struct birth *birth)
{
	sigset_t all;

	sigprocmask(SIG_SETMASK, &birth->mask, &all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

int birth_give(struct birth *birth, struct supervisor *supervisor, pid_t *child, int *news, struct error *err)
{
	int ends[2] = {-1, -1};
	pid_t self = getpid();

	if (supervisor && make_news(ends, err) < 0)
		return -err->number;
	let_signals_act(birth);
	*child = fork();
	if (*child == 0 && supervisor) {
		close(ends[0]);
		supervisor_be(supervisor, ends[1], be_program, birth);
	}
	if (*child == 0)
		be_program(birth, self);
	if (*child < 0)
		return error_set_errno(err, errno, "no process can be made for the program");
	*news = ends[0];
	return 0;
}
