#include "runner/verify.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "runner/launch.h"
#include "runner/parent.h"
#include "runner/verify_calls.h"
#include "runner/verify_files.h"
#include "runner/verify_process.h"
#include "runner/verify_report.h"
#include "runner/verify_sheet.h"
#include "runner/verify_sockets.h"

#define SECONDS 60 /* for all that is tried: should a file system hang */

struct verify {
	const struct verify_options *options;
	struct verify_sheet *sheet;
	struct verify_files files;
	struct verify_sockets sockets;
	struct verify_calls calls;
	struct verify_process process;
};

static void keep_error(struct verify_sheet *sheet, const struct error *err)
{
	snprintf(sheet->error, sizeof sheet->error, "%s", err->message);
}

static void try_outside(struct verify *verify)
{
	verify_process_look_outside(&verify->process, verify->options->reach);
	verify_calls_try_outside(&verify->calls);
	verify_sockets_try_outside(&verify->sockets);
	verify_files_try_outside(&verify->files);
}

static void try_inside(struct verify *verify)
{
	verify_process_look_inside(&verify->process, verify->sheet);
	verify_files_try_inside(&verify->files, verify->sheet);
	verify_sockets_try_inside(&verify->sockets, verify->sheet);
	verify_calls_try_inside(&verify->calls, verify->options->ruleset->refused, verify->sheet);
}

static int be_probe(void *data)
{
	struct verify *verify = data;
	scoped_error err = {0};

	try_outside(verify);
	if (verify->options->restrict_probe(verify->options->data, &err) < 0) {
		keep_error(verify->sheet, &err);
		return STATUS_FAILURE;
	}
	try_inside(verify);
	verify->sheet->whole = true;
	return 0;
}

/* As trace-run is for a program. It gives its output away, so it is not the process that prints. */
static _Noreturn void be_parent(struct verify *verify)
{
	struct parent_end end;
	struct error err = {0};

	if (parent_run(be_probe, verify, verify->options->supervisor, SECONDS, &end, &err) < 0)
		keep_error(verify->sheet, &err);
	_exit(0);
}

/* The tree is to be removed whatever comes: who is asked to end waits for the probe, which ends at the same request. */
static void ignore_requests_to_end(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_IGN);
}

static int run_probe(struct verify *verify, struct error *err)
{
	pid_t pid = fork();

	if (pid == 0)
		be_parent(verify);
	if (pid < 0)
		return error_set_errno(err, errno, "no process can be made for the probe");
	ignore_requests_to_end();
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (*verify->sheet->error)
		return error_set(err, EPERM, "%s", verify->sheet->error);
	if (!verify->sheet->whole)
		return error_set(err, EPERM, "the probe was ended before it had tried every control");
	return 0;
}

static int verify_all(struct verify *verify, struct error *err)
{
	const struct verify_options *options = verify->options;
	int result = verify_files_make(&verify->files, options->ruleset, options->reach, err);

	if (result == 0) {
		verify_sockets_make(&verify->sockets, options->ruleset);
		result = run_probe(verify, err);
	}
	verify_files_remove(&verify->files);
	return result;
}

int verify_run(const struct verify_options *options, struct error *err)
{
	struct verify verify = {
		.options = options,
		.sheet = verify_sheet_create(),
		.process = {.drop_caps = options->drop_caps, .supervised = options->notified},
	};
	int status = STATUS_FAILURE;

	if (!verify.sheet)
		error_set_errno(err, errno, "no memory can be shared with the probe");
	else if (verify_all(&verify, err) == 0)
		status = verify_sheet_count(verify.sheet, VERIFY_DIFFERS) ? 1 : 0;
	if (status != STATUS_FAILURE)
		verify_report(verify.sheet, options->file, options->ruleset->abi, options->json);
	verify_sheet_destroy(verify.sheet);
	return status != STATUS_FAILURE && output_finish(stdout, err) < 0 ? STATUS_FAILURE : status;
}
