#!/usr/bin/env bash
# Each test in the tree runs, and each header is in the release: both have to be named in a Makemodule.am.
. "$TL_SRC/tests/lib.sh"

cd "$TL_SRC" || exit 1
unlisted() {
  find base profile tracer runner fixtures tests \( -name '*.h' -o -path 'tests/*.sh' -o -name 'test_*.c' \) -print |
    LC_ALL=C sort | while read -r file; do
    cat Makefile.am ./*/Makemodule.am | grep -qF -e "$file" || echo "$file"
  done
}
like "there are tests" "$(find tests/live -name '*.sh')" 'tests/live/running.sh'
is "every one is named" "$(unlisted)" ''
finish
