/* The file of an audit log, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/evidence.h"

/* Longer than any that is written: a command line has at most 32 KiB, five bytes for each. */
#define LINE_LIMIT (1U << 20)

enum line_end { LINE_WHOLE, LINE_CUT, LINE_NONE };

/* -EFBIG for a line over the limit, or the error of reading. */
static int read_line(FILE *file, struct buffer *line)
{
	int byte;

	buffer_clear(line);
	while ((byte = getc_unlocked(file)) != EOF) {
		if (byte == '\n')
			return LINE_WHOLE;
		if (line->length == LINE_LIMIT)
			return -EFBIG;
		buffer_add_byte(line, (char)byte);
	}
	if (ferror(file))
		return errno ? -errno : -EIO;
	return line->length ? LINE_CUT : LINE_NONE;
}

static int take_line(struct evidence *evidence, const struct buffer *line, unsigned number, struct error *err)
{
	scoped_json_value record = json_read(buffer_text(line), line->length, err);

	if (record)
		return evidence_take(evidence, record, number, err);
	return number == 1 ? error_context(err, "no audit log, as trace-learn -l writes one") : -err->number;
}

/* What was written up to a cut is no record; a whole one without its newline is. */
static int take_last(struct evidence *evidence, const struct buffer *line, unsigned number, struct error *err)
{
	scoped_error cut = {0};
	scoped_json_value record = json_read(buffer_text(line), line->length, &cut);

	if (record)
		return evidence_take(evidence, record, number, err);
	evidence->logs[evidence->log_count - 1].cut = true;
	return 0;
}

static int read_lines(struct evidence *evidence, FILE *file, unsigned *number, struct error *err)
{
	scoped_buffer line = {0};
	int result;

	for (*number = 1;; ++*number) {
		errno = 0;
		result = read_line(file, &line);
		if (result == LINE_NONE)
			return *number > 1 ? 0 : error_set(err, EINVAL, "it is empty: no audit log");
		if (result == -EFBIG)
			return error_set(err, EINVAL, "the line has more than %u bytes: no audit log", LINE_LIMIT);
		if (result < 0)
			return error_set_errno(err, -result, "cannot be read");
		if (result == LINE_CUT)
			return take_last(evidence, &line, *number, err);
		if (take_line(evidence, &line, *number, err) < 0)
			return -err->number;
	}
}

int evidence_read(struct evidence *evidence, const char *name, struct error *err)
{
	scoped_file file = fopen(name, "re");
	unsigned number = 0;

	if (!file)
		return error_set_errno(err, errno, "%s", name);
	*ARRAY_APPEND(evidence->logs, evidence->log_count, evidence->log_capacity) =
		(struct evidence_log){.name = duplicate(name)};
	if (read_lines(evidence, file, &number, err) < 0)
		return error_context(err, "%s:%u", name, number);
	return 0;
}

static void free_texts(char **texts)
{
	for (size_t i = 0; texts && texts[i]; i++)
		free(texts[i]);
	free(texts);
}

static void free_stack(struct evidence_access *access)
{
	for (size_t i = 0; i < access->frame_count; i++) {
		free(access->stack[i].function);
		free(access->stack[i].module);
	}
	free(access->stack);
}

static void destroy_session(struct evidence_session *session)
{
	for (size_t i = 0; i < session->access_count; i++) {
		free(session->accesses[i].flags);
		free(session->accesses[i].time);
		free_stack(&session->accesses[i]);
		needs_finish(&session->accesses[i].needs);
	}
	for (size_t i = 0; i < session->program_count; i++) {
		free(session->programs[i].file);
		free_texts(session->programs[i].arguments);
	}
	free(session->accesses);
	free(session->processes);
	free(session->programs);
	learner_destroy(session->learner);
	evidence_index_destroy(session->index);
	free(session->start);
	free(session->tty);
	free(session);
}

void evidence_finish(struct evidence *evidence)
{
	for (size_t i = 0; i < evidence->session_count; i++)
		destroy_session(evidence->sessions[i]);
	for (size_t i = 0; i < evidence->log_count; i++)
		free(evidence->logs[i].name);
	free(evidence->sessions);
	free(evidence->logs);
	*evidence = (struct evidence){0};
}
