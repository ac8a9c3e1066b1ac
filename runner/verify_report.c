#include "runner/verify_report.h"

#include <stdio.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/message.h"
#include "base/output.h"

static void print_item(const struct verify_item *item, bool colour)
{
	static const enum style styles[] = {
		[VERIFY_OK] = STYLE_GREEN, [VERIFY_DIFFERS] = STYLE_RED, [VERIFY_NOT_PROVABLE] = STYLE_YELLOW};
	const char *result = verify_result_name(item->result);
	scoped_buffer line = {0};

	output_add(&line, colour, styles[item->result], result);
	output_pad(&line, result, 14);
	output_add(&line, colour, STYLE_BOLD, item->control);
	output_pad(&line, item->control, 24);
	buffer_format(&line, "declared %s, observed %s", item->declared, item->observed);
	if (*item->reason)
		buffer_format(&line, ": %s", item->reason);
	output_line(stdout, &line);
}

static void print_text(const struct verify_sheet *sheet, const char *file, int abi)
{
	bool colour = output_has_colour(stdout);

	for (size_t i = 0; i < sheet->count; i++)
		print_item(&sheet->items[i], colour);
	print_line(stdout, "%s, Landlock ABI %d: %zu controls, %zu as declared, %zu not provable, %zu different", file,
		   abi, sheet->count, verify_sheet_count(sheet, VERIFY_OK),
		   verify_sheet_count(sheet, VERIFY_NOT_PROVABLE), verify_sheet_count(sheet, VERIFY_DIFFERS));
}

static void put_item(struct json *list, const struct verify_item *item)
{
	struct json *object = json_create_object();

	json_put_text(object, "control", item->control);
	json_put_text(object, "result", verify_result_name(item->result));
	json_put_text(object, "declared", item->declared);
	json_put_text(object, "observed", item->observed);
	json_put_text(object, "reason", *item->reason ? item->reason : NULL);
	json_put(list, NULL, object);
}

static void print_json(const struct verify_sheet *sheet, const char *file, int abi)
{
	scoped_json object = json_create_object();
	struct json *list = json_create_array();
	scoped_buffer text = {0};

	for (size_t i = 0; i < sheet->count; i++)
		put_item(list, &sheet->items[i]);
	json_put_number(object, "format", 1);
	json_put_bytes(object, "profile", file);
	json_put_number(object, "landlock", abi);
	json_put_flag(object, "different", verify_sheet_count(sheet, VERIFY_DIFFERS) > 0);
	json_put(object, "controls", list);
	json_write(object, true, &text);
	fwrite(text.data, 1, text.length, stdout);
}

void verify_report(const struct verify_sheet *sheet, const char *file, int abi, bool json)
{
	if (json)
		print_json(sheet, file, abi);
	else
		print_text(sheet, file, abi);
}
