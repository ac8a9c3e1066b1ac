#!/usr/bin/env bash
# What the tree promises of itself: each test runs, each header is in the release (both are named in a Makemodule.am), the
# pages that tell of the tree name what there is, and files stay short.
. "$TL_SRC/tests/lib.sh"

cd "$TL_SRC" || exit 1
rooms=(base profile tracer runner)
sources=(base/*.[ch] profile/*.[ch] tracer/*.[ch] runner/*.[ch])
pages=(docs/internals.md docs/internals/*.md docs/glossary.md CONTRIBUTING.md)

unlisted() {
  find "${rooms[@]}" fixtures tests \( -name '*.h' -o -path 'tests/*.sh' -o -name 'test_*.c' \) -print |
    LC_ALL=C sort | while read -r file; do
    cat Makefile.am ./*/Makemodule.am | grep -qF -e "$file" || echo "$file"
  done
}

# Files of ours that pages and comments name: not patterns, not those of the kernel and of system headers.
unknown_files() {
  {
    cat "$@"
    grep -hE '^[[:space:]]*(/\*|\*)|/\*' "${sources[@]}"
  } | grep -oE '[A-Za-z0-9_.*/-]+\.(c|h|sh|trip)\b' | grep -vE '\*|^_main\.c$|^(fs|kernel|linux|net|security|sys)/|mine\.sh|/x\.sh' |
    LC_ALL=C sort -u | while read -r file; do
    grep -qF -e "/${file##*/}" <<<"$files" || echo "$file"
  done
}

# Functions, as f(), that no code has.
unknown_functions() {
  comm -23 <(cat "$@" | grep -owE '[a-z][a-z0-9_]*\(\)' | tr -d '()' | LC_ALL=C sort -u) "$TL_DIR/words"
}

# Those that were longer when this was written: none may come, and what was cut goes from here.
longer=(tracer/decode_exec.c tracer/decode_open.c tracer/log_record.c)
too_long() {
  wc -l "$@" | awk '$2 != "total" && $1 > 350 { print $2 }'
}

files=$(find "${rooms[@]}" fixtures tests -type f)
sed -e 's,/\*.*\*/,,' -e '/^[[:space:]]*\/\?\*/d' "${sources[@]}" tests/*/*.[ch] | grep -oE '[A-Za-z_][A-Za-z0-9_]*' |
  LC_ALL=C sort -u >"$TL_DIR/words"
like "there are tests" "$(find tests/live -name '*.sh')" 'tests/live/running.sh'
is "every one is named" "$(unlisted)" ''
is "every file that is named is there" "$(unknown_files "${pages[@]}")" ''
is "every function, too" "$(unknown_functions "${pages[@]}")" ''
# shellcheck disable=SC2016 # as pages have it
printf '%s\n' 'See `no_such.c`, `tests/live/no_such.sh` and `base/error.h`: `no_such_function()`, `error_set()`.' >"$TL_DIR/page.md"
is "the control: what is not there is found" "$(unknown_files "$TL_DIR/page.md") $(unknown_functions "$TL_DIR/page.md")" \
  $'no_such.c\ntests/live/no_such.sh no_such_function'
is "files are below 350 lines" "$(too_long "${sources[@]}")" "$(printf '%s\n' "${longer[@]}")"
seq 350 >"$TL_DIR/limit.c"
seq 351 >"$TL_DIR/longer.c"
is "the control: one line more is found" "$(too_long "$TL_DIR"/{limit,longer}.c)" "$TL_DIR/longer.c"
finish
