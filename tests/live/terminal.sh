#!/usr/bin/env bash
# Programs that talk to their terminal, or are stopped from it.
. "$TL_SRC/tests/lib.sh"

fresh
script='stty -a </dev/tty | head -n 1; echo x >/dev/stdout; echo y >/dev/null'
in_terminal "$TRACE_LEARN" -q -f -o p.ini -- sh -c "$script"
like "a program on a terminal" "$status $out" '^0 .*speed.*x'
has "the terminal has no number" 'allow = ioctl_dev,write_file ${TTY}'
grants "its other name is a file of its own" /dev/tty ioctl_dev,read_file
hasnt "anywhere" '/dev/pts/[0-9]'
in_terminal "$TRACE_RUN" -p p.ini -- sh -c "$script"
like "works on another one" "$status $out" '^0 .*speed.*x'
confined sh -c 'echo x'
is "and without one, where it does not use it" "$status $out" "0 x"
like "which is said" "$err" 'TTY'


# A program that gives the terminal to a child, and takes it back.
cat >gives.py <<'END'
import os, signal
terminal = os.open("/dev/tty", os.O_RDWR)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
print("mine", os.tcgetpgrp(terminal) == os.getpgrp(), flush=True)
child = os.fork()
if not child:
    signal.pause()
os.setpgid(child, child)
os.tcsetpgrp(terminal, child)
given = os.tcgetpgrp(terminal) == child
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
os.tcsetpgrp(terminal, os.getpgrp())
print("given", given, "mine again", os.tcgetpgrp(terminal) == os.getpgrp())
END
in_terminal python3 gives.py
native="$status $out"
in_terminal "$TRACE_LEARN" -q -f -o gives.ini -- python3 gives.py
is "the terminal's foreground group is the program's to give" "$status ${out%%$'\n'trace-learn: *}" "$native"
is "really" "$native" $'0 mine True\ngiven True mine again True'

# session STEP…: an interactive shell on a terminal of its own, driven by these steps.
session() {
  run python3 "$TL_SRC/tests/live/terminal_session.py" "$@"
}
# Only the one of this test: others may run at the same time.
continue_it='run for f in $(grep -slx handles_stop /proc/[0-9]*/comm 2>/dev/null); do d=${f%/comm}
  ! grep -sqazxF "TL_MARK=$TL_MARK" "$d/environ" || kill -CONT "${d#/proc/}"; done'
learn_line="$TRACE_LEARN -q -f -o p.ini --"
run_line="$TRACE_RUN -p p.ini --"
explain_line="$TRACE_RUN -q -e --allow-writable-profile -p p.ini --"
own_line="$TRACE_RUN -p own.ini --"
look_line="$TRACE_RUN -q -n -p p.ini --"
{ cat p.ini; printf '[normal]\nallow = read_file /proc/self/status\n'; } >own.ini
# name_of LINE: our command and its options.
name_of() {
  sed -E 's|^[^ ]*/||; s| .*-([en]) .*| -\1|; s| .*-p.*||; s| .*--$||' <<<"$1"
}
for line in "$learn_line" "$run_line" "$explain_line" "$look_line"; do
  what=$(name_of "$line")
  session "type $line $FIXTURES/handles_stop; echo status=\$?" 'wait ready' 'key z' 'wait T' "$continue_it" 'wait C' \
    'wait status=5'
  is "$what: ^Z of a program that handles it" "$status $err" "0 "
  unlike "$what: it is not stopped" "$out" Stopped
done
# A shell instead would be a race of its own: a signal that comes while it forks is lost on its child.
for line in "$learn_line" "$run_line" "$explain_line" "$look_line"; do
  what=$(name_of "$line")
  rm -f go
  session "type $line $FIXTURES/waits_for go" 'wait ready' 'key z' 'wait Stopped' 'type echo between' 'wait between' \
    'run : >go' 'type fg; echo status=$?' 'wait status=6'
  is "$what: ^Z of a program that does not, and fg" "$status $err" "0 "
  session "type $line $FIXTURES/waits_for never" 'wait ready' 'key c' 'wait $ ' 'type echo status=$?' 'wait status=130'
  is "$what: ^C" "$status $err" "0 "
done

# A job of three processes, ours in the middle: the shell waits until each of them is stopped, or gone. Each has to be there
# before: in the shell's child that will execute it, the signal would be lost.
for line in "$learn_line" "$run_line" "$explain_line"; do
  rm -f go
  session "type $FIXTURES/waits_for go >/dev/tty | $line $FIXTURES/waits_for go | sh -c 'cat; exit 7'; echo status=\$?" 'wait ready' \
    'wait ready' 'key z' 'wait Stopped' 'type echo between' 'wait between' 'run : >go' 'type fg; echo status=$?' 'wait status=7'
  is "$(name_of "$line"): ^Z of a pipeline, and fg" "$status $err" "0 "
done

# ^C in the middle of the start: just before there is a process for the program, and just behind that.
for line in "SLOW_FORK=1 $learn_line" "SLOW_FORK=1 SLOW_FORK_AFTER=1 $learn_line" "SLOW_FORK=2 $own_line" \
  "SLOW_FORK=2 SLOW_FORK_AFTER=1 $own_line" "SLOW_FORK=1 SLOW_FORK_AFTER=1 $explain_line"; do
  session "type LD_PRELOAD=$FIXTURES/slow_fork.so ASAN_OPTIONS=verify_asan_link_order=0 $line $FIXTURES/waits_for never" 'wait forking' 'key c' 'wait $ ' \
    'type echo status=$?' 'wait status=130'
  is "^C while it starts: ${line//"$TL_BUILD/"/}" "$status $err" "0 "
done

# ^Z there: the job stops, and goes on.
for line in "SLOW_FORK=1 $learn_line" "SLOW_FORK=1 SLOW_FORK_AFTER=1 $learn_line"; do
  rm -f go
  session "type LD_PRELOAD=$FIXTURES/slow_fork.so ASAN_OPTIONS=verify_asan_link_order=0 $line $FIXTURES/waits_for go" 'wait forking' 'key z' \
    'wait Stopped' 'type echo between' 'wait between' 'run : >go' 'type fg; echo status=$?' 'wait status=6'
  is "^Z while it starts: ${line//"$TL_BUILD/"/}" "$status $err" "0 "
done

# The replay stops and goes on with its program as well. The session leaves a file, by which the replay is told.
replay_line="$TRACE_LEARN --replay -q -f -o p.ini -- sh -c 'test -e left || { : >left; exec $FIXTURES/waits_for left; }; exec $FIXTURES/waits_for go'"
rm -f go left
session "type $replay_line" 'wait ready' 'wait ready' 'key z' 'wait Stopped' 'type echo between' 'wait between' 'run : >go' 'type fg; echo status=$?' 'wait status=6'
is "^Z of a replay, and fg" "$status $err" "0 "
rm -f go left
session "type $replay_line" 'wait ready' 'wait ready' 'key z' 'wait Stopped' 'type bg' 'run : >go' 'type wait %1; echo status=$?' 'wait status=6'
is "^Z of a replay, and bg" "$status $err" "0 "
# What the terminal sends stops us as well; a program that stops by itself stops nobody else.
rm -f left
session "type $TRACE_LEARN --replay -q -f -o p.ini -- sh -c 'test -e left && kill -s TSTP \$\$; test -e left || : >left; exit 6'" 'wait Stopped' \
  'type echo between' 'wait between' 'type fg; echo status=$?' 'wait status=6'
is "a replay that stops itself, and fg" "$status $err" "0 "
rm -f go left
session "type $replay_line" 'wait ready' 'wait ready' 'key c' 'wait $ ' 'type echo status=$?' 'wait status=125'
is "^C of a replay" "$status $err" "0 "
like "ends it, which differs" "$out" 'the replay ended with SIGINT, not with status 6: p.ini is incomplete'
finish
