#include <errno.h>

#include "runner/explained.h"
#include "runner/start_parts.h"

int start_open_files(struct start *start, struct error *err)
{
	const struct start_options *options = start->options;

	if (options->log || options->apply)
		hash_text(start->bytes.data, start->bytes.length, start->sha256);
	if (options->log && explain_apply_reach("-l ", options->log, &start->reach, err) < 0)
		return -err->number;
	if (!options->apply)
		return 0;
	start->apply = (struct explain_apply){.name = options->apply,
					      .profile = options->profile,
					      .sha256 = start->sha256,
					      .tiers = start->tiers,
					      .reach = &start->reach};
	if (explain_apply_open(&start->apply, err) < 0)
		return -err->number;
	if (options->log && atomic_file_is_at(&start->apply.file, options->log))
		return error_set(err, EEXIST, "-l %s: --apply is to write there: name another", options->log);
	return 0;
}

static struct explained explained_of(struct start *start)
{
	const struct start_options *options = start->options;

	return (struct explained){
		.options = {.file = options->profile,
			    .profile = &start->profile,
			    .tiers = start->tiers,
			    .reach = &start->reach,
			    .tty = start->tty,
			    .handled = start->ruleset.handled,
			    .refused = start->ruleset.refused,
			    .replay = options->replay,
			    .enforced = !options->only_look},
		.traced = {.trace = options->trace,
			   .prepare = start_restrict,
			   .execute = start_execute,
			   .data = start,
			   .supervisor = start->supervised && !options->only_look ? &start->supervisor : NULL,
			   .timeout = options->timeout},
		.json = options->json,
	};
}

static struct traced_log log_of(const struct start *start)
{
	return (struct traced_log){
		.name = start->options->log,
		.arguments = start->command.arguments,
		.program = start->command.name,
		.tty = start->tty,
		.tiers = start->tiers,
		.abi = start->ruleset.abi,
		.profile = &start->profile,
		.profile_name = start->options->profile,
		.profile_hash = start->sha256,
	};
}

int start_explained(struct start *start, struct parent_end *end, struct error *err)
{
	const struct start_options *options = start->options;
	struct explained explained = explained_of(start);
	const struct traced_log log = log_of(start);
	int status;

	if (options->log)
		explained.traced.log = &log;
	if (options->apply)
		explained.apply = &start->apply;
	status = explained_run(&explained, end, err);
	if (!status && options->ended)
		options->ended(options->data);
	return status;
}
