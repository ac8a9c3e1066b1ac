#include "base/options.h"

#include <config.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/nearest.h"

enum { KEY_HELP = 0x1000, KEY_VERSION };

static const struct argp_option common_options[] = {
	{"help", KEY_HELP, NULL, 0, "show this help and exit", -1},
	{"version", KEY_VERSION, NULL, 0, "show the version and exit", -1},
	{0},
};

struct parse {
	const struct argp *argp; /* the command's own */
	const char *name;
	void *input;   /* for the command's own parser */
	char *operand; /* the last one that came */
	bool done;     /* help or version was printed */
	struct error *err;
};

static int print_help(const struct argp_state *state, const char *name)
{
	scoped_free char *own_name = duplicate(name);

	argp_help(state->root_argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, own_name);
	return ECANCELED;
}

#define OPTIONS_MAX 64

/* The long options that a word may mean: the one of that very name, or those that begin so, as getopt_long(3) has it.
 */
struct meant {
	const struct argp_option *option; /* the only one, or NULL */
	const char *names[OPTIONS_MAX];
	size_t count;
};

static bool is_last(const struct argp_option *option)
{
	return !option || (!option->name && !option->key);
}

static bool add_meant(struct meant *meant, const struct argp_option *options, const char *name, size_t length)
{
	for (const struct argp_option *option = options; !is_last(option); option++) {
		if (!option->name || strncmp(option->name, name, length) != 0 || meant->count == OPTIONS_MAX)
			continue;
		meant->option = option;
		if (!option->name[length])
			return true;
		meant->names[meant->count++] = option->name;
	}
	return false;
}

/* `word`: --name or --name=value. */
static void find_meant(struct meant *meant, const struct argp *argp, const char *word)
{
	const char *name = word + 2;
	size_t length = strcspn(name, "=");

	*meant = (struct meant){0};
	if (length && !add_meant(meant, argp->options, name, length) &&
	    !add_meant(meant, common_options, name, length) && meant->count != 1)
		meant->option = NULL;
}

/* ", perhaps --NAME", or nothing. */
static char *nearest_option(const struct argp *argp, const char *word)
{
	const struct argp_option *const tables[] = {argp->options, common_options};
	const char *known[OPTIONS_MAX];
	const char *nearest;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(tables); i++)
		for (const struct argp_option *option = tables[i]; !is_last(option); option++)
			if (option->name && count < OPTIONS_MAX)
				known[count++] = option->name;
	nearest = nearest_name(word + 2, strcspn(word + 2, "="), known, count);
	return nearest ? format_text(", perhaps --%s", nearest) : duplicate("");
}

static char *list_of(const struct meant *meant)
{
	struct buffer text = {0};

	for (size_t i = 0; i < meant->count; i++)
		buffer_format(&text, "%s--%s", !i ? "" : i + 1 < meant->count ? ", " : " or ", meant->names[i]);
	return buffer_steal(&text);
}

static const struct argp_option *find_letter(const struct argp *argp, int letter)
{
	for (const struct argp_option *option = argp->options; !is_last(option); option++)
		if (option->key == letter)
			return option;
	return NULL;
}

/* What is wrong with a bundle of short options, or NULL; only the last one can lack its argument. */
static const char *fault_of_letters(const struct argp *argp, const char *letters)
{
	for (; *letters; letters++) {
		const struct argp_option *option = find_letter(argp, (unsigned char)*letters);

		if (!option)
			return "unknown option";
		if (option->arg)
			return letters[1] ? NULL : "this option needs an argument";
	}
	return NULL;
}

/* What is wrong with an option, or NULL. The caller frees. */
static char *fault_of(const struct argp *argp, const char *word)
{
	scoped_free char *more = NULL;
	struct meant meant;
	const char *fault;

	if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return NULL;
	if (word[1] != '-') {
		fault = fault_of_letters(argp, word + 1);
		return fault ? duplicate(fault) : NULL;
	}
	find_meant(&meant, argp, word);
	if (!meant.option) {
		more = meant.count ? list_of(&meant) : nearest_option(argp, word);
		return format_text("%s%s", meant.count ? "this may be " : "unknown option", more);
	}
	if (!meant.option->arg == !strchr(word, '='))
		return NULL;
	return duplicate(meant.option->arg ? "this option needs an argument" : "this option takes no argument");
}

/* argp only says that something was wrong. getopt has moved past it, unless it stands in a bundle of short options. */
static void explain(const struct argp_state *state, const struct parse *parse)
{
	const char *last = state->next > 1 ? state->argv[state->next - 1] : "";
	const char *next = state->next < state->argc ? state->argv[state->next] : "";
	scoped_free char *fault_of_last = fault_of(parse->argp, last);
	scoped_free char *fault_of_next = fault_of(parse->argp, next);
	const char *word = fault_of_last ? last : next;
	const char *fault = fault_of_last ? fault_of_last : fault_of_next;

	if (parse->err->number || parse->done)
		return;
	if (parse->operand && parse->operand == next) /* argp gave it back: no parser wanted it */
		error_set(parse->err, EINVAL, "%s: unexpected operand (see %s --help)", next, parse->name);
	else
		error_set(parse->err, EINVAL, "%s: %s (see %s --help)", word, fault ? fault : "unknown option",
			  parse->name);
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
	struct parse *parse = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = parse;
		return 0;
	case ARGP_KEY_ARG:
		parse->operand = argument;
		return ARGP_ERR_UNKNOWN;
	case KEY_HELP:
		parse->done = true;
		return print_help(state, parse->name);
	case KEY_VERSION:
		parse->done = true;
		printf("%s %s\n", parse->name, PACKAGE_VERSION);
		return ECANCELED;
	case ARGP_KEY_ERROR:
		explain(state, parse);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* For getopt, "-b -o FILE" names a file called -o. Nobody means that: who does has to write it in one word. */
static bool is_swallowed(const char *argument, const struct argp_state *state)
{
	return argument && argument[0] == '-' && argument[1] && argument == state->argv[state->next - 1];
}

/* "-o=FILE", as long options have it: for getopt the = is part of the argument. Who means that writes two words. */
static bool is_joined_by_sign(const char *argument, const struct argp_state *state)
{
	const char *word;

	if (!argument || argument[0] != '=')
		return false;
	word = state->argv[state->next - 1];
	return word[0] == '-' && word[1] != '-' && argument == strchr(word, '=');
}

static error_t parse_own(int key, char *argument, struct argp_state *state)
{
	struct parse *parse = state->input;

	if (key != ARGP_KEY_ARG && is_swallowed(argument, state)) {
		const char *word = state->argv[state->next - 2];

		return -error_set(
			parse->err, EINVAL,
			"%s: this option needs an argument, and %s reads like an option (see %s --help; should it "
			"be meant: %s%s%s)",
			word, argument, parse->name, word, word[1] == '-' ? "=" : "", argument);
	}
	if (key != ARGP_KEY_ARG && is_joined_by_sign(argument, state))
		return -error_set(parse->err, EINVAL,
				  "%s: a short option's argument stands without =: -%c %s (should it be meant: -%c %s)",
				  state->argv[state->next - 1], argument[-1], argument + 1, argument[-1], argument);
	state->input = parse->input;
	return parse->argp->parser(key, argument, state);
}

int options_parse(const struct argp *argp, const char *name, int argc, char **argv, unsigned flags, void *input,
		  struct error *err)
{
	struct parse parse = {.argp = argp, .name = name, .input = input, .err = err};
	const struct argp own = {.options = argp->options, .parser = parse_own};
	const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
	const struct argp whole = {common_options, parse_common, argp->args_doc, argp->doc, children, NULL, NULL};
	error_t result;

	result = argp_parse(&whole, argc, argv, flags | ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &parse);
	if (parse.done)
		return 1;
	if (result && !err->number)
		return error_set_errno(err, result, "reading the command line");
	return -err->number;
}

char **options_take_rest(struct argp_state *state, int *count)
{
	char **rest = state->argv + state->next - 1;

	*count = state->argc - state->next + 1;
	state->next = state->argc;
	return rest;
}
