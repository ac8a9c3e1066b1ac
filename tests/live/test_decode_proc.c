/* What opening in /proc says, in every spelling. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/live/calls.h"

TestSuite(decode_proc, .init = make_tree, .fini = remove_fresh_directory, .timeout = 60);

static void open_of(pid_t pid, const char *entry)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/%s", (int)pid, entry);
	opens(name, O_RDONLY);
}

#define MAPS "use type=file path=/proc/self/maps rights=read_file asked=yes call=openat\n"

CALLS(decode_proc, proc_self, opens("/proc/self/maps", O_RDONLY); open_of(getpid(), "maps");
      opens("/proc/../proc/self/../self/maps", O_RDONLY), MAPS MAPS MAPS)
CALLS(decode_proc, proc_links, opens("/proc/mounts", O_RDONLY); ignore(symlink("/proc/self/mounts", "mtab"));
      opens("mtab", O_RDONLY); opens("/proc/net/dev", O_RDONLY),
			       "use type=file path=/proc/self/mounts rights=read_file asked=yes call=openat\n"
			       "create type=symlink path=$D/mtab asked=yes call=symlink\n"
			       "use type=file path=/proc/self/mounts rights=read_file asked=yes call=openat\n"
			       "use type=directory path=/proc/self/net rights=read_file asked=yes call=openat\n")
CALLS(decode_proc, proc_common, opens("/proc/meminfo", O_RDONLY);
      opens("/proc/self/../sys/kernel/pid_max", O_RDONLY),
      "use type=file path=/proc/meminfo rights=read_file asked=yes call=openat\n"
      "use type=file path=/proc/sys/kernel/pid_max rights=read_file asked=yes call=openat\n")
CALLS(decode_proc, proc_magic, opens("/proc/self/cwd/f", O_RDONLY); opens("/proc/self/root/dev/null", O_RDONLY);
      opens("/proc/self/cwd/n", O_WRONLY | O_CREAT); opens("/proc/self/cwd/no", O_RDONLY);
      mkdir("/proc/self/cwd/m", 0700),
      "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
      "use type=character path=/dev/null rights=ioctl_dev,read_file asked=yes call=openat\n"
      "create type=file path=$D/n rights=write_file asked=yes call=openat\n"
      "missing path=$D/no rights=read_file error=ENOENT call=openat\n"
      "create type=directory path=$D/m asked=yes call=mkdir\n")
CALLS(decode_proc, proc_missing, opens("/proc/self/no", O_RDONLY);
      opens("/proc/no", O_RDONLY), "missing path=/proc/self/no rights=read_file error=ENOENT call=openat\n"
				   "missing path=/proc/no rights=read_file error=ENOENT call=openat\n")

CALLS(decode_proc, refused_by_the_file, opens("/proc/self/maps", O_RDONLY | O_DIRECT),
      "use type=file path=/proc/self/maps rights=read_file asked=yes error=EINVAL call=openat\n")

static void open_below_proc(void)
{
	int directory = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);

	shut(openat(directory, "maps", O_RDONLY));
	shut(openat(directory, "cwd/f", O_RDONLY));
	shut(openat(directory, "cwd/no", O_RDONLY));
	close(directory);
}

CALLS(decode_proc, proc_relative, open_below_proc(),
      MAPS "use type=file path=$D/f rights=read_file asked=yes call=openat\n"
	   "missing path=$D/no rights=read_file error=ENOENT call=openat\n")

static void open_of_threads(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%d/maps", (int)getpid());
	opens(path, O_RDONLY);
	opens("/proc/thread-self/fdinfo/0", O_RDONLY);
	opens("/proc/thread-self/children", O_RDONLY);
	opens("/proc/self/task", O_RDONLY);
}

/* What threads have is named as their process's; all of them only where it is of threads alone. */
#define TASK "use type=directory path=/proc/self/task rights="

CALLS(decode_proc, proc_threads, open_of_threads(),
      MAPS "use type=directory path=/proc/self/fdinfo rights=read_file asked=yes call=openat\n" TASK
	   "read_file asked=yes call=openat\n" TASK "read_dir asked=yes call=openat\n")

static int foreign_calls(void)
{
	open_of(getppid(), "stat");
	open_of(getppid(), "cmdline"); /* said once */
	open_of(getppid(), "no");
	return 0;
}

/* Another process's entries are no access; digits of its id appear nowhere. */
Test(decode_proc, proc_foreign)
{
	struct recording recording;

	record(&recording, foreign_calls, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.accesses), "");
	cr_expect_str_eq(buffer_text(&recording.incomplete), "entries of other processes in /proc were used\n");
	recording_finish(&recording);
}

/* Threads are found under their ids, and are the process's own. */
static pthread_barrier_t meeting;
static pid_t other_thread;

static void *be_there(void *unused)
{
	other_thread = gettid();
	pthread_barrier_wait(&meeting);
	pthread_barrier_wait(&meeting);
	return unused;
}

static void *open_as_thread(void *unused)
{
	open_of(gettid(), "maps");
	open_of(other_thread, "maps");
	open_of(getpid(), "maps");
	return unused;
}

static int by_threads(void)
{
	pthread_t there, opening;

	pthread_barrier_init(&meeting, NULL, 2);
	pthread_create(&there, NULL, be_there, NULL);
	pthread_barrier_wait(&meeting);
	open_of(other_thread, "maps");
	pthread_create(&opening, NULL, open_as_thread, NULL);
	pthread_join(opening, NULL);
	pthread_barrier_wait(&meeting);
	return pthread_join(there, NULL);
}

Test(decode_proc, threads)
{
	struct recording recording;

	record(&recording, by_threads, TRACE_CALLS_ENFORCED);
	cr_expect_str_eq(buffer_text(&recording.accesses), MAPS MAPS MAPS MAPS, "\n%s",
			 buffer_text(&recording.accesses));
	cr_expect_str_eq(buffer_text(&recording.incomplete), "");
	recording_finish(&recording);
}
