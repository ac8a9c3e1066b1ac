/* What -e and -n say at the end, on stderr: as text, or as one line of JSON (docs/trace-run-explain.schema.json). */
#pragma once

#include "runner/verdict.h"

void explain_report_text(const struct explain *explain, const struct verdict *verdict);
void explain_report_json(const struct explain *explain, const struct verdict *verdict);
