/*
 * Names that calls of two tasks make, replace, move or remove at once (decode_met.c): which of them the kernel served
 * first is not known from the order in which they are heard of. The stops are told here; the calls are real.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/live/stage.h"

TestSuite(decode_meets, .init = stage_set_up, .fini = stage_tear_down, .timeout = 60);

static void enters_open(struct task *task, const char *path, int flags)
{
	ENTERS(task, SYS_openat, (uint64_t)AT_FDCWD, (uintptr_t)path, (uint64_t)flags, 0600);
}

#define OPENS "type=file path=$D/new"

/* Two that found nothing: one makes the file, the other one truncates it, and is heard of first. */
Test(decode_meets, file_made_by_another)
{
	static const char path[] = "new";
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

	stage_start_client();
	enters_open(stage.server, path, flags);
	enters_open(stage.client, path, flags);
	stage_leaves(stage.client, open(path, flags, 0600));
	stage_leaves(stage.server, open(path, flags, 0600));
	stage_expect("create " OPENS " rights=write_file again=truncate asked=yes call=openat\n"
		     "use " OPENS " rights=truncate,write_file absent=make_reg asked=yes call=openat\n");
}

/* One after the other, each makes its own, also where the inode is used again. */
Test(decode_meets, file_made_again)
{
	static const char path[] = "new";
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

	stage_start_client();
	for (int i = 0; i < 2; i++) {
		enters_open(i ? stage.server : stage.client, path, flags);
		stage_leaves(i ? stage.server : stage.client, open(path, flags, 0600));
		cr_assert_eq(unlink(path), 0);
	}
	stage_expect("create " OPENS " rights=write_file again=truncate asked=yes call=openat\n"
		     "create " OPENS " rights=write_file again=truncate asked=yes call=openat\n");
}

/* Directories a and b, with a/f and b/f, and names that nobody has yet. */
static char first[] = "a/f", second[] = "b/f", made[] = "t";

static void furnish(void)
{
	cr_assert_eq(mkdir("a", 0700) | mkdir("b", 0700), 0);
	cr_assert_eq(close(open(first, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	cr_assert_eq(close(open(second, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	stage_start_client();
}

#define ENTERS_NAMES(task, number, path, path2) ENTERS(task, number, (uintptr_t)(path), (uintptr_t)(path2))
#define RENAMED(from)				"rename type=file path=$D/" from " path2=$D/t"

/* Both found nothing: one has replaced what the other one brought, whichever is heard of first. */
static void rename_both(bool in_order)
{
	furnish();
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	ENTERS_NAMES(stage.client, SYS_rename, second, made);
	cr_assert_eq(rename(first, made) | rename(second, made), 0);
	stage_leaves(in_order ? stage.server : stage.client, 0);
	stage_leaves(in_order ? stage.client : stage.server, 0);
}

Test(decode_meets, renamed_onto_one_name)
{
	rename_both(true);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" RENAMED("b/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_meets, renamed_onto_one_name_and_heard_later)
{
	rename_both(false);
	stage_expect(RENAMED("b/f") " asked=yes call=rename\n" RENAMED("a/f") " replaced=file asked=yes call=rename\n");
}

/* One after the other, with nobody who came between. */
Test(decode_meets, renamed_one_after_the_other)
{
	furnish();
	for (int i = 0; i < 2; i++) {
		ENTERS_NAMES(i ? stage.server : stage.client, SYS_rename, i ? second : first, made);
		cr_assert_eq(rename(i ? second : first, made), 0);
		stage_leaves(i ? stage.server : stage.client, 0);
		cr_assert_eq(unlink(made), 0);
	}
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" RENAMED("b/f") " asked=yes call=rename\n");
}

#define REMOVED "remove type=file path=$D/t asked=yes call=rename\n"

/* What is made first is replaced by a rename of another file, which is heard of first or last. */
static void replace_by(int number, const void *path, const void *path2, uint64_t flags, const char *another,
		       bool in_order)
{
	long result;

	furnish();
	ENTERS(stage.client, number, (uintptr_t)path, path2 ? (uintptr_t)path2 : flags, flags ? 0600 : 0);
	ENTERS_NAMES(stage.server, SYS_rename, another, made);
	result = syscall(number, path, path2 ? (uintptr_t)path2 : flags, flags ? 0600 : 0);
	cr_assert_geq(result, 0);
	cr_assert_eq(rename(another, made), 0);
	stage_leaves(in_order ? stage.client : stage.server, in_order ? result : 0);
	stage_leaves(in_order ? stage.server : stage.client, in_order ? 0 : result);
}

static void replace(int number, const void *path, const void *path2, uint64_t flags, bool in_order)
{
	replace_by(number, path, path2, flags, first, in_order);
}

Test(decode_meets, linked_and_replaced)
{
	replace(SYS_link, second, made, 0, true);
	stage_expect("link type=file path=$D/b/f path2=$D/t asked=yes call=link\n" RENAMED(
		"a/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_meets, linked_and_replaced_before)
{
	replace(SYS_link, second, made, 0, false);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" REMOVED
				    "link type=file path=$D/b/f path2=$D/t asked=yes call=link\n");
}

/* Of one file: nothing is moved then, but its removal was asked for. */
Test(decode_meets, linked_and_renamed_alike)
{
	replace_by(SYS_link, second, made, 0, second, true);
	stage_expect("link type=file path=$D/b/f path2=$D/t asked=yes call=link\n" RENAMED(
		"b/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_meets, linked_and_renamed_alike_before)
{
	replace_by(SYS_link, second, made, 0, second, false);
	stage_expect(RENAMED("b/f") " asked=yes call=rename\n" REMOVED
				    "link type=file path=$D/b/f path2=$D/t asked=yes call=link\n");
}

Test(decode_meets, node_made_and_replaced_before)
{
	replace(SYS_mknod, made, NULL, S_IFIFO | 0600, false);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n"
				    "create type=fifo path=$D/t asked=yes call=mknod\n" REMOVED);
}

Test(decode_meets, node_made_and_replaced)
{
	replace(SYS_mknod, made, NULL, S_IFIFO | 0600, true);
	stage_expect("create type=fifo path=$D/t asked=yes call=mknod\n" RENAMED(
		"a/f") " replaced=fifo asked=yes call=rename\n");
}

/* A socket's name; the stage leaves out that it was made. */
static void bind_and_replace(bool in_order)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "t"};
	int bound = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	furnish();
	ENTERS(stage.client, SYS_bind, (uint64_t)bound, (uintptr_t)&at, sizeof at);
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	cr_assert_eq(bind(bound, (struct sockaddr *)&at, sizeof at) | rename(first, made), 0);
	stage_leaves(in_order ? stage.client : stage.server, 0);
	stage_leaves(in_order ? stage.server : stage.client, 0);
	close(bound);
}

Test(decode_meets, socket_bound_and_replaced)
{
	bind_and_replace(true);
	stage_expect(RENAMED("a/f") " replaced=socket asked=yes call=rename\n");
}

Test(decode_meets, socket_bound_and_replaced_before)
{
	bind_and_replace(false);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n"
				    "remove type=socket path=$D/t asked=yes call=rename\n");
}

Test(decode_meets, file_made_and_replaced)
{
	replace(SYS_open, made, NULL, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, true);
	stage_expect("create type=file path=$D/t rights=write_file again=truncate asked=yes call=open\n" RENAMED(
		"a/f") " replaced=file asked=yes call=rename\n");
}

Test(decode_meets, file_made_and_replaced_before)
{
	replace(SYS_open, made, NULL, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, false);
	stage_expect(RENAMED(
		"a/f") " asked=yes call=rename\n"
		       "create type=file path=$D/t rights=write_file again=truncate asked=yes call=open\n" REMOVED);
}

/* The rename came first, and what it brought was truncated. */
static void truncate_renamed(bool in_order)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	int fd;

	furnish();
	ENTERS(stage.client, SYS_open, (uintptr_t)made, (uint64_t)flags, 0600);
	ENTERS_NAMES(stage.server, SYS_rename, first, made);
	cr_assert_eq(rename(first, made), 0);
	fd = open(made, flags, 0600);
	stage_leaves(in_order ? stage.server : stage.client, in_order ? 0 : fd);
	stage_leaves(in_order ? stage.client : stage.server, in_order ? fd : 0);
}

#define TRUNCATED "use type=file path=$D/t rights=truncate,write_file absent=make_reg asked=yes call=open\n"

Test(decode_meets, file_renamed_and_truncated)
{
	truncate_renamed(true);
	stage_expect(RENAMED("a/f") " asked=yes call=rename\n" TRUNCATED);
}

Test(decode_meets, file_renamed_and_truncated_before)
{
	truncate_renamed(false);
	stage_expect(TRUNCATED RENAMED("a/f") " asked=yes call=rename\n");
}

/* What is moved or linked was made since the entry. */
static void move_late(int number, bool is_directory)
{
	static char late[] = "a/late";

	furnish();
	ENTERS_NAMES(stage.server, number, late, made);
	cr_assert_eq(is_directory ? mkdir(late, 0700) : close(open(late, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	cr_assert_eq(syscall(number, late, made), 0);
	stage_leaves(stage.server, 0);
}

Test(decode_meets, directory_made_and_renamed)
{
	move_late(SYS_rename, true);
	stage_expect("rename type=directory path=$D/a/late path2=$D/t asked=yes call=rename\n");
}

Test(decode_meets, file_made_and_linked)
{
	move_late(SYS_link, false);
	stage_expect("link type=file path=$D/a/late path2=$D/t asked=yes call=link\n");
}

/* What is moved was made since the entry, and what it became was truncated by a call that is heard of before. */
Test(decode_meets, file_moved_late_and_truncated_before)
{
	static char late[] = "a/late";
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

	furnish();
	ENTERS(stage.client, SYS_open, (uintptr_t)made, (uint64_t)flags, 0600);
	ENTERS_NAMES(stage.server, SYS_rename, late, made);
	cr_assert_eq(close(open(late, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) | rename(late, made), 0);
	stage_leaves(stage.client, open(made, flags, 0600));
	stage_leaves(stage.server, 0);
	stage_expect("create type=file path=$D/t rights=write_file again=truncate asked=yes call=open\n" RENAMED(
		"a/late") " asked=yes call=rename\n");
}

/* Of mkdir(2) and rmdir(2), and of unlink(2), each tells by itself what it was asked for. */
Test(decode_meets, made_and_removed)
{
	furnish();
	for (int i = 0; i < 2; i++) {
		ENTERS_NAMES(stage.client, SYS_rmdir, made, NULL);
		ENTERS(stage.server, SYS_mkdir, (uintptr_t)made, 0700);
		cr_assert_eq(mkdir(made, 0700) | rmdir(made), 0);
		stage_leaves(i ? stage.client : stage.server, 0);
		stage_leaves(i ? stage.server : stage.client, 0);
	}
	ENTERS_NAMES(stage.client, SYS_unlink, made, NULL);
	cr_assert_eq(symlink("x", made) | unlink(made), 0);
	stage_leaves(stage.client, 0);
	stage_expect("create type=directory path=$D/t asked=yes call=mkdir\n"
		     "remove type=directory path=$D/t asked=yes call=rmdir\n"
		     "remove type=directory path=$D/t asked=yes call=rmdir\n"
		     "create type=directory path=$D/t asked=yes call=mkdir\n"
		     "remove type=file path=$D/t asked=yes call=unlink\n");
}
