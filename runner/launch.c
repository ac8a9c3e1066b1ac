#include "runner/launch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/write_signals.h"
#include "profile/path.h"
#include "profile/profile_name.h"
#include "runner/launch_missing.h"

#define SHELL	     "/bin/sh"
#define NAME_BYTES   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_" /* of a variable */
#define DEFAULT_PATH "/bin:/usr/bin" /* execvp(3)'s, where PATH is unset */

static const char *search_path(char *const environment[])
{
	for (; *environment; environment++)
		if (strncmp(*environment, "PATH=", 5) == 0)
			return *environment + 5;
	return DEFAULT_PATH;
}

/* What execve(2) would say about the file itself, without running it. */
static int probe(const char *name)
{
	struct stat status;

	if (stat(name, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EACCES;
	return faccessat(AT_FDCWD, name, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

/* Why a name is refused with EACCES: the file may not even be there. */
static int set_denied(const char *name, struct error *err)
{
	struct stat status;

	if (stat(name, &status) < 0)
		return error_set(err, EACCES, "%s: a directory on the way to it may not be searched", name);
	if (S_ISDIR(status.st_mode))
		return error_set(err, EACCES, "%s: a directory, not a program", name);
	return error_set(err, EACCES, "%s: found, but not executable", name);
}

/* After which errors execvp(3) tries the next directory. */
static bool may_be_elsewhere(int result)
{
	return result == -EACCES || result == -ENOENT || result == -ENOTDIR || result == -ENODEV || result == -ESTALE ||
	       result == -ETIMEDOUT || result == -ENAMETOOLONG;
}

/* What else such a name may be that a person typed in the place of a program, or NULL. */
static const char *mistaken_for(const char *program)
{
	const char *equals = strchr(program, '=');

	if (equals && equals != program && !isdigit((unsigned char)*program) &&
	    strspn(program, NAME_BYTES) == (size_t)(equals - program))
		return "a variable is set in front of this command, or with env(1) behind it";
	if (may_be_profile(program))
		return "a profile is named with -p to trace-run, with -o or -m to trace-learn";
	if (strpbrk(program, " \t\n|&;<>"))
		return "a program and its arguments are words of their own; sh -c runs a line of shell";
	return NULL;
}

static int set_not_found(const char *program, struct error *err)
{
	scoped_free char *here = format_text("./%s", program);
	const char *mistake = mistaken_for(program);
	int result = probe(here);
	struct stat status;

	if (result == 0)
		return error_set(err, ENOENT, "%s: not found in PATH; the one that lies here is called %s", program,
				 here);
	if (result == -EACCES && !mistake && stat(here, &status) == 0 && S_ISREG(status.st_mode))
		return error_set(err, ENOENT, "%s: not found in PATH; %s lies here, and is not executable", program,
				 here);
	return error_set(err, ENOENT, "%s: not found in PATH%s%s", program, mistake ? "; " : "",
			 mistake ? mistake : "");
}

/* As execvp(3): an empty part is the present directory, and a file that may not be executed is remembered. */
static int search(const char *program, const char *path, char **name, struct error *err)
{
	scoped_free char *denied = NULL;

	for (size_t length; path; path = path[length] ? path + length + 1 : NULL) {
		scoped_free char *candidate = NULL;
		int result;

		length = strcspn(path, ":");
		candidate = length ? format_text("%.*s/%s", (int)length, path, program) : duplicate(program);
		result = probe(candidate);
		if (result == 0) {
			*name = steal_pointer(&candidate);
			return 0;
		}
		if (!may_be_elsewhere(result))
			return error_set_errno(err, -result, "%s", candidate);
		if (result == -EACCES && !denied)
			denied = steal_pointer(&candidate);
	}
	if (denied)
		return set_denied(denied, err);
	return set_not_found(program, err);
}

int launch_find(const char *program, char *const environment[], char **name, struct error *err)
{
	int result;

	if (!*program)
		return error_set(err, ENOENT, "the name of the program is empty");
	if (!strchr(program, '/'))
		return search(program, search_path(environment), name, err);
	result = probe(program);
	if (result == -EACCES)
		return set_denied(program, err);
	if (result < 0)
		return error_set_errno(err, -result, "%s", program);
	*name = duplicate(program);
	return 0;
}

/* The end of the last `..` part; 0 without one. */
static size_t last_parent_end(const char *path)
{
	size_t end = 0;

	for (const char *at = path; *at; at += strspn(at, "/")) {
		size_t length = strcspn(at, "/");

		at += length;
		if (length == 2 && memcmp(at - 2, "..", 2) == 0)
			end = (size_t)(at - path);
	}
	return end;
}

int launch_absolute(const char *name, char **absolute, struct error *err)
{
	scoped_free char *directory = *name == '/' ? duplicate("") : getcwd(NULL, 0);
	scoped_free char *whole = NULL;
	scoped_free char *head = NULL;
	scoped_free char *resolved = NULL;
	scoped_free char *joined = NULL;
	size_t end;

	if (!directory)
		return error_set_errno(err, errno, "%s: the present directory has no name", name);
	whole = format_text("%s/%s", directory, name);
	end = last_parent_end(whole);
	head = duplicate_bytes(whole, end);
	resolved = end ? realpath(head, NULL) : duplicate("");
	if (!resolved)
		return error_set_errno(err, errno, "%s", head);
	joined = format_text("%s/%s", resolved, whole + end);
	*absolute = path_clean(joined);
	return 0;
}

static void execute_by_shell(const char *name, char *const argv[], char *const environment[])
{
	scoped_free char **arguments = NULL;
	size_t count = 0;

	while (argv[count])
		count++;
	arguments = allocate_array(count + 2, sizeof *arguments);
	arguments[0] = (char *)SHELL;
	arguments[1] = (char *)name;
	for (size_t i = 1; i < count; i++)
		arguments[i + 1] = argv[i];
	execve(SHELL, arguments, environment);
}

int launch_exec(const char *name, char *const argv[], char *const environment[], struct error *err)
{
	scoped_free char *missing = NULL;
	int error;

	write_signals_restore();
	execve(name, argv, environment);
	if (errno == ENOEXEC)
		execute_by_shell(name, argv, environment);
	error = errno;
	write_signals_ignore_again();
	missing = error == ENOENT ? launch_missing(name) : NULL;
	if (missing)
		return error_set(err, ENOENT, "%s: cannot execute: %s", name, missing);
	return error_set_errno(err, error, "%s: cannot execute", name);
}

int launch_status(int number)
{
	return number == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
