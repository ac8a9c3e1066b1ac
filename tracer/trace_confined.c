#include "tracer/trace_confined.h"

#include "tracer/trace.h"

int trace_confined(const struct traced_program *program, struct traced_end *end, struct error *err)
{
	const struct trace_options options = {.timeout = program->timeout, .confined = program->confined};
	const struct trace_program traced = {
		.prepare = program->prepare, .execute = program->execute, .make = program->make, .data = program->data};
	const struct trace_observer observer = {.access = program->access,
						.notice = program->notice,
						.incomplete = program->notice,
						.data = program->observer};
	struct trace_result result;
	int status = trace_session(&options, &traced, &observer, &result, err);

	*end = (struct traced_end){.status = result.interrupted ? result.interrupted : result.status,
				   .timed_out = result.timed_out,
				   .exec_error = result.exec_error,
				   .exec_message = result.exec_message};
	return status;
}
