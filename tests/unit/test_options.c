/* Command lines and what goes to stdout for people. */
#include <criterion/criterion.h>
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/output.h"

struct seen {
	const char *format;
	bool quiet;
	const char *operands[4];
	int count;
	char **rest;
	int rest_count;
	bool take_rest;
	struct error *err;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct seen *seen = state->input;

	switch (key) {
	case 'f':
		seen->format = argument;
		if (strcmp(argument, "bad") == 0)
			return error_set(seen->err, EINVAL, "no such format"), EINVAL;
		return 0;
	case 'q':
		seen->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (seen->take_rest)
			seen->rest = options_take_rest(state, &seen->rest_count);
		else if (seen->count == 2)
			return ARGP_ERR_UNKNOWN;
		else
			seen->operands[seen->count++] = argument;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option test_options[] = {
	{"format", 'f', "FORM", 0, "a form", 0},
	{"format-all", 0x100, "FORM", 0, "the form of all", 0},
	{"quiet", 'q', NULL, 0, "say less", 0},
	{0},
};
static const struct argp test_argp = {.options = test_options, .parser = parse_option, .args_doc = "A B"};

/* Parses the words (ending in NULL) and gives what options_parse() gave. */
static int parse(struct seen *seen, struct error *err, unsigned flags, const char *const *words)
{
	static char *argv[10]; /* what is left to others points into it */
	int argc = 1;

	argv[0] = (char *)"test";
	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	seen->err = err;
	return options_parse(&test_argp, "test", argc, argv, flags, seen, err);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(options, options_and_operands)
{
	struct seen seen = {0};
	scoped_error err = {0};

	cr_assert_eq(parse(&seen, &err, 0, WORDS("a", "--format=x", "-q", "--", "--b")), 0);
	cr_expect_str_eq(seen.format, "x");
	cr_expect(seen.quiet);
	cr_assert_eq(seen.count, 2);
	cr_expect_str_eq(seen.operands[0], "a");
	cr_expect_str_eq(seen.operands[1], "--b");
}

Test(options, the_rest_belongs_to_someone_else)
{
	struct seen seen = {.take_rest = true};
	scoped_error err = {0};

	cr_assert_eq(parse(&seen, &err, ARGP_IN_ORDER, WORDS("-q", "a", "--format", "--", "--help")), 0);
	cr_expect(!seen.format);
	cr_assert_eq(seen.rest_count, 4);
	cr_expect_str_eq(seen.rest[0], "a");
	cr_expect_str_eq(seen.rest[3], "--help");
}

static void expect_error(const char *want, const char *const *words)
{
	struct seen seen = {0};
	scoped_error err = {0};

	cr_expect_eq(parse(&seen, &err, 0, words), -EINVAL);
	cr_assert_not_null(err.message);
	cr_expect_str_eq(err.message, want);
}

Test(options, one_line_for_what_is_wrong)
{
	expect_error("--nope: unknown option (see test --help)", WORDS("--nope"));
	expect_error("--nope=1: unknown option (see test --help)", WORDS("a", "--nope=1", "b"));
	expect_error("--format: this option needs an argument (see test --help)", WORDS("--format"));
	expect_error("--quiet=1: this option takes no argument (see test --help)", WORDS("--quiet=1"));
	expect_error("-x: unknown option (see test --help)", WORDS("-x"));
	expect_error("-xq: unknown option (see test --help)", WORDS("a", "-xq"));
	expect_error("-qx: unknown option (see test --help)", WORDS("-qx", "a"));
	expect_error("-qx: unknown option (see test --help)", WORDS("-q", "--quiet", "-qx"));
	expect_error("-f: this option needs an argument (see test --help)", WORDS("a", "-f"));
	expect_error("-qf: this option needs an argument (see test --help)", WORDS("-q", "-qf"));
	expect_error("c: unexpected operand (see test --help)", WORDS("a", "b", "c"));
	expect_error("c: unexpected operand (see test --help)", WORDS("a", "b", "-q", "--", "c"));
	expect_error("no such format", WORDS("--format=bad", "--nope"));
}

Test(options, a_long_name_may_be_short)
{
	struct seen seen = {0};
	scoped_error err = {0};

	cr_assert_eq(parse(&seen, &err, 0, WORDS("--qu", "--format", "x")), 0);
	cr_expect(seen.quiet);
	cr_expect_str_eq(seen.format, "x");
	expect_error("--format-a: this option needs an argument (see test --help)", WORDS("--format-a"));
	expect_error("--qu=1: this option takes no argument (see test --help)", WORDS("--qu=1"));
	expect_error("--help=1: this option takes no argument (see test --help)", WORDS("--help=1"));
	expect_error("--for=1: this may be --format or --format-all (see test --help)", WORDS("--for=1"));
}

Test(options, an_option_is_no_argument)
{
	struct seen seen = {0};
	scoped_error err = {0};

	expect_error(
		"-f: this option needs an argument, and -q reads like an option (see test --help; should it be meant: "
		"-f-q)",
		WORDS("-f", "-q", "a"));
	expect_error(
		"-qf: this option needs an argument, and -- reads like an option (see test --help; should it be meant: "
		"-qf--)",
		WORDS("a", "-qf", "--", "b"));
	expect_error("--format: this option needs an argument, and --quiet reads like an option (see test --help; "
		     "should it be "
		     "meant: --format=--quiet)",
		     WORDS("--format", "--quiet"));
	cr_assert_eq(parse(&seen, &err, 0, WORDS("-f-q", "--", "-a")), 0);
	cr_expect_str_eq(seen.format, "-q");
	cr_expect_not(seen.quiet);
	cr_expect_str_eq(seen.operands[0], "-a");
	cr_assert_eq(parse(&seen, &err, 0, WORDS("--format=-q")), 0);
	cr_expect_str_eq(seen.format, "-q");
	cr_assert_eq(parse(&seen, &err, 0, WORDS("-f", "-")), 0);
	cr_expect_str_eq(seen.format, "-");
}

Test(options, a_sign_between_a_short_option_and_its_argument)
{
	struct seen seen = {0};
	scoped_error err = {0};

	expect_error("-f=x: a short option's argument stands without =: -f x (should it be meant: -f =x)",
		     WORDS("-f=x"));
	expect_error("-qf=x=y: a short option's argument stands without =: -f x=y (should it be meant: -f =x=y)",
		     WORDS("a", "-qf=x=y"));
	cr_assert_eq(parse(&seen, &err, 0, WORDS("-f", "=x")), 0);
	cr_expect_str_eq(seen.format, "=x");
	cr_assert_eq(parse(&seen, &err, 0, WORDS("-fx=y")), 0);
	cr_expect_str_eq(seen.format, "x=y");
	cr_assert_eq(parse(&seen, &err, 0, WORDS("--format==x")), 0);
	cr_expect_str_eq(seen.format, "=x");
}

Test(options, what_may_have_been_meant)
{
	expect_error("--fromat=1: unknown option, perhaps --format (see test --help)", WORDS("--fromat=1"));
	expect_error("--format_all: unknown option, perhaps --format-all (see test --help)", WORDS("--format_all"));
	expect_error("--versoin: unknown option, perhaps --version (see test --help)", WORDS("a", "--versoin"));
	expect_error("--=1: unknown option (see test --help)", WORDS("--=1"));
}

Test(output, width_counts_what_is_seen)
{
	cr_expect_eq(output_width(""), 0);
	cr_expect_eq(output_width("abc"), 3);
	cr_expect_eq(output_width("\xc3\xa9"), 1);
	cr_expect_eq(output_width("\x1b"), 4);		/* \x1b */
	cr_expect_eq(output_width("\xe2\x80\xae"), 12); /* \xe2\x80\xae */
}

Test(output, only_the_colours_are_ours)
{
	scoped_buffer line = {0};

	output_add(&line, false, STYLE_RED, "a\x1b[31m");
	cr_expect_str_eq(line.data, "a\\x1b[31m");
	buffer_clear(&line);
	output_add(&line, true, STYLE_YELLOW, "a\x1b");
	cr_expect_str_eq(line.data, "\033[33ma\\x1b\033[0m");
}

Test(output, lines)
{
	scoped_buffer line = {0};
	scoped_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	output_add(&line, false, STYLE_PLAIN, "ab");
	output_pad(&line, "ab", 4);
	buffer_add_text(&line, "c");
	output_line(out, &line);
	output_pad(&line, "", 3);
	output_line(out, &line);
	fclose(out);
	cr_expect_str_eq(text, "ab  c\n\n");
}

Test(output, a_full_disk_is_an_error)
{
	FILE *out = fopen("/dev/full", "w");
	scoped_error err = {0};

	cr_assert_not_null(out);
	fputs("text", out);
	cr_expect_eq(output_finish(out, &err), -ENOSPC);
	cr_expect_not_null(err.message);
	fclose(out);
	out = fopen("/dev/full", "w");
	setvbuf(out, NULL, _IONBF, 0); /* then it fails at once, and flushing finds nothing left to write */
	fputs("text", out);
	cr_expect_lt(output_finish(out, &err), 0);
	fclose(out);
}

Test(output, no_colour_where_there_is_no_terminal)
{
	scoped_file out = fopen("/dev/null", "w");

	cr_expect(!output_has_colour(out));
}
