/* `trace-run doctor`: what this kernel, container and user can do, with cause and remedy for what they cannot. */
#pragma once

#include <stdio.h>

/* Prints the report; returns 0 when trace-run can enforce everything its tables know up to this kernel, else 1. */
int doctor_report(FILE *out);
