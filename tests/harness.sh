#!/usr/bin/env bash
# tests/run-test turns into a failure what a test program itself does not report.
. "$TL_SRC/tests/lib.sh"

run_test=$TL_SRC/tests/run-test

# report LINES…: what run-test says of a script of these lines.
report() {
  printf '%s\n' '#!/bin/sh' "$@" >script
  "$run_test" script
}

fresh
is "results are numbered" "$(report 'echo ok - one' 'echo "# note"' 'echo ok 7 - two' 'echo 1..2')" \
  $'ok 1 - one\n# # note\nok 2 - two\n1..2'
like "no plan" "$(report 'echo ok 1 - one')" 'not ok 2 - runs to its end \(status 0\)'
like "a signal" "$(report 'echo 1..2' 'echo ok 1 - one' 'kill -9 $$')" 'not ok 2 - runs all of its tests \(1 of 2'
like "a status" "$(report 'echo 1..1' 'echo ok 1 - one' 'exit 3')" 'not ok 2 - ends with status 0 \(3\)'
is "a status that failures explain" "$(report 'echo 1..1' 'echo not ok 1 - one' 'exit 3')" $'not ok 1 - one\n1..1'
like "too long" "$(TL_TIMEOUT=1 report 'sleep 20')" 'not ok 1 - runs to its end \(status 124\)'
said=$(report 'echo 1..0 "# SKIP none here"')
is "everything skipped" "$said" $'ok 1 - all # SKIP none here\n1..1'
said=$(TL_NO_SKIP=1 report 'echo 1..1' 'echo ok 1 - one "# SKIP none here"')
like "no skips wanted" "$said" 'not ok 1 - one \(TL_NO_SKIP is set\) skipped: none here'

# What run-test takes for a Criterion program: no script by its first bytes. It dies as one that ran out of time.
printf '%s\n' ': >/tmp/criterion_$$.sock; echo $$ >'"$PWD/pid" 'echo ok 1; echo 1..1; ls /proc/self/fd >'"$PWD/list" 'kill -9 $$' >program
chmod +x program
like "a Criterion program that is killed" "$("$run_test" program)" 'not ok 2 - ends with status 0 \(137\)'
fails "leaves no socket in /tmp" test -e "/tmp/criterion_$(cat pid).sock"
is "and had no descriptors but three" "$(wc -l <list)" 4

mkdir -p project/tests/live project/fixtures project/build project/docs
: >project/README.md
printf '%s\n' '#!/bin/sh' 'echo 1..1' 'echo ok 1 - found' >project/tests/live/script
chmod +x project/tests/live/script
like "the source directory by a name with .., as ../configure gives it" \
  "$(TL_SRC=$PWD/project/build/.. TL_BUILD=$PWD/project/build TL_USERS=root \
    "$run_test" project/tests/live/script)" '^ok 1 - .*found'

is "no descriptors but three" "$(report 'ls /proc/self/fd >list; [ "$(wc -l <list)" -eq 4 ] && echo ok 1; echo 1..1' 8<"$0" 9>&1)" \
  $'ok 1 - \n1..1'

said=$(report 'setsid sleep 987 >/dev/null 2>&1 &' 'echo $! >'"$PWD/pid" 'echo ok 1 - one' 'echo 1..1')
like "a process left behind" "$said" 'not ok 2 - leaves no process behind: .*sleep 987'
check "which is ended" wait_for sh -c '! grep -q "^State:.[RSDTt]" /proc/$(cat pid)/status'

# Other tests run meanwhile, so it is asked for these two names alone.
"$TL_SRC/tests/left-behind" >before
forgotten=$(mktemp /tmp/forgotten.XXXXXX)
: >"/tmp/criterion_$$.sock"
if [ "$(id -u)" -eq 0 ]; then
  run "$TL_SRC/tests/left-behind" before
  like "a file of root's in /tmp is told, whoever made it" "$out" "# left behind, [^:]*: $forgotten($|"$'\n)'
  chown nobody "$forgotten"
fi
run "$TL_SRC/tests/left-behind" before
rm -f "$forgotten" "/tmp/criterion_$$.sock"
like "one of the plain user's is a failure" "$status $out" "^1 .*not ok - left behind by a test: $forgotten($|"$'\n)'
unlike "what somebody uses is not" "$out" "/tmp/criterion_$$.sock"
check "no directory is left" sh -c '! ls -d "$TMPDIR"/tl-test.* 2>/dev/null'
finish
