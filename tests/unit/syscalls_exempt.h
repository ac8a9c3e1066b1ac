/*
 * The calls that need no row in the syscall table, each with the reason. Names of every architecture that libseccomp
 * knows something about; those that only newer kernels have carry their number in `later`.
 */
#pragma once

struct exempt {
	const char *reason;
	const char *names; /* parted by blanks */
};

static const struct exempt exempts[] = {
	{"works on a descriptor that is open",
	 "read write close fstat fstat64 oldfstat lseek _llseek pread64 pwrite64 readv writev preadv pwritev preadv2 "
	 "pwritev2 "
	 "sendfile sendfile64 splice tee vmsplice copy_file_range dup dup2 dup3 flock fsync fdatasync "
	 "syncfs "
	 "sync_file_range sync_file_range2 arm_sync_file_range fadvise64 fadvise64_64 arm_fadvise64_64 readahead "
	 "fallocate "
	 "getdents getdents64 readdir close_range quotactl_fd cachestat fstatfs fstatfs64"},
	{"works on a descriptor, and Landlock never asks for it",
	 "fchmod fchown fchown32 fchdir fsetxattr fgetxattr flistxattr fremovexattr"},
	{"makes a descriptor that no path leads to", "pipe pipe2 eventfd eventfd2 signalfd signalfd4 timerfd_create "
						     "timerfd_settime timerfd_gettime timerfd_gettime64 "
						     "timerfd_settime64 memfd_create memfd_secret "
						     "epoll_create epoll_create1 inotify_init inotify_init1 "
						     "inotify_rm_watch fanotify_init"},
	{"waits on descriptors",
	 "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_ctl epoll_ctl_old epoll_wait "
	 "epoll_wait_old epoll_pwait epoll_pwait2"},
	{"a socket without an address of somebody else's; what it goes to is asked for elsewhere",
	 "accept accept4 recv recvfrom send shutdown getsockname "
	 "getpeername getsockopt setsockopt"},
	{"memory of the caller's own",
	 "mmap mmap2 mprotect munmap brk mremap msync mincore madvise process_madvise mlock mlock2 munlock mlockall "
	 "munlockall remap_file_pages pkey_mprotect pkey_alloc pkey_free map_shadow_stack membarrier rseq mbind "
	 "set_mempolicy get_mempolicy set_mempolicy_home_node migrate_pages move_pages modify_ldt set_thread_area "
	 "get_thread_area arch_prctl set_tls get_tls cacheflush mseal rseq_slice_yield"},
	{"System V objects have keys, which Landlock does not know",
	 "ipc shmget shmat shmctl shmdt semget semop semctl semtimedop semtimedop_time64 msgget msgsnd msgrcv msgctl"},
	{"works on a message queue that is open (mq_open has a row)",
	 "mq_timedsend mq_timedsend_time64 mq_timedreceive mq_timedreceive_time64 mq_notify mq_getsetattr"},
	{"a message queue's name is no path, and taking it away is not asked for", "mq_unlink"},
	{"asynchronous reading and writing of open descriptors; unlike io_uring it opens nothing",
	 "io_setup io_destroy io_getevents io_submit io_cancel io_pgetevents io_pgetevents_time64"},
	{"signals of the caller's own",
	 "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigtimedwait_time64 rt_sigsuspend "
	 "sigaltstack pause alarm signal sigaction sigprocmask sigreturn sigpending sigsuspend sgetmask ssetmask "
	 "restart_syscall"},
	{"makes and ends tasks, which the loop follows by itself", "fork vfork exit exit_group wait4 waitpid waitid"},
	{"makes a descriptor of a process, through which signals are seen at pidfd_send_signal", "pidfd_open"},
	{"reaches into another process, which Landlock's domain allows or not as it does while learning",
	 "process_vm_readv process_vm_writev kcmp pidfd_getfd process_mrelease get_robust_list"},
	{"state of a process or of its threads",
	 "getpid gettid getppid getpgid getpgrp setpgid getsid setsid set_tid_address set_robust_list "
	 "personality umask nice getpriority setpriority ioprio_get ioprio_set getrlimit ugetrlimit setrlimit "
	 "prlimit64 getrusage times getcpu getcwd"},
	{"identities and capabilities",
	 "getuid getuid32 geteuid geteuid32 getgid getgid32 getegid getegid32 setuid setuid32 setgid setgid32 setreuid "
	 "setreuid32 setregid setregid32 setresuid setresuid32 setresgid setresgid32 getresuid getresuid32 getresgid "
	 "getresgid32 setfsuid setfsuid32 setfsgid setfsgid32 getgroups getgroups32 setgroups setgroups32 capget "
	 "capset"},
	{"scheduling", "sched_yield sched_setparam sched_getparam sched_getscheduler sched_get_priority_max "
		       "sched_get_priority_min sched_rr_get_interval sched_rr_get_interval_time64 "
		       "sched_getattr futex futex_time64 futex_waitv futex_wake futex_wait futex_requeue"},
	{"time",
	 "time stime gettimeofday settimeofday adjtimex clock_adjtime clock_adjtime64 clock_settime clock_settime64 "
	 "clock_gettime clock_gettime64 clock_getres clock_getres_time64 clock_nanosleep clock_nanosleep_time64 "
	 "nanosleep "
	 "getitimer setitimer timer_create timer_settime timer_settime64 timer_gettime timer_gettime64 "
	 "timer_getoverrun "
	 "timer_delete"},
	{"the system as a whole", "uname olduname oldolduname sysinfo syslog sync reboot sethostname setdomainname "
				  "vhangup iopl ioperm getrandom "
				  "sysfs ustat bdflush lookup_dcookie pciconfig_iobase pciconfig_read pciconfig_write"},
	{"modules and kernels come from memory or from open descriptors; they need privileges that no_new_privs cannot "
	 "give",
	 "init_module finit_module delete_module create_module query_module get_kernel_syms kexec_load "
	 "kexec_file_load"},
	{"prepares a mount; move_mount, which has a row, is what would put it somewhere", "fsopen"},
	{"a domain of the program's own, which can only take rights away",
	 "landlock_create_ruleset landlock_add_rule landlock_restrict_self"},
	{"asks the kernel about itself",
	 "statmount listmount listns lsm_get_self_attr lsm_set_self_attr lsm_list_modules"},
	{"virtual 8086 mode", "vm86 vm86old"},
	{"no Linux has it any more, or ever had it", "getpmsg putpmsg afs_syscall tuxcall security vserver nfsservctl "
						     "_sysctl break stty gtty ftime prof profil lock mpx "
						     "ulimit idle"},
	{"ARM's own: breakpoints and the like; a 32-bit user of cmpxchg", "breakpoint usr26 usr32"},
};

/* Calls that the kernel got after libseccomp 2.5.4 was made. The next one that it gets is to be looked at. */
static const struct {
	int number;
	const char *name;
} later_calls[] = {
	{452, "fchmodat2"},	    {453, "map_shadow_stack"}, {454, "futex_wake"},    {455, "futex_wait"},
	{456, "futex_requeue"},	    {457, "statmount"},	       {458, "listmount"},     {459, "lsm_get_self_attr"},
	{460, "lsm_set_self_attr"}, {461, "lsm_list_modules"}, {462, "mseal"},	       {463, "setxattrat"},
	{464, "getxattrat"},	    {465, "listxattrat"},      {466, "removexattrat"}, {467, "open_tree_attr"},
	{468, "file_getattr"},	    {469, "file_setattr"},     {470, "listns"},	       {471, "rseq_slice_yield"},
};
