#include "runner/explained.h"

#include "runner/explain_report.h"
#include "runner/launch.h"

static int tell(const struct explained *explained, struct explain *explain, struct error *err)
{
	struct verdict verdict;
	int result = 0;

	verdict_make(&verdict, explain);
	if (explained->json)
		explain_report_json(explain, &verdict);
	else
		explain_report_text(explain, &verdict);
	if (explained->apply)
		result = explain_apply_write(explained->apply, explain->options.profile, &verdict, err);
	verdict_finish(&verdict);
	return result;
}

/* That the program itself could not be executed is explained like everything else. */
int explained_run(const struct explained *explained, struct parent_end *end, struct error *err)
{
	struct error lost = {0};
	struct explain explain;
	int status;

	explain_init(&explain, &explained->options);
	status = traced_run(&explained->traced, &explain, end, err);
	if (status != STATUS_FAILURE && tell(explained, &explain, &lost) < 0) {
		error_finish(err);
		*err = lost;
		status = STATUS_FAILURE;
	}
	explain_finish(&explain);
	return status;
}
