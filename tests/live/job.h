/*
 * For tests of job control: this process as a shell with job control on a terminal of its own, and trace-learn as its
 * job. Everything waits with a limit; a test that waits in vain fails there.
 */
#pragma once

#include <criterion/criterion.h>
#include <stdbool.h>
#include <sys/types.h>

enum job_place {
	JOB_FOREGROUND, /* of the terminal, in a process group of its own */
	JOB_BACKGROUND,
	JOB_CHILD, /* in our own group, as a script starts it */
};

struct job {
	pid_t pid;
	int terminal; /* our side of it */
	char shown[8192];
	size_t length;
	size_t read_up_to; /* what job_expect() found ends here */
};

/* Runs the command (ending in NULL) under trace-learn. */
void job_start(struct job *job, enum job_place place, const char *const command[]);
#define COMMAND(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A program of fixtures/. The name is valid until the next call. */
const char *fixture(const char *name);

void job_type(const struct job *job, const char *text); /* "\3" is ^C */
void job_expect(struct job *job, const char *text);	/* until the terminal has shown it */
void job_forget(struct job *job);			/* what was shown up to now */

/* Its next change: stopped, continued or ended, as a wait status. */
int job_change(const struct job *job);
bool job_is_quiet(const struct job *job, unsigned milliseconds); /* no change in that time */
unsigned milliseconds_now(void);				 /* of a clock that is never set */
void job_foreground(const struct job *job);			 /* as `fg` */

/* Whether something of its process group runs or is stopped. What has ended may wait for init to see it. */
bool job_is_alive(const struct job *job);

/* The process that trace-learn started. */
pid_t job_program(const struct job *job);

/* The state of a process as /proc tells it, 'X' when it is gone. */
char state_of(pid_t pid);
void expect_state(pid_t pid, const char *states);

#define STOPPED_BY(signal) ((signal) << 8 | 0x7f)
#define EXITED(status)	   ((status) << 8)
#define KILLED_BY(signal)  (signal)
#define CONTINUED	   0xffff
