#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "profile/fact.h"
#include "profile/why.h"

#define ARGUMENTS_SHOWN 160 /* bytes of a command line */
#define ANCESTOR_SHOWN	60  /* of one above it */
#define ANCESTORS_SHOWN 8

struct print {
	const struct question *question;
	const char *indent;
	FILE *out;
	bool colour;
	bool with_log; /* there are several: each access says which */
};

static void print(const struct print *to, enum style style, const char *deeper, const char *text)
{
	scoped_buffer line = {0};

	buffer_format(&line, "%s%s", to->indent, deeper);
	output_add(&line, to->colour, style, text);
	output_line(to->out, &line);
}

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

	return *word && strspn(word, plain) == strlen(word);
}

/* As a shell takes it. */
static void add_word(struct buffer *text, const char *word)
{
	if (is_plain(word)) {
		buffer_add_text(text, word);
		return;
	}
	buffer_add_byte(text, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buffer_add_text(text, "'\\''");
		else
			buffer_add_byte(text, *word);
	}
	buffer_add_byte(text, '\'');
}

/* The command line of a process, cut where it is long; else the name of its program. */
static void add_command(struct buffer *text, const struct evidence_program *program, size_t most)
{
	scoped_buffer words = {0};

	for (char **word = program->arguments; word && *word && words.length <= most; word++) {
		if (words.length)
			buffer_add_byte(&words, ' ');
		add_word(&words, *word);
	}
	if (!words.length)
		buffer_add_text(&words, program->file ? program->file : "?");
	if (words.length <= most) {
		buffer_add(text, words.data, words.length);
		return;
	}
	buffer_add(text, words.data, most);
	buffer_add_text(text, " ...");
}

static void print_who(const struct print *to, const struct why_item *item)
{
	const struct evidence_program *program = evidence_program_of(item->session, item->access->process);
	const char *image = item->access->access.image;
	scoped_buffer text = {0};

	if (program)
		add_command(&text, program, ARGUMENTS_SHOWN);
	else
		buffer_add_text(&text, image ? image : "a program that is not known");
	print(to, STYLE_BOLD, "", text.data);
}

/* "process 12 (/bin/cat), of make (11), of sh -c make (10)" */
static void print_origin(const struct print *to, const struct why_item *item)
{
	const struct evidence_session *session = item->session;
	size_t process = item->access->process, shown = 0;
	scoped_buffer text = {0};

	if (!item->access->pid)
		return;
	buffer_format(&text, "process %lld", item->access->pid);
	if (item->access->access.image)
		buffer_format(&text, " (%s)", item->access->access.image);
	for (; process != EVIDENCE_NONE && session->processes[process].parent != EVIDENCE_NONE; shown++) {
		const struct evidence_program *program;

		process = session->processes[process].parent;
		program = evidence_program_of(session, process);
		if (shown == ANCESTORS_SHOWN) {
			buffer_add_text(&text, ", ...");
			break;
		}
		buffer_add_text(&text, ", of ");
		if (program)
			add_command(&text, program, ANCESTOR_SHOWN);
		buffer_format(&text, " (%lld)", session->processes[process].pid);
	}
	print(to, STYLE_PLAIN, "  ", text.data);
}

static void add_object(struct buffer *text, const struct access *access)
{
	scoped_free char *port = access->kind == ACCESS_PORT ? fact_port(access->rights, access->port) : NULL;
	scoped_free char *path = access->path ? fact_path(access->path) : NULL;
	scoped_free char *path2 = access->path2 ? fact_path(access->path2) : NULL;

	if (port)
		buffer_format(text, " %s", port);
	if (path)
		buffer_format(text, " %s", path);
	if (path2)
		buffer_format(text, " to %s", path2);
}

static void add_error(struct buffer *text, int error)
{
	const char *name = error ? strerrorname_np(error) : "ok";

	if (name)
		buffer_format(text, ": %s", name);
	else
		buffer_format(text, ": error %d", error);
}

static void print_call(const struct print *to, const struct why_item *item)
{
	const struct evidence_access *access = item->access;
	scoped_buffer text = {0};

	buffer_add_text(&text, access->access.call ? access->access.call : access_kind_name(access->access.kind));
	if (access->flags)
		buffer_format(&text, " %s", access->flags);
	add_object(&text, &access->access);
	add_error(&text, access->access.error);
	if (access->count > 1)
		buffer_format(&text, ", %llu times", (unsigned long long)access->count);
	if (access->time)
		buffer_format(&text, "%s%s", access->count > 1 ? ", first " : ", ", access->time);
	if (to->with_log)
		buffer_format(&text, ", %s:%u", item->session->log, access->line);
	print(to, STYLE_PLAIN, "  ", text.data);
}

static void print_need(const struct print *to, const struct need *need)
{
	scoped_free char *grant =
		fact_grant(need->rights, need->rule == NEED_RULE_TERMINAL ? TERMINAL_PLACEHOLDER : need->path);
	scoped_free char *text =
		format_text("%s -> %s: %s", need_rule_name(need->rule), grant, need_rule_text(need->rule));

	print(to, STYLE_PLAIN, "  ", text);
}

static void print_move(const struct print *to, const struct need *need)
{
	scoped_free char *from = fact_path(need->path);
	scoped_free char *target = fact_path(need->to);
	scoped_free char *text = format_text(
		"moves -> %s: what is granted on %s has to be granted here too, or the kernel refuses the move", from,
		target);

	print(to, STYLE_PLAIN, "  ", text);
}

static void print_other(const struct print *to, const struct need *need)
{
	if (need->kind == NEED_PORT)
		print(to, STYLE_PLAIN, "  ", "exact: a port has a line of its own");
	else if (need->kind == NEED_REFUSED)
		print(to, STYLE_PLAIN, "  ", "no grant: it is an entry of another process");
	else
		print(to, STYLE_PLAIN, "  ", "exact: it has a line of its own");
}

/* Of a move that is asked about because of its directories, what it may gain is of no interest. */
static bool is_shown(const struct print *to, const struct why_item *item, const struct need *need)
{
	if (item->relation == WHY_MOVES)
		return need->kind == NEED_MOVE;
	if (to->question->kind == QUESTION_PATH)
		return true;
	return item->relation == WHY_BENEATH ? need->kind == NEED_GRANT || need->kind == NEED_PORT
					     : why_matches(to->question, need);
}

static const char *why_nothing(const struct access *access)
{
	if (access->inherited)
		return "no grant: the descriptor came from outside the session";
	if (access->kind == ACCESS_METADATA)
		return "no grant: changes of metadata have a word in [seccomp]";
	if (access->kind == ACCESS_MISSING)
		return "no grant: nothing was there";
	if (!access->asked)
		return "no grant: the kernel did not ask Landlock";
	return "no grant";
}

static void print_needs(const struct print *to, const struct why_item *item)
{
	if (!item->needs->count)
		print(to, STYLE_DIM, "  ", why_nothing(&item->access->access));
	for (size_t i = 0; i < item->needs->count; i++) {
		const struct need *need = &item->needs->items[i];

		if (!is_shown(to, item, need))
			continue;
		if (need->kind == NEED_GRANT)
			print_need(to, need);
		else if (need->kind == NEED_MOVE)
			print_move(to, need);
		else
			print_other(to, need);
	}
	if (item->relation == WHY_BENEATH)
		print(to, STYLE_PLAIN, "  ", "the line is wider than that: collapsed, or written so");
}

/* "open+0x51 (/usr/lib/libc.so.6)" */
static void print_stack(const struct print *to, const struct evidence_access *access)
{
	for (size_t i = 0; i < access->frame_count; i++) {
		const struct evidence_frame *frame = &access->stack[i];
		scoped_buffer text = {0};

		buffer_format(&text, "%s+0x%llx", frame->function ? frame->function : "?", frame->offset);
		if (frame->module)
			buffer_format(&text, " (%s)", frame->module);
		print(to, STYLE_DIM, "    at ", text.data);
	}
}

/* Of little interest, and there may be many: a line for each program. */
static void print_look(const struct print *to, const struct why_item *item)
{
	const struct evidence_access *access = item->access;
	const struct evidence_program *program = evidence_program_of(item->session, access->process);
	const char *image = access->access.image;
	scoped_buffer text = {0};

	buffer_add_text(&text, "looked at, which takes no grant: ");
	if (program)
		add_command(&text, program, ANCESTOR_SHOWN);
	else
		buffer_add_text(&text, image ? image : "a program that is not known");
	buffer_format(&text, " (%s", access->access.call ? access->access.call : "?");
	if (access->count > 1)
		buffer_format(&text, ", %llu times", (unsigned long long)access->count);
	buffer_add_byte(&text, ')');
	print(to, STYLE_DIM, "", text.data);
}

static void print_item(const struct print *to, const struct why_item *item)
{
	if (item->access->access.kind == ACCESS_LOOK) {
		print_look(to, item);
		return;
	}
	print_who(to, item);
	print_origin(to, item);
	print_call(to, item);
	print_stack(to, item->access);
	print_needs(to, item);
}

static void print_rest(const struct print *to, const struct why *why, size_t most)
{
	scoped_free char *left = why->count > most ? format_text("and %zu more", why->count - most) : NULL;
	scoped_free char *beneath = format_text("%zu accesses of what lies beneath it", why->beneath);
	scoped_free char *rights = fact_rights(why->unexplained);
	scoped_free char *nothing = format_text(
		"%s: no access in these logs took it: it comes from another session, or a person wrote it", rights);

	if (left)
		print(to, STYLE_DIM, "", left);
	if (why->beneath)
		print(to, STYLE_DIM, "", beneath);
	if (why->unexplained)
		print(to, STYLE_YELLOW, "", nothing);
}

void why_print(const struct why *why, const struct question *question, const char *indent, size_t most, FILE *out,
	       bool colour)
{
	struct print to = {.question = question, .indent = indent, .out = out, .colour = colour};

	for (size_t i = 1; i < why->count; i++)
		to.with_log |= why->items[i].session->log != why->items[0].session->log;
	for (size_t i = 0; i < why->count && i < most; i++)
		print_item(&to, &why->items[i]);
	print_rest(&to, why, most);
}
