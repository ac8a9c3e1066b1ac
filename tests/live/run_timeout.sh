#!/usr/bin/env bash
# trace-run --timeout: the one case so far in which we stay as the program's parent. The program must not notice.
# shellcheck disable=SC2317 # functions that wait_for calls
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/signals-lib.sh"

fresh
{
  printf '[profile]\nformat = 1\nlandlock = 1\n[protected]\nallow = read_dir,read_file /proc\n[normal]\n' # for sanitizers
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 "$FIXTURES"
  printf 'allow = read_file %s\n' /etc/ld.so.cache
  printf 'allow = read_file,write_file %s\n' /dev/null
  printf '[scope]\nallow = signal\n'
} >p.ini
# stay CMD…: run, with us as the parent.
stay() {
  run "$TRACE_RUN" --timeout=30 -p p.ini -- "$@"
}
# The wait status as the kernel gives it: signal number and exit status.
end_of() {
  run perl -e 'system(@ARGV); printf "%d %d\n", $? & 127, $? >> 8' "$@"
}
is_alive() {
  kill -0 "$1" 2>/dev/null && ! grep -q '^[^)]*) Z' "/proc/$1/stat"
}
is_gone() {
  ! is_alive "$1"
}
is_stopped() {
  grep -q ') T' "/proc/$1/stat"
}

# Ends as the program ends.
stay sh -c 'echo out; echo err >&2; exit 7'
is "status and output" "$status $out" "7 out"
like "stderr" "$err" 'err$'
for signal in KILL TERM SEGV INT HUP; do
  end_of "$TRACE_RUN" --timeout=30 -p p.ini -- sh -c "kill -$signal \$\$; sleep 20"
  is "dies of SIG$signal as the program did" "$out" "$(kill -l $signal) 0"
done
exits "not found" 127 "$TRACE_RUN" --timeout=30 -p p.ini -- no-such-program
exits "not allowed" 126 "$TRACE_RUN" --timeout=30 -p p.ini -- ./p.ini
printf '#!/bin/sh\n' >denied
chmod 755 denied
exits "refused by the kernel" 126 "$TRACE_RUN" --timeout=30 -p p.ini -- ./denied

# The time is over. What would hold it up lasts longer than `run` waits.
exits "a program that takes too long" 124 "$TRACE_RUN" --timeout=1 -p p.ini -- sleep 50
like "is said" "$err" 'trace-run: sleep: ended after 1 second \(--timeout\)$'
exits "its own status does not count then" 124 "$TRACE_RUN" --timeout=3 -p p.ini -- \
  sh -c 'trap "echo got TERM; exit 3" TERM; while :; do sleep 0.1; done'
is "it is asked with TERM" "$out" "got TERM"
before=$SECONDS
exits "one that does not listen" 124 env --ignore-signal=TERM "$TRACE_RUN" --timeout=1 -p p.ini -- sleep 50
like "is ended, and it is said" "$err" 'ended after 1 second \(--timeout\)$'
check "it is killed some seconds later" test $((SECONDS - before)) -ge 5
exits "one that has a stopped child" 124 "$TRACE_RUN" --timeout=3 -p p.ini -- \
  sh -c 'sh -c "trap \"echo woken; exit\" TERM; kill -STOP \$\$" & wait'
is "which is woken for it" "$out" woken
exits "descendants too, so that nobody holds the pipe" 124 bash -c \
  'set -o pipefail; "$0" --timeout=1 -p p.ini -- sh -c "(sleep 50; :) & sleep 50" | cat' "$TRACE_RUN"
like "and it is said" "$err" 'ended after 1 second \(--timeout\)$'
exits "also those whose parent ended" 124 bash -c \
  'set -o pipefail; "$0" --timeout=1 -p p.ini -- sh -c "sh -c \"sleep 50 & sleep 50 &\"; sleep 50" | cat' "$TRACE_RUN"
like "they do not hold it either" "$err" 'ended after 1 second \(--timeout\)$'
bash -c 'sleep 50 & echo $! >stranger; exec "$0" --timeout=1 -p p.ini -- sleep 50' "$TRACE_RUN" 2>/dev/null
check "children that we had before are left alone" is_alive "$(cat stranger)"
kill "$(cat stranger)"
stay sh -c 'sleep 50 >/dev/null 2>&1 & echo $!'
check "a program that ends in time leaves its descendants" is_alive "$out"
kill "$out"
stay sh -c '(sh -c "sleep 0.1; exit 9" &); sleep 0.5; exit 3'
is "an orphan's end is not the program's" "$status" 3

# Signals.
passes_signals "$TRACE_RUN" --timeout=30 -p p.ini --
"$TRACE_RUN" --timeout=30 -p p.ini -- sh -c 'echo $$ >&3; exec sleep 50' 3>inner 2>/dev/null &
ours=$!
wait_for test -s inner
kill -KILL $ours
wait $ours 2>/dev/null
check "killing us kills the program" wait_for is_gone "$(cat inner)"
bash -c 'trap "" CHLD; exec "$0" --timeout=30 -p p.ini -- sh -c "exit 4"' "$TRACE_RUN" 2>/dev/null
is "where our parent ignores SIGCHLD" "$?" 4

# Stops.
"$TRACE_RUN" --timeout=30 -p p.ini -- sh -c 'echo $$ >&3; kill -STOP $$; exit 8' 3>inner 2>/dev/null &
ours=$!
check "when the program stops, so do we" wait_for is_stopped $ours
check "and it is" is_stopped "$(cat inner)"
kill -CONT $ours
wait $ours
is "and go on with it" "$?" 8
# (timeout(1) would continue us at its own end, so it is not asked.)
sed '/^\[normal\]/a allow = read_file /proc/self/status' p.ini >served.ini
for how in p.ini served.ini; do
  "$TRACE_RUN" --timeout=1 -p $how -- sh -c 'kill -STOP $$; sleep 50' 2>said &
  ours=$!
  check "$how: one that stops itself is ended where nobody continues us" wait_for is_gone $ours
  kill -CONT $ours 2>/dev/null
  wait $ours
  is "$how: and it is said" "$? $(tail -n 1 said)" "124 trace-run: sh: ended after 1 second (--timeout)"
done

# In the job of a shell with job control we stop with it, under a tracer too, and the time goes on all the same. (On a busy
# machine it may be over before there is a stop to be seen.)
for line in "$TRACE_RUN -p p.ini" "$TRACE_RUN -q -e -p p.ini" "$TRACE_RUN -q -e -p served.ini" \
  "$TRACE_LEARN -q --no-log -f -o learned.ini"; do
  for signal in STOP TSTP; do
    for seconds in 1 8; do
      run python3 "$TL_SRC/tests/live/terminal_session.py" "type exec bash --norc -i" "type PS1='$ '; echo be''gun" 'wait begun' \
        "type $line --timeout=$seconds -- sh -c 'kill -$signal \$\$; exec sleep 5000'" 'wait Stopped' \
        'type until jobs | grep "Exit 124"; do sleep 0.1; done' 'wait Exit 124'
      [ "$status" -ne 0 ] || break
    done
    is "${line#"$TL_BUILD/"}: one that stops itself with SIG$signal is ended in time" "$status $err" "0 "
  done
done

# What the program gets.
state() {
  (
    umask 027
    ulimit -S -n 200
    trap '' USR1 PIPE HUP
    exec 7</dev/null
    run nice -n 3 bash -c 'trap "" CHLD; exec "$@"' - "$@"
    printf '%s\n' "$out" | sed -E 's/^group [0-9]+/group/; s/ death signal [0-9]+//'
  )
}
native=$(state "$FIXTURES/process_state" x)
for how in '--timeout=30 -p p.ini' '-p served.ini' '-q -e -p p.ini' '-q -e -p served.ini' '-q -n -p p.ini'; do
  # shellcheck disable=SC2086 # several words
  is "$how: arguments, directory, umask, nice, session, descriptors, signals, limits" \
    "$(state "$TRACE_RUN" $how -- "$FIXTURES/process_state" x)" "$native"
done
mkfifo pipe
"$TRACE_RUN" --timeout=30 -p p.ini -- sh -c 'exec >&-; exec sleep 50' >pipe 2>/dev/null &
ours=$!
limit=10 exits "who reads its output sees it closed while it runs" 0 cat pipe
check "it runs" is_alive $ours
kill $ours
wait $ours 2>/dev/null

# On a terminal, with job control.
session() {
  run python3 "$TL_SRC/tests/live/terminal_session.py" "$@"
}
printf '[guarded]\nallow = read_file,write_file ${TTY}\nallow = read_file %s\n' "$PWD" >>p.ini
continue_it='run for f in $(grep -lxs handles_stop /proc/[0-9]*/comm 2>/dev/null); do d=${f%/comm}
  ! grep -qsazxF "TL_MARK=$TL_MARK" "$d/environ" || kill -CONT "${d#/proc/}"; done'
line="$TRACE_RUN --timeout=60 -p p.ini --"
session "type $line $FIXTURES/handles_stop; echo status=\$?" 'wait ready' 'key z' 'wait T' "$continue_it" 'wait C' \
  'wait status=5'
is "^Z of a program that handles it" "$status $err" "0 "
unlike "it is not stopped" "$out" Stopped
session "type $line $FIXTURES/waits_for go" 'wait ready' 'key z' 'wait Stopped' 'type echo between' 'wait between' \
  'run : >go' 'type fg; echo status=$?' 'wait status=6'
is "^Z of a program that does not, and fg" "$status $err" "0 "
session "type $line $FIXTURES/waits_for never" 'wait ready' 'key c' 'wait $ ' 'type echo status=$?' 'wait status=130'
is "^C" "$status $err" "0 "
signal_it='run for f in $(grep -lxs tells_signals /proc/[0-9]*/comm 2>/dev/null); do d=${f%/comm}
  ! grep -qsazxF "TL_MARK=$TL_MARK" "$d/environ" || kill -USR1 "${d#/proc/}"; done'
session "type $line $FIXTURES/tells_signals 2 2 10; echo status=\$?" 'wait ready' 'key c' 'wait 2 128 0' 'run sleep 0.2' \
  "$signal_it" 'wait status=3'
is "^C reaches the program" "$status $err" "0 "
like "once, from the terminal" "$out" $'\n2 128 0\n10 '
finish
