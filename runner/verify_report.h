/* What --verify prints: a line for each control, or JSON (docs/trace-run-verify.schema.json). */
#pragma once

#include <stdbool.h>

#include "runner/verify_sheet.h"

/* On stdout. `file` is the profile's name, `abi` the kernel's. */
void verify_report(const struct verify_sheet *sheet, const char *file, int abi, bool json);
