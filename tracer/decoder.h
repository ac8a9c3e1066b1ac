/* What the parts of the decoder share: decode.c, which dispatches, and a decode_*.c for each family of calls. */
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "base/buffer.h"
#include "profile/seccomp_groups.h"
#include "tracer/address.h"
#include "tracer/decode.h"
#include "tracer/deep_names.h"
#include "tracer/memory.h"
#include "tracer/refused.h"
#include "tracer/resolve.h"
#include "tracer/seen.h"
#include "tracer/socket.h"
#include "tracer/socket_message.h"
#include "tracer/syscalls.h"

struct inode {
	dev_t device;
	ino_t inode;
};

struct decoder {
	struct trace_observer observer;
	const struct task_table *tasks;
	struct memory memory;
	struct resolver *resolver;
	struct call *spare;    /* of a call that is over, for the next one; or NULL */
	bool shares_files;     /* some process, not only its threads, has descriptors in common with another */
	bool elsewhere;	       /* some task may have other mounts, or another root directory */
	bool shows_processors; /* decoder_shows_processors() */
	bool confined;	       /* as in struct trace_options */
	bool refuses;	       /* as struct trace_options */
	bool explained;	       /* somebody asks a profile about each access: with every_call of struct trace_options */
	bool allow_rings;      /* as struct trace_options */
	bool proc_all;	       /* as struct trace_options */
	bool keep_links;       /* as struct trace_options */
	bool stacks;	       /* as struct trace_options */
	bool looks;	       /* as struct trace_options */
	struct look *look;     /* the last one; NULL until there is one */
	struct buffer looked;  /* its name */
	struct expected *expected; /* NULL until there is one */
	bool expects;		   /* the observer tells what need not be waited for, and nothing forbids it */
	int chosen_first;	   /* ports that the kernel chooses from, both 0 until they were asked for */
	int chosen_last;
	struct seen *said;	       /* texts of notices and of what made it incomplete */
	struct seen *told_calls;       /* struct told_call: nobody keeps them, so their results matter no more */
	struct seen *written;	       /* inodes that were opened for writing in the session */
	struct deep_names *deep;       /* of these, those whose path is too long to be asked for */
	struct seen *sockets;	       /* socket names, abstract or not, that were bound in the session */
	struct seen *socket_inodes;    /* struct inode: of those that have a path, wherever it leads by now */
	struct seen *sent;	       /* inodes of descriptors that were sent, or received, in messages */
	size_t received_count;	       /* descriptors from outside */
	struct for_parent *for_parent; /* signals that are on their way to the tool alone */
	size_t for_parent_count, for_parent_capacity;
	struct seen *loose_ports;     /* ports that the kernel chose for the session's own sockets */
	struct refused_index refused; /* filled in where it is of use */
	struct syscall_index index;   /* large, as the last one: what is touched at each stop lies together above */
};

struct for_parent {
	pid_t sender;
	int signal;
	bool ended; /* the sender was killed in the call: it came before that, or never will */
};

/* What another call put at a name, since the entry of one that is in progress; OBJECT_NONE: nothing. */
struct met {
	struct inode inode;
	enum object_type type;
	bool replaces; /* a rename, for which nothing had to go before */
};

/* A call between its entry and its exit. */
struct call {
	const struct syscall_row *row;
	const struct call_class *class; /* NULL: nothing to be done at the exit but `groups` */
	uint32_t architecture;
	seccomp_set_t
		groups;	  /* that the call needs open; SECCOMP_ALWAYS alone: nothing opens it, and there is no row */
	const char *name; /* of the call that needs them: row changes where it stands for another one */
	uint64_t arguments[6];
	int64_t result; /* from here on at the exit */
	int error;

	struct stack_moment *stood; /* exec, with stacks: at the entry */
	uint64_t flags;
	uint64_t scope;		       /* RESOLVE_* of openat2 */
	char *path, *path2;	       /* as given; NULL: there is none, or it could not be read */
	uint64_t path_at, path2_at;    /* where they were read */
	bool refused;		       /* by the loop, as no profile allows it */
	bool settled;		       /* what it came to is known otherwise than by its names */
	bool unreadable;	       /* a path could not be read */
	bool for_parent;	       /* it added a struct for_parent */
	bool shared;		       /* other threads could change the paths: set by call_read_paths() */
	struct object object, object2; /* as they were at the entry */
	struct met met, met2;	       /* at the paths of both, since then */

	struct address *addresses; /* network: where it goes */
	size_t address_count;
	struct socket_facts socket; /* of the descriptor, at the entry */
	uint64_t words_at;	    /* socketcall(2): where its arguments are; 0 of other calls */
};

/* A call that only looks: it is over at its entry, and there are many, so nothing is made or cleared for each. */
struct look {
	struct call call; /* its path is the one below */
	char path[PATH_MAX];
};

/* A call that makes a name, and whose exit nobody waits for (decode_expected.c). */
struct expected {
	struct task *task;    /* NULL: there is none */
	struct call call;     /* of it what a report takes */
	struct access access; /* what it is if it succeeds */
	struct buffer path;   /* of that */
	char name[PATH_MAX];  /* as given */
};

/* What is done at both stops of a class of calls. entry: whether the exit is needed. */
struct call_class {
	bool (*entry)(struct decoder *decoder, struct task *task, struct call *call, const struct event *event);
	void (*exit)(struct decoder *decoder, struct task *task, struct call *call);
};

/* Of a call that came by way of socketcall(2): whether its arguments are others now. */
bool sockets_has_changed(const struct decoder *decoder, const struct task *task, const struct call *call);

extern const struct call_class open_class, open_how_class, open_handle_class, open_peer_class, exec_class, make_class,
	pin_class, remove_class, rename_class, link_class, use_class, use_descriptor_class, bind_class, connect_class,
	send_class, send_message_class, send_messages_class, listen_class, sockets_class, signal_class, owner_class,
	signal_pidfd_class, barred_class, root_class, trace_class, ring_class, seccomp_class, receive_class,
	receive_many_class, unknown_class, device_class, look_class, check_class, metadata_class;

/* Of a task that has ended: what its call was to send may be on its way, until decoder_drop_for_parent(). */
void decoder_end_for_parent(struct decoder *decoder, const struct task *task);

/* decode_look.c: all that is done for a call of look_class that needs no word. */
void decoder_look(struct decoder *decoder, struct task *task, const struct syscall_row *row, const struct event *event);

/*
 * decode_expected.c: before the exit of a call that makes a name. Whether nobody has to wait for it: then the first
 * thing at the next stop is decoder_tell_expected(). `access` is what it would be; path and asked are filled in.
 */
bool expected_begin(struct decoder *decoder, struct task *task, const struct call *call, struct access *access);
void expected_finish(struct decoder *decoder);

/* Forgets the task's call, if it is in one. */
void decoder_end_call(struct decoder *decoder, struct task *task);

const struct call_class *call_class_of(const struct syscall_row *row); /* NULL when there is nothing to be done */

/* decode_groups.c: what a call of a row that is grouped needs; told at its exit. */
void groups_enter(struct decoder *decoder, struct task *task, struct call *call, const struct event *event);
void groups_exit(struct decoder *decoder, struct task *task, const struct call *call);

/* decode_call.c: what it says of itself. */
uint64_t call_argument(const struct call *call, enum argument argument); /* 0 for ARGUMENT_NONE */
bool call_is_64_bit(const struct call *call);
struct foreign call_memory(const struct decoder *decoder, const struct task *task, const struct call *call);

/*
 * order_asked(), and where the program is under a profile also what Landlock refuses with: EACCES may come from before
 * its check too, so that whoever explains it looks at what else refuses.
 */
bool decoder_asked(const struct decoder *decoder, enum order order, int error, unsigned facts);

/* Reads row->path, and path2 where there is one, into the call. */
void call_read_paths(const struct decoder *decoder, const struct task *task, struct call *call);

/* The same of row->path alone; 0, or -errno as memory_read_path() has it. */
int call_read_path(const struct decoder *decoder, const struct task *task, struct call *call);

/* The name at row->path, or path2, as resolve_name() takes it. */
struct name call_name(const struct call *call, bool follow);
struct name call_name2(const struct call *call);

/* Whether the process is of the session; whether the task numbers processes otherwise than we do. */
bool decoder_is_inside(pid_t pid);
/* Whether a signal to pid, as kill(2) has it, may go outside of the session. */
bool decoder_is_to_outside(const struct task *task, pid_t pid);
bool decoder_has_own_pids(const struct task *task);

/* Whether the task was killed meanwhile, so that it never sees what its call came to. */
bool task_is_ending(const struct task *task);

/*
 * Reports an access whose error and call's name are filled in here, on `object`, whose path and type it takes. What
 * has no path is no access; what cannot be named, and was asked for, makes the profile incomplete, unless the task is
 * ending.
 */
void decoder_report(struct decoder *decoder, struct task *task, const struct call *call, struct access *access,
		    const struct object *object);
/* The same for a use of a file that was called `named` (may be NULL): with --portable a link there may stand for it. */
void decoder_report_named(struct decoder *decoder, struct task *task, const struct call *call, struct access *access,
			  const struct object *object, const char *named);
/* An access that is not on a path of its own: ports, scopes. */
void decoder_report_plain(struct decoder *decoder, struct task *task, const struct call *call, struct access *access);

void decoder_notice(struct decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));
void decoder_incomplete(struct decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An open of one of its process's own entries in /proc: incomplete, if a confined run has no such way to it. */
void decoder_say_led(struct decoder *decoder, struct task *task, const struct call *call, const struct object *object);
/* The same of any other call for which Landlock was asked about such an entry. */
void decoder_say_own(struct decoder *decoder, const struct call *call, const struct object *object);
/* A use, or a refusal, of what has PLACE_PRIVATE makes the profile incomplete. */
void decoder_say_private(struct decoder *decoder, const struct call *call, const struct object *object);
/* After a call that failed: the same, should it be for that, of the names of a call that is reported only when asked.
 */
void decoder_say_refused_private(struct decoder *decoder, const struct task *task, const struct call *call);

/* Of a message that is about to be sent. */
void received_remember_sent(struct decoder *decoder, const struct task *task, const struct call *call,
			    const struct socket_message *message);

/* After a call whose path could not be read and that did not fail for it. */
void decoder_say_unreadable(struct decoder *decoder, const struct task *task, const struct call *call);

/*
 * decode_bound.c: the socket that was bound to the address. What the session bound, as far as the exits of the calls
 * were handled: bound_add_object() a path, bound_look() what the call's socket is called now, be it in progress still.
 */
void bound_resolve(const struct decoder *decoder, const struct task *task, const struct address *address,
		   struct object *object);
void bound_add_object(struct decoder *decoder, const struct object *object);
void bound_look(struct decoder *decoder, const struct task *task, const struct call *call);
bool bound_may_be_named(const struct call *call);
/* Whether the session bound it, or has done so in a call that is in progress; of ports: those that the kernel chose. */
bool bound_has_name(struct decoder *decoder, const char *name, size_t length); /* abstract, or a path */
bool bound_has_object(struct decoder *decoder, const struct object *object);
bool bound_has_port(struct decoder *decoder, int port);

/* decode_met.c: tells all other calls in progress what was made at the path (NULL: nothing is told). */
void met_tell(struct decoder *decoder, const struct task *maker, const char *path, const struct object *made,
	      bool replaces);
/* The same of what a call made at a name of which it is known only what stands there now. */
void met_tell_made(struct decoder *decoder, const struct task *maker, const struct object *now, enum object_type type);
bool met_is(const struct met *met, const struct object *object);
/* Whether the object is at its path by a rename or link that is in progress. */
bool met_comes(const struct decoder *decoder, const struct task *task, const struct object *object);
/* After a call that made what must not be there: what it has met since has replaced it, for which somebody was asked.
 */
void met_report(struct decoder *decoder, struct task *task, const struct call *call, const struct met *met,
		const struct object *made);

/*
 * decode_changed.c: at the exit, whether the names in memory are others now than were read at the entry;
 * call_say_changed() says so, and their access is to be left out. Only where call_may_change(): alone, nobody can.
 */
bool call_may_change(const struct decoder *decoder);
bool call_has_changed(const struct decoder *decoder, const struct task *task, const struct call *call);
bool call_say_changed(struct decoder *decoder, const struct task *task, const struct call *call);

/*
 * After a call that succeeded: whether another thread has changed the name since it was read, as far as can be told.
 * Both say so, and their access is to be left out. The first: there is nothing where something must be. The second: at
 * its path the object still is as it was before the call, which would have moved, removed, replaced or linked it.
 */
bool decoder_say_changed(struct decoder *decoder, const struct call *call, const struct object *object);
bool decoder_say_untouched(struct decoder *decoder, const struct call *call, const struct object *before);

/* Both stops of what opens, once the call's flags and scope are known. */
bool open_enter(struct decoder *decoder, struct task *task, struct call *call);
void open_exit(struct decoder *decoder, struct task *task, struct call *call);
/* Of a file that was opened: what later calls on its descriptor are held to. */
void open_remember(struct decoder *decoder, const struct call *call, const struct object *object);

/* What the loop refused, as no profile allows it. */
void decoder_say_refused(struct decoder *decoder, struct task *task, const struct call *call);

/* The program's name for messages. */
const char *task_image(const struct decoder *decoder, struct task *task);

/* Whether the caller may do with the object as its owner does. */
bool task_owns(const struct task *task, const struct object *object);
