#include "runner/explained.h"

#include "base/message.h"
#include "runner/explain_report.h"
#include "runner/launch.h"

static int apply(const struct explained *explained, struct explain *explain, const struct verdict *verdict,
		 struct error *err)
{
	return explained->apply ? explain_apply_write(explained->apply, explain->options.profile, verdict, err) : 0;
}

/* JSON is the last line on standard error, so what else there is to say comes before it. */
static int tell_json(const struct explained *explained, struct explain *explain, const struct verdict *verdict,
		     struct error *err)
{
	struct error lost = {0};
	int result = apply(explained, explain, verdict, &lost);

	if (err->number)
		message_error(err);
	error_finish(err);
	if (result < 0)
		message_error(&lost);
	error_finish(&lost);
	explain_report_json(explain, verdict);
	return result;
}

static int tell_text(const struct explained *explained, struct explain *explain, const struct verdict *verdict,
		     struct error *err)
{
	struct error lost = {0};
	int result;

	explain_report_text(explain, verdict);
	result = apply(explained, explain, verdict, &lost);
	if (result == 0)
		return 0;
	error_finish(err);
	*err = lost;
	return result;
}

/* That the program itself could not be executed is explained like everything else: err may be set already. */
static int tell(const struct explained *explained, struct explain *explain, struct error *err)
{
	struct verdict verdict;
	int result;

	verdict_make(&verdict, explain);
	result = (explained->json ? tell_json : tell_text)(explained, explain, &verdict, err);
	verdict_finish(&verdict);
	return result;
}

int explained_run(const struct explained *explained, struct parent_end *end, struct error *err)
{
	struct explain explain;
	int status;

	explain_init(&explain, &explained->options);
	status = traced_run(&explained->traced, &explain, end, err);
	if (status != STATUS_FAILURE && tell(explained, &explain, err) < 0)
		status = STATUS_FAILURE;
	explain_finish(&explain);
	return status;
}
