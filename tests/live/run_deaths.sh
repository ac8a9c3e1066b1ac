#!/usr/bin/env bash
# Whichever of our processes is killed, and whenever: the program does not go on without it.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/explain-lib.sh"

is_gone() {
  ! kill -0 "$1" 2>/dev/null || grep -q '^[^)]*) Z' "/proc/$1/stat"
}
is_stopped() {
  grep -q ') T' "/proc/$1/stat"
}
# let_die OPTION…: trace-run with a program that leaves its number in work/alive and goes on for long.
let_die() {
  rm -f work/alive said # or those from before would be waited for
  "$TRACE_RUN" -q -p p.ini "$@" -- sh -c 'echo $$ >work/alive; exec sleep 5000' 2>said &
  ours=$!
}
end_ours() {
  kill -KILL $ours 2>/dev/null
  wait $ours 2>/dev/null
}

fresh
mkdir work
profile=plain.ini system_and "allow = make_reg,write_file $PWD/work"
profile=served.ini system_and "allow = make_reg,write_file $PWD/work" "allow = read_file /proc/self/status"
profile=held.ini system_and "allow = make_reg,write_file $PWD/work" "allow = read_file /proc/meminfo"

# Before the program runs: its parent is gone when it asks for a signal at that parent's death.
# (Who opens by a supervisor cannot hand its listener over either; one that only holds is handed nothing.)
for how in plain.ini:--timeout=60 served.ini:-q served.ini:-e held.ini:-q held.ini:-e; do
  cp "${how%:*}" p.ini
  option=${how#*:}
  LD_PRELOAD=$FIXTURES/slow_death_signal.so ASAN_OPTIONS=verify_asan_link_order=0 let_die "$option"
  check "$how: there is a process for the program" wait_for grep -q '^asking' said
  read -r _ child parent < <(grep '^asking' said)
  fails "$how: which is alive" is_gone "$child"
  # Where the supervisor is the parent we are stopped, or else we end the program.
  if [ "$parent" != $ours ]; then
    kill -STOP $ours
    wait_for is_stopped $ours
  fi
  kill -KILL "$parent"
  check "$how: it is gone with its parent" wait_for is_gone "$child"
  fails "$how: and became no program" test -e work/alive
  end_ours
done

# While it runs.
for how in plain.ini:--timeout=60 plain.ini:-e served.ini:-q served.ini:-e; do
  cp "${how%:*}" p.ini
  option=${how#*:}
  let_die "$option"
  check "$how: the program runs" wait_for test -s work/alive
  end_ours
  check "$how: killing us kills it" wait_for is_gone "$(cat work/alive)"
done
cp served.ini p.ini
for option in -q -e; do
  let_die $option
  check "$option: the program runs" wait_for test -s work/alive
  supervisor=$(awk '/^PPid:/ { print $2 }' "/proc/$(cat work/alive)/status")
  isnt "$option: it has a parent that is not ours" "$supervisor" $ours
  kill -KILL "$supervisor"
  check "$option: killing the supervisor kills it" wait_for is_gone "$(cat work/alive)"
  wait $ours
  is "$option: and we say that we failed" "$?" 125
  like "$option: and why" "$(cat said)" 'supervisor was killed'
  let_die $option
  wait_for test -s work/alive
  supervisor=$(awk '/^PPid:/ { print $2 }' "/proc/$(cat work/alive)/status")
  kill -STOP $ours
  wait_for is_stopped $ours
  kill -KILL "$supervisor"
  check "$option: also when we are stopped" wait_for is_gone "$(cat work/alive)"
  end_ours
done

# The program ends while signals are passed on to it, which the supervisor then has no time to read.
cp served.ini p.ini
let_die -q
check "the program runs" wait_for test -s work/alive
program=$(cat work/alive)
supervisor=$(awk '/^PPid:/ { print $2 }' "/proc/$program/status")
kill -STOP "$supervisor"
wait_for is_stopped "$supervisor"
kill -TERM "$program"
for signal in USR1 USR2 HUP; do
  kill -$signal $ours
done
wait_for is_gone "$program"
wait_for grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$ours/status" # they are passed on
kill -CONT "$supervisor"
wait $ours
is "a signal that it did not live to get changes nothing of how it ended" "$? $(cat said)" "143 "

# A signal that was asked for before is heard of by us, and passed on.
if setpriv --pdeathsig TERM true 2>/dev/null; then
  for how in plain.ini:--timeout=60 served.ini:-q; do
    rm -f work/*
    sh -c 'setpriv --pdeathsig TERM "$@" & until test -e work/ready; do sleep 0.02; done' - "$TRACE_RUN" -q -p "${how%:*}" "${how#*:}" \
      -- sh -c 'trap ": >work/told; exit" TERM; : >work/ready; while :; do sleep 0.05; done'
    check "$how: when who started us dies, the program is told as it asked" wait_for test -e work/told
  done
else
  skip "a signal that was asked for before" "this setpriv has no --pdeathsig"
fi
finish
