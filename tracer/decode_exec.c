/*
 * Executing. The kernel opens the file, each interpreter on the `#!` chain, and the loader of the last; what it really
 * runs is taken from the new process, and compared with what the files say.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/exec_chain.h"
#include "tracer/decoder.h"
#include "tracer/proc_lines.h"
#include "tracer/stack_moment.h"

#define EXEC_RIGHTS (RIGHT_EXECUTE | RIGHT_READ_FILE)

#ifndef AT_EXECVE_CHECK
#define AT_EXECVE_CHECK 0x10000 /* Linux 6.14: asks whether it may be executed, and does not */
#endif

static bool exec_entry(struct decoder *decoder, struct task *task, struct call *call, const struct event *event)
{
	struct name name;

	(void)event;
	call->flags = call_argument(call, call->row->flags);
	if (decoder->stacks)
		call->stood = stack_moment_take(task->tid);
	call_read_paths(decoder, task, call);
	call->shared |= decoder->tasks->thread_count && !task->has_exec; /* vfork(2) by one of several threads */
	if (!call->path)
		return true;
	name = call_name(call, !(call->flags & AT_SYMLINK_NOFOLLOW));
	if (!*call->path && call->flags & AT_EMPTY_PATH)
		resolve_descriptor(decoder->resolver, task, name.directory, &call->object);
	else
		resolve_name(decoder->resolver, task, &name, &call->object);
	return true;
}

/* The beginning of a regular file; 0 when there is none to be read. */
static size_t read_head(const struct object *object, char *head, size_t size)
{
	scoped_fd fd = -1;
	ssize_t length;

	if (object->place != PLACE_PATH || object->type != OBJECT_FILE || !object->path)
		return 0;
	fd = open(object->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return 0;
	length = pread(fd, head, size, 0);
	return length < 0 ? 0 : (size_t)length;
}

/*
 * Goes from a script to its interpreter; false when it names none. *object is the one that was named then, *named (not
 * the caller's any more) how it was.
 */
static bool next_in_chain(struct decoder *decoder, const struct task *task, struct object *object, char **named)
{
	char head[EXEC_CHAIN_HEAD];
	size_t length = read_head(object, head, sizeof head);
	char *interpreter = exec_chain_interpreter(head, length);
	struct name name = {.directory = AT_FDCWD, .text = interpreter, .follow = true};

	if (!interpreter)
		return false;
	object_finish(object);
	resolve_name(decoder->resolver, task, &name, object);
	free(*named);
	*named = interpreter;
	return true;
}

static void report_file(struct decoder *decoder, struct task *task, const struct call *call, const char *as,
			const struct object *object, const char *named)
{
	struct access access = {.kind = ACCESS_USE, .rights = EXEC_RIGHTS, .asked = true, .call = as};

	decoder_report_named(decoder, task, call, &access, object, named);
}

/*
 * From the file that was named through its interpreters, until what runs is reached; `runs` may be NULL. Leaves the
 * last in *object, and how it was called in *named, which the caller frees. Whether there was any before what runs.
 */
static bool report_chain(struct decoder *decoder, struct task *task, const struct call *call, struct object *object,
			 const struct object *runs, char **named)
{
	int links;

	*named = duplicate(call->path);
	for (links = 0; links <= EXEC_CHAIN_LIMIT && object->type == OBJECT_FILE; links++) {
		if (runs && object_is_same(object, runs))
			break;
		report_file(decoder, task, call, links ? "exec" : call->row->name, object, *named);
		if (!next_in_chain(decoder, task, object, named))
			return true;
	}
	return links > 0;
}

static bool could_be_opened(const struct call *call)
{
	const uint64_t known = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_EXECVE_CHECK;

	return !(call->flags & ~known) && call->object.type == OBJECT_FILE &&
	       call->object.mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

/* Errors that the file itself, or what it names, is to blame for; before it is looked into, others may come. */
static bool is_looked_into(int error)
{
	return error == ENOEXEC || error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

/* Refused, maybe by the profile: then one of those that would come is to blame, and none has run yet. */
static void report_refused(struct decoder *decoder, struct task *task, struct call *call)
{
	scoped_free char *loader = NULL;
	scoped_free char *named = NULL;
	char head[EXEC_CHAIN_PROGRAM];
	struct object object;
	struct name name;

	report_chain(decoder, task, call, &call->object, NULL, &named);
	loader = exec_chain_loader(head, read_head(&call->object, head, sizeof head));
	if (!loader)
		return;
	name = (struct name){.directory = AT_FDCWD, .text = loader, .follow = true};
	resolve_name(decoder->resolver, task, &name, &object);
	report_file(decoder, task, call, "exec", &object, loader);
	object_finish(&object);
}

/* Failed after the file was opened: a script whose interpreter is missing, or no program at all (ENOEXEC). */
static void exec_exit(struct decoder *decoder, struct task *task, struct call *call)
{
	unsigned facts = could_be_opened(call) ? FACT_FOUND : 0;
	scoped_free char *named = NULL;

	if (!call->error && !(call->flags & AT_EXECVE_CHECK))
		return; /* where every call stops: decoder_exec() has seen it */
	if (!decoder_asked(decoder, ORDER_EXEC, call->error, facts))
		return;
	decoder_say_unreadable(decoder, task, call);
	if (facts && call->error == EACCES)
		report_refused(decoder, task, call);
	else if (facts && is_looked_into(call->error))
		report_chain(decoder, task, call, &call->object, NULL, &named);
	else if (facts)
		report_file(decoder, task, call, call->row->name, &call->object, call->path);
}

const struct call_class exec_class = {exec_entry, exec_exit};

static bool has_capabilities(const char *path)
{
	return getxattr(path, "security.capability", NULL, 0) > 0;
}

/* Root has its capabilities already, but becomes another user all the same. Most files give nothing, so whose the task
 * is is asked last. */
static bool gives_privileges(const struct task *task, const struct object *object)
{
	bool sets_user = object->mode & S_ISUID;
	char name[64];
	struct stat status;

	if ((object->mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP))
		return true;
	if (!sets_user && !has_capabilities(object->path))
		return false;
	snprintf(name, sizeof name, "/proc/%d", (int)task->tid);
	return stat(name, &status) == 0 && status.st_uid != (sets_user ? object->owner : 0);
}

/* no_new_privs is on while learning as it is under a profile. */
static void say_ignored_privileges(struct decoder *decoder, const struct task *task, const struct object *object)
{
	struct statvfs mount;

	if (!object->path || !gives_privileges(task, object))
		return;
	if (statvfs(object->path, &mount) == 0 && !(mount.f_flag & ST_NOSUID))
		decoder_notice(decoder, "%s runs without the privileges that its file would give it", object->path);
}

static bool has_inode(const char *path, ino_t inode)
{
	struct stat status;

	return lstat(path, &status) == 0 && status.st_ino == inode;
}

/* What a line of maps maps, or NULL. A name may really hold what stands for a newline. */
static char *mapped_name(const char *line, ino_t *inode)
{
	char *name = exec_chain_mapped(line, inode);

	if (name && strchr(name, '\\') && !has_inode(name, *inode))
		exec_chain_unescape(name);
	return name;
}

static bool is_called(const struct object *object, const char *name, ino_t inode)
{
	const char *own = object->inside ? object->inside : object->path;

	return own && object->inode == inode && strcmp(own, name) == 0;
}

/* How the program names its loader: asked only where a link of that name may stand for it. */
static char *named_loader(const struct decoder *decoder, const struct object *runs)
{
	char head[EXEC_CHAIN_PROGRAM];

	return decoder->keep_links ? exec_chain_loader(head, read_head(runs, head, sizeof head)) : NULL;
}

/* One line of maps. Whether it surely is the loader: a file that is there, and not the one that runs. */
static bool report_mapped(struct decoder *decoder, struct task *task, const struct call *call,
			  const struct object *runs, const char *line, struct seen **seen, const char *named)
{
	ino_t inode = 0;
	scoped_free char *mapped = mapped_name(line, &inode);
	struct object object;
	bool is_loader = false;

	if (!mapped || is_called(runs, mapped, inode) || !seen_add(seen, mapped, strlen(mapped)))
		return false;
	if (resolve_known(decoder->resolver, task, mapped, inode, &object) == 0 && !object_is_same(&object, runs)) {
		report_file(decoder, task, call, "exec", &object, named);
		is_loader = runs->type != OBJECT_NONE && object.type != OBJECT_NONE && object.inode == inode;
	}
	object_finish(&object);
	return is_loader;
}

/* The loader: the one other file that is mapped before the first instruction. */
static void report_loader(struct decoder *decoder, struct task *task, const struct call *call,
			  const struct object *runs)
{
	scoped_free char *named = named_loader(decoder, runs);
	struct seen *seen = NULL;
	scoped_lines maps;
	const char *line;

	if (proc_lines_open(&maps, task->tid, "maps") < 0 && !task_is_ending(task))
		decoder_incomplete(decoder, "the loader of an execute-only program could not be told");
	while ((line = proc_lines_next(&maps)) && !report_mapped(decoder, task, call, runs, line, &seen, named))
		;
	seen_clear(&seen);
}

static void say_unexplained(struct decoder *decoder, const struct object *named, const struct object *runs)
{
	if (named->place == PLACE_PATH && runs->place == PLACE_PATH && named->type != OBJECT_NONE &&
	    !object_is_same(named, runs))
		decoder_notice(decoder, "%s is run by %s, which nothing in it names", named->path, runs->path);
}

/* The program's path is longer than the kernel tells: its name serves if it leads to the same file. */
static void take_name(const struct object *named, struct object *runs)
{
	if (named->place != PLACE_PATH || !object_is_same(named, runs))
		return;
	runs->path = duplicate(named->path);
	runs->place = PLACE_PATH;
}

/* An entry of the vector that the kernel gave the new program (getauxval(3)), whose words have so many bytes. */
static uint64_t auxiliary(const struct task *task, uint64_t type, size_t word)
{
	char file[64];
	uint64_t entry[2] = {0};
	scoped_file vector = NULL;

	snprintf(file, sizeof file, "/proc/%d/auxv", (int)task->tid);
	vector = fopen(file, "re");
	while (vector && fread(&entry[0], word, 1, vector) == 1 && fread(&entry[1], word, 1, vector) == 1)
		if (entry[0] == type)
			return entry[1];
	return 0;
}

/* The name that the kernel used: a copy of it lies on the new program's stack. NULL when it cannot be told. */
static char *executed_name(const struct decoder *decoder, const struct task *task)
{
	uint64_t at = auxiliary(task, AT_EXECFN, sizeof(uint64_t));
	char *name;

	if (!at)
		at = auxiliary(task, AT_EXECFN, sizeof(uint32_t));
	return at && memory_read_path(&decoder->memory, task->tid, at, &name) == 0 ? name : NULL;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Who has the memory is known of threads; of others it is asked where something else runs, as with each script. */
static bool may_be_another(const struct decoder *decoder, const struct call *call, const struct object *runs)
{
	return call->path && (call->shared || (call_may_change(decoder) && !object_is_same(&call->object, runs)));
}

/* Others with the same memory may have changed the name since. Beneath a descriptor it is /dev/fd/N/NAME. */
static void take_executed_name(struct decoder *decoder, const struct task *task, struct call *call,
			       const struct object *runs)
{
	scoped_free char *executed = may_be_another(decoder, call, runs) ? executed_name(decoder, task) : NULL;
	struct name name;

	if (!executed || ends_in(executed, call->path))
		return;
	if (call->row->directory)
		decoder_incomplete(decoder, "the path of a call could not be told (%s)", call->row->name);
	object_finish(&call->object);
	free(call->path);
	call->path = steal_pointer(&executed);
	name = call_name(call, true);
	resolve_name(decoder->resolver, task, &name, &call->object);
}

static void report_exec(struct decoder *decoder, struct task *task, struct call *call)
{
	scoped_free char *named = NULL;
	struct object runs;
	bool is_chain, is_named;

	call->settled = true;
	is_named = resolve_link(decoder->resolver, task, "exe", &runs) == 0;
	take_executed_name(decoder, task, call, &runs);
	if (!is_named)
		take_name(&call->object, &runs);
	if (runs.place == PLACE_UNKNOWN && !task_is_ending(task))
		decoder_incomplete(decoder, "a program that was executed could not be told");
	free(task->image);
	task->image = duplicate(runs.path ? runs.path : call->object.path);
	is_chain = report_chain(decoder, task, call, &call->object, &runs, &named);
	say_unexplained(decoder, &call->object, &runs);
	if (runs.place == PLACE_PATH || runs.place == PLACE_PRIVATE) {
		report_file(decoder, task, call, is_chain ? "exec" : call->row->name, &runs, named);
		say_ignored_privileges(decoder, task, &runs);
	}
	report_loader(decoder, task, call, &runs);
	object_finish(&runs);
}

/* With it the call is over: that it succeeded is known, so nobody waits for its exit. */
void decoder_exec(struct decoder *decoder, struct task *task)
{
	static const struct syscall_row unseen = {.name = "exec"};
	struct call none = {.row = &unseen};
	struct call *call = task->call ? task->call : &none;

	if (call->stood)
		decoder->observer.stood(decoder->observer.data, call->stood);
	report_exec(decoder, task, call);
	if (call->stood)
		decoder->observer.stood(decoder->observer.data, NULL);
	decoder_end_call(decoder, task);
}
