#!/usr/bin/env bash
# Every task of the program lives under trace-learn as without it: stops, threads, many at once; and none outlives it.
. "$TL_SRC/tests/lib.sh"

fresh
learn "$FIXTURES/stops_itself"
is "a parent sees its child stop and go on" "$status $out" "0 stopped=1 continued=1 exit=3"
learn "$FIXTURES/spawn_storm" 20
is "threads that start programs at once" "$status $out" "0 bad=0"
confined "$FIXTURES/spawn_storm" 20
is "and under the profile" "$status $out" "0 bad=0"

limit=20
bad=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
  learn "$FIXTURES/thread_exec"
  [ "$status $out" = "0 after-exec" ] || bad=$((bad + 1))
done
is "a thread executes another program" "$bad" 0
grants "which may be executed" "$(readlink -f /bin/echo)" execute,read_file
bad=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  learn sh -c 'true & true & wait'
  [ "$status" -eq 0 ] || bad=$((bad + 1))
done
is "children that end at once" "$bad" 0
limit=30

learn "$FIXTURES/traces_child"
is "a program that traces gets EPERM" "$status $out" "0 attach: 1"
check "and there is a profile" test -s p.ini
is "one message names it" "$(grep -c "traces_child wants to trace a process" <<<"$err")" 1
like "and the profile is incomplete" "$(cat p.ini)" "incomplete = .*traces_child wants to trace a process"
confined
is "for under the profile it may trace its own" "$status $out" "0 attach: 0"
wants=(python3 -c "import ctypes; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0))") # PTRACE_TRACEME
run "${wants[@]}"
is "control: natively a process can want to be traced" "$status $out" "0 0"
learn "${wants[@]}"
is "one that wants to be traced gets EPERM too" "$status $out" "0 -1"
like "which is a reason" "$(cat p.ini)" "incomplete = .*python3[.0-9]* wants to trace a process"
learn python3 -c "import ctypes; print(ctypes.CDLL(None).ptrace(16, $$, 0, 0))" # PTRACE_ATTACH
is "a program that wants to trace an outsider is refused in both" "$status $out" "0 -1"
has "so that the profile is complete" 'complete = yes'

# Names that come only when they are asked for, by a task that is traced itself.
echo text >lazy
echo more >lazy.2
run "$FIXTURES/lazy_memory" lazy
if [ "$status" -eq 77 ]; then
  skip "names in memory that comes when it is asked for" 'this user may not handle faults of the kernel (userfaultfd)'
else
  is "memory that comes when it is asked for: natively" "$status $(ls lazy*)" "0 lazy"
  echo more >lazy.2
  learn "$FIXTURES/lazy_memory" lazy
  is "the same while learning" "$status $(ls lazy*)" "0 lazy"
  grants "what was opened is told by its descriptor" "$PWD/lazy" read_file
  like "what was not read is said" "$(<p.ini)" 'incomplete = a path in a program.s memory could not be read'
fi

# Processes with this very word in their command line. (Without -q grep fails when any process ended meanwhile.)
printf '%s' "$$.25" >word
running() {
  grep -qazxsFf word /proc/[0-9]*/cmdline
}
gone() {
  ! running
}

# start_learning: trace-learn over a program that says when it runs and then sleeps; as a job with default signals.
start_learning() {
  rm -f started p.ini
  env --default-signal=INT setsid "$TRACE_LEARN" -f -o p.ini -- sh -c ': >started; exec "$@"' sh "$@" \
    >"$TL_DIR/out" 2>"$TL_DIR/err" &
  job=$!
  wait_for test -e started
}

# ended NAME STATUS
ended() {
  wait "$job"
  status=$?
  take_output
  is "$1: status" "$status" "$2"
  check "$1: nothing of it is left" wait_for gone
  has "$1: the profile is whole" '[profile]'
  like "$1: up to its end" "$(grep -c '^allow = execute' p.ini)" '^[1-9]'
}
long_sleep=1000$(cat word)
printf '%s' "$long_sleep" >word
start_learning sleep "$long_sleep"
kill -INT -- "-$job"
ended "^C" 130
start_learning sleep "$long_sleep"
kill -TERM "$job"
ended "TERM to trace-learn alone" 143
rm -f p.ini
rm -f started
# Its alarm comes when the program runs, however long that took to start.
env --default-signal=INT timeout --preserve-status -s INT 100 "$TRACE_LEARN" -f -o p.ini -- sh -c ': >started; exec "$@"' sh sleep "$long_sleep" 2>/dev/null &
job=$!
wait_for test -e started
kill -ALRM "$job"
wait "$job"
is "INT from timeout" "$?" 130
has "with a profile" '[profile]'
check "and nothing left" wait_for gone

for signal in KILL SEGV ABRT; do
  start_learning sh -c 'sleep "$1" | cat' sh "$long_sleep"
  wait_for running
  kill -"$signal" "$job"
  wait "$job" 2>/dev/null
  check "when trace-learn ends by $signal, its programs do too" wait_for gone
done
# A call that the filter stops while nobody traces any more would fail with ENOSYS.
cat >opens.py <<'END'
import errno
while True:
    try:
        open("word").close()
    except OSError as error:
        open("failed", "a").write(errno.errorcode[error.errno] + "\n")
END
for signal in KILL SEGV ABRT; do
  start_learning python3 opens.py "$long_sleep"
  wait_for running
  sleep 0.3
  kill -"$signal" "$job"
  wait "$job" 2>/dev/null
  check "nothing is left after $signal in the middle of opens" wait_for gone
done
check "and no open failed for the tool's end" test ! -e failed
# In the middle of its start there is a process that waits to be told to go on.
LD_PRELOAD=$FIXTURES/slow_fork.so SLOW_FORK=1 SLOW_FORK_AFTER=1 ASAN_OPTIONS=verify_asan_link_order=0 \
  "$TRACE_LEARN" -f -o p.ini -- sleep "$long_sleep" >/dev/null 2>said &
job=$!
wait_for grep -q forking said
check "control: in the middle of its start it is there" running
{ kill -KILL "$job" && wait "$job"; } 2>/dev/null
check "and it is gone when trace-learn is killed there" wait_for gone

if type strace >/dev/null 2>&1; then
  run strace -f -o /dev/null "$TRACE_LEARN" -f -o traced.ini -- true
  is "under another tracer: our failure" "$status" 125
  like "in one line that says why" "$err" '^trace-learn: [^'$'\n'']*$'
else
  skip "under another tracer" "strace is not installed"
fi
finish
