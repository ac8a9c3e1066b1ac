/* Signals that are sent to trace-learn, to the program, and by it: who gets them, and what they say. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/job.h"

TestSuite(signals, .timeout = 60);

/* The line that tells_signals says of a signal sent by us. */
static const char *line_of(int signal, int code)
{
	static char line[64];

	snprintf(line, sizeof line, "%d %d %d", signal, code, (int)getpid());
	return line;
}

static void start_teller(struct job *job, const char *count)
{
	/* HUP, USR1, ALRM, TERM, WINCH, and a real-time signal */
	job_start(job, JOB_CHILD, COMMAND(fixture("tells_signals"), count, "1", "10", "14", "15", "28", "40"));
	job_expect(job, "ready");
}

Test(signals, sent_to_the_tool_reaches_the_program_as_it_was_sent)
{
	static const int sent[] = {SIGHUP, SIGUSR1, SIGALRM, SIGWINCH, 40};
	struct job job;

	start_teller(&job, "5");
	for (int i = 0; i < 5; i++) {
		kill(job.pid, sent[i]);
		job_expect(&job, line_of(sent[i], SI_USER));
	}
	cr_expect_eq(job_change(&job), EXITED(3));
}

Test(signals, queued_ones_too)
{
	struct job job;

	start_teller(&job, "3");
	for (int i = 0; i < 3; i++)
		sigqueue(job.pid, 40, (union sigval){.sival_int = i});
	for (int i = 0; i < 3; i++)
		job_expect(&job, line_of(40, SI_QUEUE));
	cr_expect_eq(job_change(&job), EXITED(3));
}

/* More than anybody has room for; and what is taken so is never delivered, so it has to be sent as it was. */
Test(signals, hundreds_that_are_queued_and_taken_by_sigwaitinfo)
{
	struct job job;

	job_start(&job, JOB_CHILD, COMMAND(fixture("tells_signals"), "take", "600", "40"));
	job_expect(&job, "ready");
	for (int i = 0; i < 600; i++)
		cr_assert_eq(sigqueue(job.pid, 40, (union sigval){.sival_int = i}), 0);
	job_expect(&job, "600");
	cr_expect_eq(job_change(&job), EXITED(3));
}

/* Each one comes when the tool is just about to wait again: none may be slept through. */
Test(signals, many_in_a_row)
{
	struct job job;

	start_teller(&job, "1000");
	for (int i = 0; i < 1000; i++) {
		job_forget(&job);
		kill(job.pid, SIGUSR1);
		job_expect(&job, line_of(SIGUSR1, SI_USER));
	}
	cr_expect_eq(job_change(&job), EXITED(3));
}

Test(signals, sent_to_the_program_directly)
{
	struct job job;

	start_teller(&job, "1");
	kill(job_program(&job), SIGUSR1);
	job_expect(&job, line_of(SIGUSR1, SI_USER));
	cr_expect_eq(job_change(&job), EXITED(3));
}

/* The program would get one. With a real-time signal nothing is joined by chance. */
Test(signals, sent_to_the_group_comes_once)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND(fixture("tells_signals"), "3", "10", "40", "15"));
	job_expect(&job, "ready");
	for (int i = 0; i < 2; i++) {
		kill(-job.pid, 40);
		job_expect(&job, line_of(40, SI_USER));
		usleep(200000);
	}
	kill(-job.pid, SIGTERM);
	job_expect(&job, line_of(SIGTERM, SI_USER));
	cr_expect_eq(job_change(&job), EXITED(3));
}

static void goes_on_after_a_signal_to_the_group(const char *how)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND(fixture("tells_signals"), how, "15", "10"));
	job_expect(&job, "ready");
	kill(-job.pid, SIGTERM);
	job_expect(&job, line_of(SIGTERM, SI_USER));
	cr_expect(job_is_quiet(&job, 6000));
	kill(job.pid, SIGUSR1);
	cr_expect_eq(job_change(&job), EXITED(3));
}

/* Only what is sent to the tool alone asks it to end: this program goes on as long as it likes. */
Test(signals, sent_to_the_group_does_not_end)
{
	goes_on_after_a_signal_to_the_group("2");
}

/* However long it holds the signal up: the tool's copy is known by then. */
Test(signals, sent_to_the_group_and_heard_late)
{
	goes_on_after_a_signal_to_the_group("-2");
}

Test(signals, sent_to_the_group_and_heard_late_comes_once)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND(fixture("tells_signals"), "-4", "40", "10"));
	job_expect(&job, "ready");
	for (int i = 0; i < 3; i++)
		kill(-job.pid, 40);
	for (int i = 0; i < 3; i++)
		job_expect(&job, line_of(40, SI_USER));
	usleep(200000);
	kill(job.pid, SIGUSR1);
	job_expect(&job, line_of(SIGUSR1, SI_USER));
	cr_expect_eq(job_change(&job), EXITED(3));
}

Test(signals, a_program_that_ends_well_after_TERM)
{
	struct job job;

	job_start(&job, JOB_CHILD, COMMAND("sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done"));
	job_expect(&job, "ready");
	kill(job.pid, SIGTERM);
	cr_expect_eq(job_change(&job), EXITED(9));
}

static void start_stubborn(struct job *job)
{
	job_start(job, JOB_CHILD, COMMAND("sh", "-c", "trap '' INT TERM; echo ready; while :; do sleep 0.1; done"));
	job_expect(job, "ready");
}

Test(signals, a_second_TERM_kills)
{
	struct job job;
	pid_t program;

	start_stubborn(&job);
	program = job_program(&job);
	kill(job.pid, SIGTERM);
	cr_expect(job_is_quiet(&job, 500));
	kill(job.pid, SIGTERM);
	cr_expect_eq(job_change(&job), KILLED_BY(SIGTERM));
	expect_state(program, "XZ");
	cr_expect_eq(access("job.ini", F_OK), 0, "the profile is lost");
}

Test(signals, five_seconds_after_INT_kill)
{
	struct job job;
	unsigned asked;

	start_stubborn(&job);
	asked = milliseconds_now();
	kill(job.pid, SIGINT);
	cr_expect_eq(job_change(&job), KILLED_BY(SIGINT));
	cr_expect_gt(milliseconds_now() - asked, 4500u);
}

/* Ignored when the tool was started, as under nohup(1) or in the background of a script: nobody wants an end. */
Test(signals, ignored_from_the_start)
{
	struct job job;

	signal(SIGINT, SIG_IGN);
	job_start(&job, JOB_CHILD, COMMAND("sh", "-c", "echo ready; sleep 6; exit 8"));
	job_expect(&job, "ready");
	kill(job.pid, SIGINT);
	cr_expect_eq(job_change(&job), EXITED(8));
}

static volatile sig_atomic_t told;

static void count_told(int signal)
{
	(void)signal;
	told++;
}

/* What is for the group does not end the tool, and what is for the program's parent comes to ours. */
Test(signals, the_program_signals_its_group_and_parent)
{
	struct job job;

	signal(SIGUSR1, count_told);
	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", "trap '' TERM; kill -TERM 0; kill -USR1 $PPID; exit 4"));
	cr_expect_eq(job_change(&job), EXITED(4));
	cr_expect_eq(told, 1);
}

/* alarm(2) before the exec of trace-learn is meant for the program: it ends that, not us. */
Test(signals, an_alarm_from_before)
{
	static const struct itimerval soon = {.it_value = {.tv_sec = 3}}; /* no sooner than it has begun */
	pid_t starter = fork();
	int status;

	if (starter == 0) {
		setitimer(ITIMER_REAL, &soon, NULL);
		execlp("sh", "sh", "-c", "exec \"$TL_BUILD/trace-learn\" -q -f -o alarm.ini -- sleep 1000",
		       (char *)NULL);
	}
	cr_assert_eq(waitpid(starter, &status, 0), starter);
	cr_expect_eq(status, KILLED_BY(SIGALRM));
	cr_expect_eq(access("alarm.ini", F_OK), 0);
}

Test(signals, killed_without_a_chance)
{
	struct job job;
	pid_t program;

	job_start(&job, JOB_CHILD, COMMAND("sh", "-c", "echo ready; sleep 1000 | cat"));
	job_expect(&job, "ready");
	program = job_program(&job);
	kill(job.pid, SIGKILL);
	cr_expect_eq(job_change(&job), KILLED_BY(SIGKILL));
	expect_state(program, "XZ");
}

Test(signals, the_program_dies_of_its_own)
{
	struct job job;

	job_start(&job, JOB_CHILD, COMMAND("sh", "-c", "ulimit -c 0; kill -SEGV $$"));
	cr_expect_eq(job_change(&job), KILLED_BY(SIGSEGV));
}
