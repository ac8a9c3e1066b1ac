#!/usr/bin/env bash
# Time: 1200 s
# What a session keeps is bounded by what is distinct: memory and log of a million opens of 100,000 files.
. "$TL_SRC/tests/lib.sh"

limit=900
fresh
mkdir here
run "$FIXTURES/repeats" file-make 100000
is "the files are there" "$status" 0

# kilobytes CMD…: the largest resident set of it.
kilobytes() {
  /usr/bin/python3 -c 'import os, sys
_, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))' "$@"
}

# session COUNT: so many opens.
session() {
  rm -f log.jsonl
  kilobytes timeout "$limit" "$TRACE_LEARN" -q -f -o p.ini -l log.jsonl -- "$FIXTURES/repeats" file-open "$1"
}

is_below() {
  echo "$1"
  [ "$1" -gt 0 ] && [ "$1" -le "$2" ]
}

check "memory is below 64 MiB" is_below "$(session 1000000)" 65536
check "the log has two lines for each file, and some more" is_below "$(wc -l <log.jsonl)" 200100
check "the profile has each file" is_below 100000 "$(grep -c '^allow = read_file .*/here/' p.ini)"
finish
