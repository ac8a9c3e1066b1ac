#!/usr/bin/env python3
"""explain_same.py TEXT JSON: whether two reports of trace-run -e, in both forms, tell the same; says where not, and ends with 1.

Compared are the lines with their sections, in their order, or why there is none, and of each use beneath one the call, the
errno and what was missing.
"""
import json
import re
import sys

MOST_USES = 5  # of one line, as text
NO_LINE = "no line can be added: "
USE = re.compile(r"(\S+) .*: (E[A-Z]+), for want of ([a-z_,]+)")


def of_text(lines):
    heads, uses = [], {}
    for line in lines:
        if not line.startswith("trace-run: "):
            continue  # the program's
        line = line.removeprefix("trace-run: ")
        if line.startswith("    ") and heads:
            found = USE.match(line.strip())
            if found:
                uses.setdefault(heads[-1], set()).add(found.groups())
        elif line.startswith("  ") and line.strip():
            heads.append(line.strip().removeprefix(NO_LINE))
    return heads, uses


def of_json(report):
    heads, uses = [], {}
    for line in report["lines"]:
        heads.append(f"[{line['section']}] {line['line']}" if line["line"] else line["reason"])
        for use in line["uses"][:MOST_USES]:
            if use["error"]:
                uses.setdefault(heads[-1], set()).add((use["call"], use["error"], ",".join(use["missing"])))
    return heads + report["notes"], uses


with open(sys.argv[1], errors="surrogateescape") as text, open(sys.argv[2]) as document:
    told, known = of_text(text.read().splitlines()), of_json(json.load(document))
told = ([head for head in told[0] if not head.startswith("and ")], told[1])
if told != known:
    print(f"text: {told}\nJSON: {known}")
    sys.exit(1)
