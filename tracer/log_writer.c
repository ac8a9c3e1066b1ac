#include "tracer/log_writer.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/worker.h"

#define BLOCK (64UL * 1024) /* bytes that are not kept back */

struct log_item *log_batch_add(struct log_batch *batch)
{
	struct log_item *item = ARRAY_APPEND(batch->items, batch->count, batch->capacity);

	*item = (struct log_item){0};
	return item;
}

static void finish_item(struct log_item *item)
{
	json_destroy(item->record);
	stack_moment_drop(item->stood);
}

void log_batch_finish(struct log_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		finish_item(&batch->items[i]);
	free(batch->items);
	*batch = (struct log_batch){0};
}

void log_writer_add(struct log_writer *writer, const struct json *record)
{
	log_file_add(&writer->file, record);
	if (writer->file.pending.length >= BLOCK)
		log_file_flush(&writer->file);
}

/* Whether a line may be added; once it may not, that is the last one. */
static bool has_room(struct log_writer *writer)
{
	uint64_t length = writer->file.length + writer->file.pending.length;
	struct json *record;

	if (writer->limit && length >= writer->limit && !writer->full) {
		writer->full = true;
		record = record_notice("log", "--log-max was reached: what follows is not in this log");
		log_writer_add(writer, record);
		json_destroy(record);
	}
	writer->dropped += writer->full;
	return !writer->full;
}

static void add_access(struct log_writer *writer, const struct log_item *item)
{
	scoped_stack stack = {0};

	if (item->stood)
		stacks_tell(writer->stacks, item->stood, &stack);
	json_clear(writer->record);
	record_access(writer->record, &writer->clock, &item->moment, item->access, writer->tiers,
		      item->stood ? &stack : NULL);
	log_writer_add(writer, writer->record);
}

void log_writer_take(struct log_writer *writer, struct log_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct log_item *item = &batch->items[i];

		if (has_room(writer) && item->record)
			log_writer_add(writer, item->record);
		else if (!writer->full)
			add_access(writer, item);
		finish_item(item);
	}
	batch->count = 0;
}

void log_writer_add_count(struct log_writer *writer, const struct access *access, uint64_t count)
{
	if (!has_room(writer))
		return;
	json_clear(writer->record);
	record_count(writer->record, &writer->clock, access, count);
	log_writer_add(writer, writer->record);
}

/* The worker's job. */
static void write_handed(void *data)
{
	struct log_writer *writer = data;

	log_writer_take(writer, &writer->handed);
	log_file_flush(&writer->file);
}

void log_writer_init(struct log_writer *writer)
{
	writer->record = json_create_object();
	writer->worker = worker_create("log-writer", write_handed, writer);
}

bool log_writer_is_idle(const struct log_writer *writer)
{
	return !worker_is_busy(writer->worker);
}

void log_writer_wait(const struct log_writer *writer)
{
	worker_wait(writer->worker);
}

static void exchange(struct log_batch *one, struct log_batch *other)
{
	struct log_batch kept = *one;

	*one = *other;
	*other = kept;
}

bool log_writer_hand(struct log_writer *writer, struct log_batch *batch)
{
	exchange(&writer->handed, batch);
	if (worker_begin(writer->worker))
		return true;
	exchange(&writer->handed, batch);
	return false;
}

void log_writer_finish(struct log_writer *writer)
{
	worker_destroy(writer->worker);
	log_batch_finish(&writer->handed);
	json_destroy(writer->record);
	log_file_finish(&writer->file);
}
