/* Job control: a program under trace-learn is for its shell and its terminal what it is without. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/live/job.h"

#define READ_AND_EXIT "echo ready; read x; exit $x"

TestSuite(jobs, .timeout = 60);

static int after_continue(const struct job *job)
{
	int status = job_change(job);

	return status == CONTINUED ? job_change(job) : status;
}

Test(jobs, stopped_from_the_terminal)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", READ_AND_EXIT));
	job_expect(&job, "ready");
	job_type(&job, "\032");
	cr_expect_eq(job_change(&job), STOPPED_BY(SIGTSTP));
	expect_state(job.pid, "T");
	job_foreground(&job);
	job_type(&job, "5\n");
	cr_expect_eq(after_continue(&job), EXITED(5));
}

Test(jobs, stopped_and_continued_often)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", READ_AND_EXIT));
	job_expect(&job, "ready");
	for (int i = 0; i < 20; i++) {
		job_type(&job, "\032");
		cr_assert_eq(job_change(&job), STOPPED_BY(SIGTSTP), "round %d", i);
		job_foreground(&job);
		cr_assert_eq(job_change(&job), CONTINUED, "round %d", i);
	}
	job_type(&job, "6\n");
	cr_expect_eq(job_change(&job), EXITED(6));
}

Test(jobs, a_handled_stop_does_not_stop)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND(fixture("handles_stop")));
	job_expect(&job, "ready");
	job_type(&job, "\032");
	job_expect(&job, "T");
	cr_expect(job_is_quiet(&job, 300));
	kill(job.pid, SIGCONT); /* to trace-learn alone: passed on */
	job_expect(&job, "C");
	cr_expect_eq(job_change(&job), EXITED(5));
}

Test(jobs, reading_in_the_background)
{
	struct job job;

	job_start(&job, JOB_BACKGROUND, COMMAND("sh", "-c", "read x; exit $x"));
	cr_expect_eq(job_change(&job), STOPPED_BY(SIGTTIN));
	job_foreground(&job);
	job_type(&job, "4\n");
	cr_expect_eq(after_continue(&job), EXITED(4));
}

static void stops_by(const char *script, int signal)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", script));
	cr_expect_eq(job_change(&job), STOPPED_BY(signal));
	kill(job.pid, SIGCONT); /* to trace-learn alone: the program is continued too */
	cr_expect_eq(after_continue(&job), EXITED(3));
}

Test(jobs, a_program_that_stops_itself)
{
	stops_by("kill -TSTP $$; exit 3", SIGTSTP);
}

Test(jobs, a_program_that_stops_its_group)
{
	stops_by("kill -TTOU 0; exit 3", SIGTTOU);
}

Test(jobs, a_program_that_stops_itself_for_good)
{
	stops_by("kill -STOP $$; exit 3", SIGSTOP);
}

/*
 * As a script starts it there is no shell to see the stop, and the child's file accesses need the tracer awake. It does
 * not stop at once, so it is continued until it has gone on.
 */
Test(jobs, a_child_continues_its_parent)
{
	struct job job;

	job_start(&job, JOB_CHILD,
		  COMMAND("sh", "-c",
			  "(while sleep 0.2; do kill -CONT $$; done) & kill -STOP $$; kill $!; wait; exit 3"));
	cr_expect_eq(job_change(&job), EXITED(3));
}

Test(jobs, ended_while_stopped)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", "echo ready; exec sleep 1000"));
	job_expect(&job, "ready");
	job_type(&job, "\032");
	cr_expect_eq(job_change(&job), STOPPED_BY(SIGTSTP));
	kill(-job.pid, SIGTERM); /* as the `kill %1` of a shell */
	kill(-job.pid, SIGCONT);
	cr_expect_eq(after_continue(&job), KILLED_BY(SIGTERM));
}

/* Had the tool died of the key itself, there would be no profile. */
static void ends_by(const char *key, int signal)
{
	struct job job;

	unlink("job.ini");
	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", "ulimit -c 0; echo ready; exec sleep 1000"));
	job_expect(&job, "ready");
	job_type(&job, key);
	cr_expect_eq(job_change(&job) & ~WCOREFLAG, KILLED_BY(signal)); /* our own core is not the program's matter */
	cr_expect_eq(access("job.ini", F_OK), 0, "the profile is lost");
}

Test(jobs, interrupted)
{
	ends_by("\003", SIGINT);
}

Test(jobs, quit)
{
	ends_by("\034", SIGQUIT);
}

/* It gives the terminal to each of its jobs, and a stop of one is for it alone. */
Test(jobs, a_shell_with_jobs_of_its_own)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND,
		  COMMAND("sh", "-mc", "sh -c '" READ_AND_EXIT "'; echo stopped $?; fg; echo got $?; exit 6"));
	job_expect(&job, "ready");
	job_type(&job, "\032");
	job_expect(&job, "stopped 148");
	job_type(&job, "5\n");
	job_expect(&job, "got 5");
	cr_expect_eq(job_change(&job), EXITED(6));
}

/* In the middle of vforks and first stops, where the parent may be gone before its child was heard of. */
Test(jobs, interrupted_while_it_starts_programs)
{
	for (unsigned i = 0; i < 20; i++) {
		struct job job;
		int status;

		job_start(&job, JOB_FOREGROUND, COMMAND(fixture("spawn_storm"), "1000"));
		usleep(50000 + i * 5000);
		job_type(&job, "\003");
		status = job_change(&job);
		cr_assert_eq(status, KILLED_BY(SIGINT), "round %u: %#x", i, (unsigned)status);
		for (int waited = 0; job_is_alive(&job); waited += 10) {
			cr_assert_lt(waited, 10000, "round %u: a task is left", i);
			usleep(10000);
		}
	}
}

/* The terminal means the program; the tool goes on as long as that does. */
Test(jobs, a_handled_interrupt_does_not_end)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND, COMMAND(fixture("tells_signals"), "4", "2", "3"));
	job_expect(&job, "ready");
	for (int i = 0; i < 3; i++) {
		job_type(&job, i == 1 ? "\034" : "\003");
		job_expect(&job, i == 1 ? "3 128 0" : "2 128 0");
	}
	cr_expect(job_is_quiet(&job, 6000));
	job_type(&job, "\003");
	cr_expect_eq(job_change(&job), EXITED(3));
}

Test(jobs, the_terminal_hangs_up)
{
	struct job job;
	pid_t program;

	job_start(&job, JOB_FOREGROUND, COMMAND("sh", "-c", "echo ready; exec sleep 1000"));
	job_expect(&job, "ready");
	program = job_program(&job);
	signal(SIGHUP, SIG_IGN);
	close(job.terminal);
	kill(-job.pid, SIGHUP); /* a shell does so to its jobs */
	kill(-job.pid, SIGCONT);
	cr_expect_eq(after_continue(&job), KILLED_BY(SIGHUP));
	expect_state(program, "XZ");
}

/* Its natural end, ^C or a second wish: what the program left behind does not hold up the terminal. */
Test(jobs, interrupted_after_the_end)
{
	struct job job;

	job_start(&job, JOB_FOREGROUND,
		  COMMAND("sh", "-c",
			  "(trap '' INT; while kill -0 $$; do sleep 0.05; done 2>/dev/null; echo ready; exec sleep "
			  "1000) & exit 2"));
	job_expect(&job, "ready");
	cr_expect(job_is_quiet(&job, 500));
	job_type(&job, "\003");
	cr_expect_eq(job_change(&job), EXITED(2));
}
