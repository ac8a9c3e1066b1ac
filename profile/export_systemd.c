/* A service of systemd: systemd.exec(5), systemd.service(5), systemd.syntax(7). */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "profile/export_plan.h"
#include "profile/fact.h"
#include "profile/path.h"

/*
 * Whether a path can stand in a directive that takes paths. Those know quotes, and no escapes that all of their readers
 * agree upon; `:` parts source and target.
 */
static bool fits_directive(const char *path)
{
	return export_is_plain(path) && !strpbrk(path, "\"'\\:");
}

/* What systemd refuses in the name of an executable. */
static bool fits_executable(const char *path)
{
	return export_is_plain(path) && !strpbrk(path, "\"'\\");
}

static void add_literal(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '%') /* of specifiers: %h is a home */
			buffer_add_byte(out, '%');
		buffer_add_byte(out, *text);
	}
}

/* A quoted word of a command line or of Environment=, where escapes are known and, in the former, variables. */
static void add_word(struct buffer *out, const char *text, bool has_variables)
{
	buffer_add_byte(out, '"');
	for (; *text; text++) {
		if (*text == '%' || (*text == '$' && has_variables))
			buffer_format(out, "%c%c", *text, *text);
		else if (*text == '"' || *text == '\\')
			buffer_format(out, "\\%c", *text);
		else if (*text >= ' ' && *text < '\x7f')
			buffer_add_byte(out, *text);
		else
			buffer_format(out, "\\%03o", (unsigned char)*text);
	}
	buffer_add_byte(out, '"');
}

struct unit {
	struct export_plan *plan;
	struct buffer text; /* of the unit, below the comments: only writing it tells what cannot be said */
};

static void add_path(struct unit *unit, const char *directive, const char *source, const char *target)
{
	scoped_free char *shown = fact_path(fits_directive(source) ? target : source);

	if (!fits_directive(source) || !fits_directive(target)) {
		export_note(unit->plan, "%s cannot be written in a unit, and is left out", shown);
		return;
	}
	buffer_format(&unit->text, "%s=\"-", directive);
	add_literal(&unit->text, source);
	if (strcmp(source, target) != 0) {
		buffer_add_byte(&unit->text, ':');
		add_literal(&unit->text, target);
	}
	buffer_add_text(&unit->text, "\"\n");
}

static void add_mount(struct unit *unit, const struct export_mount *mount, const char *target)
{
	if (mount->mode != EXPORT_LIST)
		add_path(unit, mount->mode == EXPORT_READ ? "BindReadOnlyPaths" : "BindPaths", mount->path, target);
}

/* The mount that a path is in, or NULL. */
static const struct export_mount *find_mount(const struct export_plan *plan, const char *path)
{
	for (size_t i = plan->mount_count; i-- > 0;)
		if (plan->mounts[i].mode != EXPORT_LIST && path_is_beneath(path, plan->mounts[i].path))
			return &plan->mounts[i];
	return NULL;
}

/* There are no links in such a file system: their targets are mounted under their names too. */
static void add_link_to_mounted(struct unit *unit, const struct export_mount *mount, const char *real, const char *name)
{
	add_path(unit, mount->mode == EXPORT_READ ? "BindReadOnlyPaths" : "BindPaths", real, name);
}

static void add_link_to_directory(struct unit *unit, const struct export_link *link)
{
	const struct export_plan *plan = unit->plan;

	for (size_t i = 0; i < plan->mount_count; i++)
		if (path_is_strictly_beneath(plan->mounts[i].path, link->real)) {
			scoped_free char *target =
				format_text("%s%s", link->path, plan->mounts[i].path + strlen(link->real));

			add_mount(unit, &plan->mounts[i], target);
		}
	for (size_t i = 0; i < plan->link_count; i++) {
		const struct export_link *inner = &plan->links[i];
		const struct export_mount *mount = find_mount(plan, inner->real);

		if (mount && path_is_strictly_beneath(inner->path, link->real)) {
			scoped_free char *target = format_text("%s%s", link->path, inner->path + strlen(link->real));

			add_link_to_mounted(unit, mount, inner->real, target);
		}
	}
}

static void add_files(struct unit *unit)
{
	const struct export_plan *plan = unit->plan;

	buffer_add_text(&unit->text, "TemporaryFileSystem=/:ro\n");
	for (size_t i = 0; i < plan->mount_count; i++)
		add_mount(unit, &plan->mounts[i], plan->mounts[i].path);
	for (size_t i = 0; i < plan->link_count; i++) {
		const struct export_mount *mount = find_mount(plan, plan->links[i].real);

		if (mount)
			add_link_to_mounted(unit, mount, plan->links[i].real, plan->links[i].path);
		else
			add_link_to_directory(unit, &plan->links[i]);
	}
	if (plan->terminal)
		export_note(unit->plan, "a service has no terminal; the line on ${TTY} is left out");
}

/* A /proc of its own comes with what else systemd mounts beside it. */
static void add_proc(struct unit *unit)
{
	if (!unit->plan->proc)
		return;
	buffer_add_text(&unit->text, "ProtectProc=invisible\n");
	if (!unit->plan->proc_outside_self)
		buffer_add_text(&unit->text, "ProcSubset=pid\n");
	export_note(unit->plan, "wider: with /proc come all entries of the program's own processes, and /dev and /sys "
				"as they are");
}

/* What systemd can say of ports: which may be bound. */
static void add_network(struct unit *unit)
{
	const struct profile *profile = unit->plan->profile;
	bool is_open = false;

	if (!profile->port_count) {
		buffer_add_text(&unit->text, "PrivateNetwork=yes\n");
		export_note(unit->plan, "there is no network at all: also no UDP, which the profile leaves to the "
					"kernel's Landlock");
		return;
	}
	for (size_t i = 0; i < profile->port_count; i++) {
		const struct port_grant *grant = &profile->ports[i];

		is_open |= grant->rights & RIGHT_BIND_TCP && grant->port <= 0;
		if (grant->rights & RIGHT_BIND_TCP && grant->port > 0)
			buffer_format(&unit->text, "SocketBindAllow=tcp:%d\n", grant->port);
	}
	if (is_open)
		export_note(unit->plan, "wider: every TCP port can be bound, since port 0, or any port, can");
	else
		buffer_add_text(&unit->text, "SocketBindDeny=tcp\n");
	export_note(unit->plan, "wider: TCP connections can go to every port, and all UDP ports are open");
}

static bool fits_environment(const char *value)
{
	return clean_length(value, true) == strlen(value);
}

static void add_variable(struct unit *unit, const struct environment_line *line)
{
	scoped_free char *name = fact_path(line->name);
	scoped_free char *assignment = format_text("%s=%s", line->name, line->value ? line->value : "");

	if (!export_is_variable(line->name) || !fits_environment(assignment)) {
		export_note(unit->plan, "the variable %s cannot be written in a unit, and is left out", name);
	} else if (line->action == ENVIRONMENT_SET) {
		buffer_add_text(&unit->text, "Environment=");
		add_word(&unit->text, assignment, false);
		buffer_add_byte(&unit->text, '\n');
	} else {
		buffer_format(&unit->text, "%s=%s\n",
			      line->action == ENVIRONMENT_KEEP ? "PassEnvironment" : "UnsetEnvironment", line->name);
	}
}

static void add_environment(struct unit *unit)
{
	export_note(unit->plan, "a service begins with systemd's environment, not with that of a shell");
	for (size_t i = 0; i < unit->plan->profile->environment_count; i++)
		add_variable(unit, &unit->plan->profile->environment[i]);
}

static void add_command(struct unit *unit)
{
	const struct profile *profile = unit->plan->profile;

	if (!profile->program || !fits_executable(profile->program)) {
		export_note(unit->plan, "ExecStart= is missing: %s",
			    profile->program ? "systemd takes no program of such a name"
					     : "the profile names no program");
		return;
	}
	/* The program is no argument: no variables in it. The words behind it are, its name among them. */
	buffer_add_text(&unit->text, "ExecStart=@");
	add_word(&unit->text, profile->program, false);
	buffer_add_byte(&unit->text, ' ');
	add_word(&unit->text, profile->argv0 ? profile->argv0 : profile->program, true);
	for (size_t i = 0; i < profile->argument_count; i++) {
		buffer_add_byte(&unit->text, ' ');
		add_word(&unit->text, profile->arguments[i].text, true);
	}
	buffer_add_byte(&unit->text, '\n');
}

static void add_directory(struct unit *unit)
{
	const char *directory = unit->plan->profile->directory;

	if (!directory)
		return;
	if (fits_executable(directory) && directory[strlen(directory) - 1] != ' ') { /* which would be cut off */
		buffer_add_text(&unit->text, "WorkingDirectory=-");
		add_literal(&unit->text, directory);
		buffer_add_byte(&unit->text, '\n');
	} else {
		export_note(unit->plan, "WorkingDirectory= is missing: the name cannot be written in a unit");
	}
}

void export_write_systemd(struct export_plan *plan, FILE *out)
{
	struct unit unit = {.plan = plan};

	add_command(&unit);
	add_directory(&unit);
	add_environment(&unit);
	buffer_add_text(&unit.text, "NoNewPrivileges=yes\n");
	add_files(&unit);
	add_proc(&unit);
	add_network(&unit);
	if (!(plan->profile->scope & RIGHT_SIGNAL))
		export_note(plan, "wider: processes outside can get signals, as far as the user may send them");
	if (plan->profile->port_count && !(plan->profile->scope & RIGHT_ABSTRACT_UNIX_SOCKET))
		export_note(plan, "wider: abstract unix sockets outside can be reached");
	print_line(out, "# A profile as a service of systemd. User= is for you to say.");
	print_line(out, "# What is not carried over, or is wider than under Landlock:");
	export_print_notes(plan, out);
	print_line(out, "[Service]");
	fwrite(unit.text.data, 1, unit.text.length, out);
	buffer_finish(&unit.text);
}
