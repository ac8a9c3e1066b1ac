#!/usr/bin/env bash
# --replay: the program again under its profile; what differs is told, makes the profile incomplete, and is a failure.
. "$TL_SRC/tests/lib.sh"

# replayed CMD…: learns it with $learn_options, log in log.jsonl.
replayed() {
  rm -f log.jsonl
  run "$TRACE_LEARN" "${learn_options[@]}" -l log.jsonl -f -o p.ini -- "$@"
}
differs() {
  is "$1: we fail" "$status" 125
  like "$1: and say why" "$err" "trace-learn: $2: p.ini is incomplete\$"
  has "$1: the profile is incomplete" 'complete = no'
  has "$1: with the reason" "incomplete = $2"
  like "$1: the log has it" "$(cat log.jsonl)" "\"kind\":\"incomplete\",\"text\":\"$2\""
  like "$1: the log has the profile as it is" "$(tail -n 1 log.jsonl)" "\"sha256\":\"$(sha256sum <p.ini | cut -d' ' -f1)\",\"complete\":false"
}
goes_well() {
  is "$1: the status is the program's" "$status" "$2"
  like "$1: it is said" "$err" 'the replay went like the session'
  has "$1: the profile is complete" 'complete = yes'
  like "$1: the log has it" "$(cat log.jsonl)" '"kind":"replay"'
}

fresh
echo data >f
echo other >g
learn_options=(--replay)
replayed sh -c 'cat f; exit 3'
goes_well "the same status" 3
is "it ran twice" "$out" $'data\ndata'
like "confined, and explained" "$err" 'p.ini denied nothing'
if [ -x /usr/bin/python3 ]; then
  check "each line of the log has its form" /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <log.jsonl
fi
replayed sh -c 'kill -s KILL $$'
is "the same signal" "$status" 137
like "is said" "$err" 'the replay went like the session'
replayed sh -c 'test -e left && exit 4; : >left; exit 0'
differs "another status" 'the replay ended with status 4, not with status 0'
rm left
replayed sh -c 'test -e left && kill -s TERM $$; : >left; exit 0'
differs "a signal" 'the replay ended with SIGTERM, not with status 0'
rm left
replayed sh -c 'test -e left && kill -s TERM $$; : >left; kill -s KILL $$'
differs "another signal" 'the replay ended with SIGTERM, not with SIGKILL'
rm left
replayed sh -c 'test -e left && exit 137; : >left; kill -s KILL $$'
differs "a status that a shell would show for the signal" 'the replay ended with status 137, not with SIGKILL'
rm left
replayed sh -c 'if test -e left; then read -r x <g; echo "$x"; else echo >left; fi; exit 0'
goes_well "a denial that the program does not mind" 0
like "is told with the line that it takes" "$err" "read_file $PWD/g"
unlike "and it was refused indeed" "$out" other
rm left
replayed sh -c 'if test -e left; then read -r x <g || exit 9; else echo >left; fi; exit 0'
differs "a denial that it minds" 'the replay ended with status 9, not with status 0'
rm left
replayed sh -c 'touch made; rm made'
goes_well "what it makes and removes itself" 0

# What is said: each thing once, with no number of a line, since what differs is written above it; with -q only what differs or
# was denied.
in_root=/tl-replay.$$
trap 'rm -f "$in_root"' EXIT
replayed sh -c 'test -e left && { read -r x <g; exit 9; }; : >left; (: >"$1") 2>/dev/null; rm -f "$1"; exit 0' sh "$in_root"
differs "one that differs and was denied something" 'the replay ended with status 9, not with status 0'
rm -f left
is "why the profile is incomplete is said once" "$(grep -c 'ended with status 9' <<<"$err") $(grep -cE 'incomplete.*/ gets no more' <<<"$err")" \
  "1 $([ "$TL_USER" = root ] && echo 1 || echo 0)"
unlike "no line of a profile that has another one by now" "$err" 'line [0-9]|p.ini:[0-9]'
replayed sh -c 'test -e left && { (: >"$1"); exit 0; }; : >left; (: >"$1") 2>/dev/null; rm -f "$1"; exit 0' sh "$in_root"
rm -f left
if [ "$TL_USER" = root ]; then
  like "a held line that was missed is told by itself" "$err" "[a-z_,]* / is held: a person has to move it"
  unlike "without its number" "$err" 'line [0-9]|p.ini:[0-9]'
else
  skip "a held line that was missed is told by itself" 'only root makes files in /'
fi
replayed true
like "that nothing was denied is said" "$err" 'p.ini denied nothing'
learn_options=(-q --replay)
replayed true
is "with -q it is not" "$status $err" '0 '
replayed sh -c 'if test -e left; then read -r x <g; else echo >left; fi; exit 0'
rm left
like "with -q: what was denied is" "$err" "allow = read_file $PWD/g"

# What it writes.
learn_options=(--replay=output)
replayed sh -c 'cat f; echo problem >&2; exit 5'
goes_well "the same output" 5
is "it is passed on once" "$out" data
is "errors too" "$(grep -cx problem <<<"$err")" 1
replayed sh -c 'echo $$'
differs "other output" 'the replay wrote other bytes to standard output'
like "the session's is passed on" "$out" '^[0-9]+$'
replayed sh -c 'echo $$ >&2'
differs "other errors" 'the replay wrote other bytes to standard error'
replayed sh -c 'head -c 300000 /dev/zero | tr "\0" x'
goes_well "much output" 0
is "arrives whole" "${#out}" 300000
native=$(sh -c 'ls /proc/self/fd' </dev/null 2>/dev/null | cat)
replayed sh -c 'ls /proc/self/fd'
is "the program has no descriptor of ours" "$out" "$native"
rm -f log.jsonl
run bash -c '"$0" --replay=output -l log.jsonl -f -o p.ini -- sh -c "echo one; echo two >&2; echo three" 2>&1' "$TRACE_LEARN"
is "one file for both: in its order" "$(grep -xE 'one|two|three' <<<"$out" | paste -sd' ')" 'one two three'
run bash -c '"$0" -q --replay=output -f -o p.ini -- yes | head -n 2; exit "${PIPESTATUS[0]}"' "$TRACE_LEARN"
is "a reader that leaves ends the program, twice" "$status $out" $'125 y\ny'
like "but what it wrote until then differs" "$err" 'the replay wrote other bytes to standard output'
in_terminal "$TRACE_LEARN" --replay=output -f -o p.ini -- sh -c 'test -t 1 && test -t 2 && echo terminal'
is "a terminal stays one, both times" "$status $(grep -cx terminal <<<"$out")" '0 2'
like "it is said that it is not compared" "$out" 'standard output is a terminal, or closed: the replay does not compare it'

# When there is none.
learn_options=(--replay)
replayed ./none
is "a missing program" "$status" 127
learn_options=(--replay --timeout=1)
replayed sleep 20
is "a session that was ended" "$status" 124
like "is not replayed" "$err" 'there is no replay'
learn_options=()
exits "-o -" 125 "$TRACE_LEARN" --replay -o - -- touch ran
says_line "is refused"
exits "another word" 125 "$TRACE_LEARN" --replay=all -f -o p.ini -- touch ran
says_line "is refused too"
check "nothing was started" test ! -e ran

# TERM to us alone reaches the replay.
rm -f left
"$TRACE_LEARN" --replay -f -o p.ini -l ended.jsonl -- sh -c 'if test -e left; then : >again; exec sleep 300; fi; : >left; exec sleep 0' >/dev/null 2>told &
pid=$!
wait_for test -e again
kill -s TERM "$pid"
wait "$pid"
is "TERM while it replays" "$?" 125
like "ends it" "$(cat told)" 'the replay ended with SIGTERM, not with status 0'
finish
