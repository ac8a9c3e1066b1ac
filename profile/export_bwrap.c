/* A bash script that starts bubblewrap: bwrap(1). */
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/shell.h"
#include "profile/export_plan.h"
#include "profile/fact.h"
#include "profile/path_order.h"

#define BWRAP_WORDS_LIMIT 9000 /* more arguments it does not take */

/* An option with its words on a line of its own; NULL ends them. */
static void print_option(FILE *out, const char *option, const char *first, const char *second)
{
	scoped_buffer line = {0};

	buffer_format(&line, "  %s", option);
	if (first) {
		buffer_add_byte(&line, ' ');
		shell_add_quoted(&line, first);
	}
	if (second) {
		buffer_add_byte(&line, ' ');
		shell_add_quoted(&line, second);
	}
	print_line(out, "%s", line.data);
}

static void note_limits(struct export_plan *plan)
{
	const struct profile *profile = plan->profile;

	if (profile->scope & RIGHT_SIGNAL && plan->proc)
		export_note(plan, "wider: /proc shows all processes, since the scope signal is open");
	if (plan->proc)
		export_note(plan, "wider: all of a new /proc is there, also what the profile does not grant in it");
	if (profile->port_count)
		export_note(plan, "wider: all ports are open: bubblewrap knows the whole network or none");
	else if (profile->scope & RIGHT_ABSTRACT_UNIX_SOCKET)
		export_note(plan, "wider: all ports are open, since the scope abstract_unix_socket is");
	else
		export_note(plan, "there is no network at all: also no UDP, which the profile leaves to the kernel's "
				  "Landlock");
	if (profile->port_count && !(profile->scope & RIGHT_ABSTRACT_UNIX_SOCKET))
		export_note(plan, "wider: abstract unix sockets outside can be reached");
	if (plan->terminal)
		export_note(plan, "the terminal is there as /dev/tty, not by its other name");
	if (plan->mount_count * 3 + plan->link_count * 3 > BWRAP_WORDS_LIMIT)
		export_note(plan, "these are more arguments than bubblewrap takes; it will refuse to start: give it "
				  "directories in place of files");
}

static void note_variables(struct export_plan *plan)
{
	for (size_t i = 0; i < plan->profile->environment_count; i++) {
		const struct environment_line *line = &plan->profile->environment[i];
		scoped_free char *name = fact_path(line->name);

		if (line->action == ENVIRONMENT_KEEP && !export_is_variable(line->name))
			export_note(plan, "the variable %s is not kept: its name is none for a shell", name);
	}
}

static void print_environment(const struct profile *profile, FILE *out)
{
	bool keeps = false;

	for (size_t i = 0; i < profile->environment_count; i++)
		keeps |= profile->environment[i].action == ENVIRONMENT_KEEP;
	if (keeps)
		print_option(out, "--clearenv", NULL, NULL);
	for (size_t i = 0; i < profile->environment_count; i++) {
		const struct environment_line *line = &profile->environment[i];

		if (line->action == ENVIRONMENT_SET)
			print_option(out, "--setenv", line->name, line->value);
		else if (line->action == ENVIRONMENT_UNSET)
			print_option(out, "--unsetenv", line->name, NULL);
		else if (export_is_variable(line->name))
			print_line(out, "  ${%s+--setenv %s \"$%s\"}", line->name, line->name, line->name);
	}
}

static void print_isolation(const struct export_plan *plan, FILE *out)
{
	rights_t scope = plan->profile->scope;

	if (!plan->profile->port_count && !(scope & RIGHT_ABSTRACT_UNIX_SOCKET))
		print_option(out, "--unshare-net", NULL, NULL);
	if (!(scope & RIGHT_SIGNAL))
		print_option(out, "--unshare-pid", NULL, NULL);
	if (plan->proc)
		print_option(out, "--proc", "/proc", NULL);
	if (plan->terminal)
		print_option(out, "--dev-bind-try", "/dev/tty", "/dev/tty");
}

static void print_mount(const struct export_mount *mount, FILE *out)
{
	static const char *const options[] = {
		[EXPORT_READ] = "--ro-bind-try", [EXPORT_WRITE] = "--bind-try", [EXPORT_DEVICE] = "--dev-bind-try"};

	if (mount->mode != EXPORT_LIST)
		print_option(out, options[mount->mode], mount->path, mount->path);
	else if (strcmp(mount->path, "/") != 0)
		print_option(out, "--dir", mount->path, NULL);
}

/* In one order: a link of a directory has to be there before what is mounted in another one of its name's. */
static void print_files(const struct export_plan *plan, FILE *out)
{
	size_t link = 0;

	for (size_t i = 0; i <= plan->mount_count; i++) {
		for (; link < plan->link_count; link++) {
			const struct export_link *next = &plan->links[link];

			if (i < plan->mount_count && path_order(plan->mounts[i].path, next->path) < 0)
				break;
			print_option(out, "--symlink", next->text, next->path);
		}
		if (i < plan->mount_count)
			print_mount(&plan->mounts[i], out);
	}
}

/* Landlock leaves the present directory as it is; here it has to exist. */
static void print_directory(const struct profile *profile, FILE *out)
{
	if (!profile->directory || strcmp(profile->directory, "/") == 0)
		return;
	print_option(out, "--dir", profile->directory, NULL);
	print_option(out, "--chdir", profile->directory, NULL);
}

static void print_program(const struct profile *profile, FILE *out)
{
	scoped_buffer line = {0};

	if (!profile->program) {
		print_line(out, "[ $# -gt 0 ] || { echo 'which program?' >&2; exit 125; }");
		return;
	}
	buffer_add_text(&line, "[ $# -gt 0 ] || set -- ");
	shell_add_quoted(&line, profile->program);
	for (size_t i = 0; i < profile->argument_count; i++) {
		buffer_add_byte(&line, ' ');
		shell_add_quoted(&line, profile->arguments[i].text);
	}
	print_line(out, "%s", line.data);
}

void export_write_bwrap(struct export_plan *plan, FILE *out)
{
	note_limits(plan);
	note_variables(plan);
	print_line(out, "#!/usr/bin/env bash");
	print_line(out, "# A profile as a command line of bubblewrap; another program can be named behind it.");
	print_line(out, "# What is not carried over, or is wider than under Landlock:");
	export_print_notes(plan, out);
	print_line(out, "sandbox=(");
	print_isolation(plan, out);
	print_files(plan, out);
	print_directory(plan->profile, out);
	print_environment(plan->profile, out);
	print_line(out, ")");
	print_program(plan->profile, out);
	print_line(out, "exec bwrap \"${sandbox[@]}\" -- \"$@\"");
}
