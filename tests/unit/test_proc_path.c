/* Names in /proc, without process ids. */
#include <criterion/criterion.h>

#include "base/cleanup.h"
#include "profile/proc_path.h"

#define PID 1234

static void expect_name(const char *path, const char *mount, const char *want, bool want_widened)
{
	scoped_free char *own = NULL;
	bool widened = false;

	cr_expect_eq(proc_path_owner(path, mount, PID, &own, &widened), PROC_OWN, "%s", path);
	cr_expect_str_eq(own ? own : "none", want, "%s: %s", path, own);
	cr_expect_eq(widened, want_widened, "%s", path);
}

static void expect_owner(const char *path, enum proc_owner want)
{
	scoped_free char *own = NULL;
	bool widened = false;

	cr_expect_eq(proc_path_owner(path, "/proc", PID, &own, &widened), want, "%s", path);
	cr_expect_null(own, "%s", path);
	cr_expect(!widened, "%s", path);
}

Test(proc_path, own_entries)
{
	expect_name("/proc/1234", "/proc", "/proc/self", false);
	expect_name("/proc/1234/maps", "/proc", "/proc/self/maps", false);
	expect_name("/proc/1234/net", "/proc", "/proc/self/net", false);
	expect_name("/proc/1234/netx/tcp", "/proc", "/proc/self/netx/tcp", false);
	expect_name("/proc/1234/attr/current", "/proc", "/proc/self/attr/current", false);
	expect_name("/proc/1234/fd", "/proc", "/proc/self/fd", false);
	expect_name("/proc/1234/taskstats", "/proc", "/proc/self/taskstats", false);
}

Test(proc_path, entries_that_do_not_last)
{
	expect_name("/proc/1234/task", "/proc", "/proc/self/task", false);
	expect_name("/proc/1234/task/77", "/proc", "/proc/self/task", true);
	expect_name("/proc/1234/fdinfo/3", "/proc", "/proc/self/fdinfo", true);
	expect_name("/proc/1234/map_files/7f00-7f01", "/proc", "/proc/self/map_files", true);
	expect_name("/proc/1234/net/tcp", "/proc", "/proc/self/net", true);
	expect_name("/proc/1234/net/stat/arp_cache", "/proc", "/proc/self/net", true);
}

Test(proc_path, what_a_thread_has_is_its_process_s)
{
	expect_name("/proc/1234/task/1234/status", "/proc", "/proc/self/status", false);
	expect_name("/proc/1234/task/77/maps", "/proc", "/proc/self/maps", false);
	expect_name("/proc/1234/task/77/attr/current", "/proc", "/proc/self/attr/current", false);
	expect_name("/proc/1234/task/77/fdinfo/3", "/proc", "/proc/self/fdinfo", true);
	expect_name("/proc/1234/task/77/net/tcp", "/proc", "/proc/self/net", true);
	expect_name("/srv/proc/1234/task/77/fd", "/srv/proc", "/srv/proc/self/fd", false);
	expect_name("/proc/1234/task/77/children", "/proc", "/proc/self/task", true);
	expect_name("/proc/1234/task/77/", "/proc", "/proc/self/task", true);
	expect_name("/proc/1234/task/x/maps", "/proc", "/proc/self/task", true);
	expect_name("/proc/1234/tasks/77/maps", "/proc", "/proc/self/tasks/77/maps", false);
}

Test(proc_path, common_entries)
{
	expect_owner("/proc", PROC_COMMON);
	expect_owner("/proc/meminfo", PROC_COMMON);
	expect_owner("/proc/sys/kernel/pid_max", PROC_COMMON);
	expect_owner("/proc/1234x/maps", PROC_COMMON);
	expect_owner("/proc/99999999999/maps", PROC_COMMON);
	expect_owner("/process/1234/maps", PROC_COMMON);
	expect_owner("/home/1234", PROC_COMMON);
}

Test(proc_path, foreign_entries)
{
	expect_owner("/proc/1", PROC_FOREIGN);
	expect_owner("/proc/123/maps", PROC_FOREIGN);
	expect_owner("/proc/12345/maps", PROC_FOREIGN);
}

Test(proc_path, other_mounts)
{
	expect_name("/srv/root/proc/1234/maps", "/srv/root/proc", "/srv/root/proc/self/maps", false);
	expect_name("/1234/maps", "/", "/self/maps", false);
}

Test(proc_path, ids)
{
	cr_expect_eq(proc_path_id("/proc/17/maps", "/proc"), 17);
	cr_expect_eq(proc_path_id("/proc/17", "/proc"), 17);
	cr_expect_eq(proc_path_id("/17/maps", "/"), 17);
	cr_expect_eq(proc_path_id("/proc/17x/maps", "/proc"), 0);
	cr_expect_eq(proc_path_id("/proc/meminfo", "/proc"), 0);
	cr_expect_eq(proc_path_id("/proc", "/proc"), 0);
	cr_expect_eq(proc_path_id("/other/17", "/proc"), 0);
}
