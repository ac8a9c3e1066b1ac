/* Any bytes are an audit log or an error with a message; what is read can be asked about, and printed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "profile/tiers_table.h"
#include "profile/variables.h"
#include "profile/why.h"

static void print_all(struct evidence *evidence, const struct tiers *tiers)
{
	scoped_free char *text = NULL;
	scoped_file out = NULL;
	size_t size;

	out = open_memstream(&text, &size);
	for (size_t i = 0; i < evidence->session_count; i++) {
		struct evidence_session *session = evidence->sessions[i];

		for (size_t j = 0; j < session->access_count && j < 4; j++) {
			const char *path = session->accesses[j].access.path;
			struct question question = {.kind = j % 2 ? QUESTION_GRANT : QUESTION_PATH,
						    .rights = RIGHTS_FILE_SYSTEM,
						    .path = (char *)(path ? path : "/")};
			scoped_why why = {0};

			why_find(evidence, tiers, &question, &why);
			why_print(&why, &question, "", 20, out, false);
			json_destroy(why_json(&why));
		}
	}
	fflush(out);
	for (size_t i = 0; i < size; i++)
		if (text[i] != '\n' && (unsigned char)text[i] < ' ')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct variables variables = {.home = (char *)"/home/me"};
	static struct tiers *tiers;
	scoped_fd fd = memfd_create("log", MFD_CLOEXEC);
	scoped_evidence evidence = {0};
	scoped_error err = {0};
	char name[64];

	if (!tiers && tiers_read_text(tiers_builtin, strlen(tiers_builtin), "tiers", &variables, &tiers, &err) < 0)
		abort();
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	if (evidence_read(&evidence, name, &err) == 0)
		print_all(&evidence, tiers);
	else if (!err.message)
		abort();
	return 0;
}
