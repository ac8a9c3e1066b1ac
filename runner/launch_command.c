#include "runner/launch_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runner/launch.h"

/* The profile's own program: argv0 as it was typed, then the arguments. */
static char **arguments_of_profile(const struct profile *profile)
{
	char **arguments = allocate_array(profile->argument_count + 2, sizeof *arguments);

	arguments[0] = profile->argv0 ? profile->argv0 : profile->program;
	for (size_t i = 0; i < profile->argument_count; i++)
		arguments[i + 1] = profile->arguments[i].text;
	return arguments;
}

static char **arguments_named(char **program)
{
	size_t count = 0;
	char **arguments;

	while (program[count])
		count++;
	arguments = allocate_array(count + 1, sizeof *arguments);
	memcpy(arguments, program, count * sizeof *arguments);
	return arguments;
}

/* Whether the name that was typed while learning leads to the program from here too: a script then sees the same $0. */
static bool typed_name_fits(const struct profile *profile)
{
	scoped_free char *absolute = NULL;
	scoped_error err = {0};

	return profile->argv0 && strchr(profile->argv0, '/') && launch_absolute(profile->argv0, &absolute, &err) == 0 &&
	       absolute && strcmp(absolute, profile->program) == 0;
}

int launch_command_find(struct launch_command *command, char **program, const struct profile *profile, const char *file,
			char *const environment[], struct error *err)
{
	const char *name;

	if (program) {
		name = program[0];
		command->arguments = arguments_named(program);
	} else if (profile->program) {
		name = typed_name_fits(profile) ? profile->argv0 : profile->program;
		command->arguments = arguments_of_profile(profile);
	} else {
		error_set(err, EINVAL, "%s names no program: name one after --", file);
		return STATUS_FAILURE;
	}
	return launch_find(name, environment, &command->name, err) < 0 ? launch_status(err->number) : 0;
}

void launch_command_finish(struct launch_command *command)
{
	free(command->name);
	free(command->arguments);
	*command = (struct launch_command){0};
}

void launch_command_explain(const struct launch_command *command, const char *file, const struct reach *reach,
			    struct error *err)
{
	scoped_free char *real = realpath(command->name, NULL);
	scoped_free char *said = duplicate(err->message);
	rights_t lacking = RIGHT_EXECUTE | RIGHT_READ_FILE;
	scoped_buffer names = {0};

	if (!real)
		return;
	lacking &= ~reach_rights(reach, real);
	rights_write(&names, lacking);
	if (lacking)
		error_set(err, EACCES, "%s; %s does not grant %s on %s", said, file, names.data, real);
	else
		error_set(err, EACCES,
			  "%s; %s grants it, but its interpreter or loader needs execute,read_file as well", said,
			  file);
}
