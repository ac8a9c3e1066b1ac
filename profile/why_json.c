#include <string.h>

#include "profile/fact.h"
#include "profile/why.h"

static void put_program(struct json *object, const struct evidence_program *program)
{
	struct json *list;

	json_put_bytes(object, "exe", program ? program->file : NULL);
	if (!program || !program->arguments) {
		json_put_text(object, "argv", NULL);
		return;
	}
	list = json_create_array();
	for (char **word = program->arguments; *word; word++)
		json_put_bytes(list, NULL, *word);
	json_put(object, "argv", list);
}

/* The process, and those that it comes from, up to the one that trace-learn started. */
static struct json *processes_json(const struct why_item *item)
{
	struct json *list = json_create_array();
	const struct evidence_session *session = item->session;

	for (size_t process = item->access->process; process != EVIDENCE_NONE;
	     process = session->processes[process].parent) {
		struct json *object = json_create_object();

		json_put_number(object, "pid", session->processes[process].pid);
		put_program(object, evidence_program_of(session, process));
		json_put(list, NULL, object);
	}
	return list;
}

static const char *need_kind_name(enum need_kind kind)
{
	static const char *const names[] = {
		[NEED_GRANT] = "grant", [NEED_MOVE] = "move", [NEED_PORT] = "port",
		[NEED_SCOPE] = "scope", [NEED_CALL] = "call", [NEED_REFUSED] = "refused",
	};

	return names[kind];
}

static struct json *need_json(const struct need *need)
{
	struct json *object = json_create_object();
	bool is_file = need->kind == NEED_GRANT || need->kind == NEED_MOVE;

	json_put_text(object, "kind", need_kind_name(need->kind));
	json_put_text(object, "rule", is_file ? need_rule_name(need->rule) : NULL);
	fact_put_rights(object, "rights", need->rights);
	fact_put_path(object, "path", is_file && need->rule == NEED_RULE_TERMINAL ? TERMINAL_PLACEHOLDER : need->path);
	fact_put_path(object, "name", need->name);
	fact_put_path(object, "to", need->to);
	return object;
}

static void put_port(struct json *object, const struct access *access)
{
	if (access->kind != ACCESS_PORT)
		json_put_text(object, "port", NULL);
	else if (access->port == PORT_ANY)
		json_put_text(object, "port", "any");
	else
		json_put_number(object, "port", access->port);
}

static void put_error(struct json *object, int error)
{
	const char *name = error ? strerrorname_np(error) : NULL;
	char number[16];

	snprintf(number, sizeof number, "E%d", error);
	json_put_text(object, "error", error && !name ? number : name);
}

static void put_access(struct json *object, const struct access *access)
{
	json_put_text(object, "kind", access_kind_name(access->kind));
	json_put_bytes(object, "exe", access->image);
	json_put_bytes(object, "syscall", access->call);
	json_put_bytes(object, "path", access->path);
	json_put_bytes(object, "path2", access->path2);
	put_port(object, access);
	put_error(object, access->error);
	json_put_flag(object, "asked", access->asked);
	json_put_flag(object, "inherited", access->inherited);
}

static struct json *stack_json(const struct evidence_access *access)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < access->frame_count; i++) {
		struct json *object = json_create_object();

		json_put_bytes(object, "function", access->stack[i].function);
		json_put_number(object, "offset", access->stack[i].offset);
		json_put_bytes(object, "module", access->stack[i].module);
		json_put(list, NULL, object);
	}
	return list;
}

static struct json *item_json(const struct why_item *item)
{
	struct json *object = json_create_object();
	struct json *needs = json_create_array();

	json_put_bytes(object, "log", item->session->log);
	json_put_number(object, "line", item->access->line);
	json_put_text(object, "relation", why_relation_name(item->relation));
	json_put_text(object, "time", item->access->time);
	json_put_number(object, "count", (long long)item->access->count);
	put_access(object, &item->access->access);
	json_put_text(object, "flags", item->access->flags);
	json_put(object, "processes", processes_json(item));
	json_put(object, "stack", stack_json(item->access));
	for (size_t i = 0; i < item->needs->count; i++)
		json_put(needs, NULL, need_json(&item->needs->items[i]));
	json_put(object, "needs", needs);
	return object;
}

struct json *why_json(const struct why *why)
{
	struct json *list = json_create_array();

	for (size_t i = 0; i < why->count; i++)
		json_put(list, NULL, item_json(&why->items[i]));
	return list;
}
