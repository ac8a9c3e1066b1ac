#include "profile/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/path.h"

/* Said at once, where reading /proc takes as long as ten calls. Of other failures nothing follows. */
static bool has_no_terminal(void)
{
	scoped_fd fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 && errno == ENXIO;
}

/* The device number of the controlling terminal, or 0: field 7 of proc_pid_stat(5), as the kernel packs it. */
static dev_t terminal_number(void)
{
	scoped_file stat_file = fopen("/proc/self/stat", "re");
	char line[1024];
	const char *end;
	int number;

	if (!stat_file || !fgets(line, sizeof line, stat_file))
		return 0;
	end = strrchr(line, ')'); /* the name before it may hold anything */
	if (!end || sscanf(end + 1, " %*c %*d %*d %*d %d", &number) != 1 || number == 0)
		return 0;
	return makedev((unsigned)number >> 8 & 0xfff, ((unsigned)number & 0xff) | ((unsigned)number >> 12 & 0xfff00));
}

static bool is_terminal_number(const struct stat *status, dev_t number)
{
	return S_ISCHR(status->st_mode) && status->st_rdev == number;
}

/* A name that one of our own descriptors has for it: in a container it may be one outside /dev/pts. */
static char *terminal_of_descriptors(dev_t number)
{
	char name[256] = "";
	struct stat status;

	for (int fd = 0; fd <= 2; fd++)
		if (fstat(fd, &status) == 0 && is_terminal_number(&status, number) &&
		    ttyname_r(fd, name, sizeof name) == 0)
			return duplicate(name);
	return NULL;
}

/* The name that the kernel's driver core gives a device other than a pseudo terminal. */
static char *terminal_of_sysfs(dev_t number)
{
	scoped_free char *path = format_text("/sys/dev/char/%u:%u/uevent", major(number), minor(number));
	scoped_file uevent = fopen(path, "re");
	char line[256], name[200];

	while (uevent && fgets(line, sizeof line, uevent))
		if (sscanf(line, "DEVNAME=%199s", name) == 1)
			return format_text("/dev/%s", name);
	return NULL;
}

static char *find_terminal(void)
{
	dev_t number = has_no_terminal() ? 0 : terminal_number();
	scoped_free char *name = NULL;
	struct stat status;

	if (number == 0)
		return NULL;
	name = terminal_of_descriptors(number);
	if (name)
		return steal_pointer(&name);
	name = terminal_of_sysfs(number);
	if (!name)
		name = format_text("/dev/pts/%u", minor(number));
	return stat(name, &status) == 0 && is_terminal_number(&status, number) ? steal_pointer(&name) : NULL;
}

void variables_of_process(struct variables *variables)
{
	*variables = (struct variables){
		.home = duplicate(getenv("HOME")),
		.tty = find_terminal(),
		.directory = getcwd(NULL, 0),
		.tmpdir = duplicate(getenv("TMPDIR")),
		.xdg_runtime_dir = duplicate(getenv("XDG_RUNTIME_DIR")),
		.uid = format_text("%u", (unsigned)getuid()),
	};
}

static bool is_canonical(const char *value)
{
	scoped_free char *real = realpath(value, NULL), *clean = path_clean(value);

	return real && clean && !strcmp(real, clean);
}

void variables_forget_links(struct variables *variables, struct buffer *forgotten)
{
	struct {
		const char *name;
		char **value;
	} all[] = {
		{"HOME", &variables->home},
		{"DIRECTORY", &variables->directory},
		{"TMPDIR", &variables->tmpdir},
		{"XDG_RUNTIME_DIR", &variables->xdg_runtime_dir},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		if (!*all[i].value || is_canonical(*all[i].value))
			continue;
		buffer_format(forgotten, "%s%s", forgotten->length ? " " : "", all[i].name);
		free(*all[i].value);
		*all[i].value = NULL;
	}
}

void variables_finish(struct variables *variables)
{
	free(variables->home);
	free(variables->tty);
	free(variables->directory);
	free(variables->tmpdir);
	free(variables->xdg_runtime_dir);
	free(variables->uid);
	*variables = (struct variables){0};
}

/* A path that would turn `${NAME}/x` into something else than a name beneath it makes the line unusable. */
static int check_path(const char *name, const char *value, struct error *err)
{
	scoped_free char *clean = NULL;

	if (!value || !*value)
		return error_set(err, EINVAL, "${%s} is not set", name);
	if (*value != '/')
		return error_set(err, EINVAL, "${%s} is not absolute: %s", name, value);
	if (path_has_dots(value))
		return error_set(err, EINVAL, "${%s} has a . or .. part: %s", name, value);
	clean = path_clean(value);
	if (!strcmp(clean, "/"))
		return error_set(err, EINVAL, "${%s} is /", name);
	return 0;
}

int variables_get(const struct variables *variables, const char *name, const char **value, struct error *err)
{
	const struct {
		const char *name, *value;
	} paths[] = {
		{"HOME", variables->home},
		{"TTY", variables->tty},
		{"DIRECTORY", variables->directory},
		{"TMPDIR", variables->tmpdir},
		{"XDG_RUNTIME_DIR", variables->xdg_runtime_dir},
	};

	if (!strcmp(name, "UID")) {
		*value = variables->uid;
		return *value ? 0 : error_set(err, EINVAL, "${UID} is not set");
	}
	if (!strcmp(name, "TTY") && !variables->tty)
		return error_set(err, ENOTTY, "${TTY}: there is no controlling terminal");
	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		if (strcmp(name, paths[i].name) != 0)
			continue;
		*value = paths[i].value;
		return check_path(name, *value, err);
	}
	return error_set(err, ENOENT,
			 "unknown variable ${%s} (known: HOME TTY DIRECTORY TMPDIR XDG_RUNTIME_DIR UID; a literal ${ "
			 "is \\x24{)",
			 name);
}
