#!/usr/bin/env bash
# Whom the kernel signals for a descriptor (F_SETOWN): a process outside counts as the signal scope, since the kernel drops
# such signals later without a word; and -e tells of it.
. "$TL_SRC/tests/lib.sh"

fresh
# The outsider: "got" is there once it was signalled.
python3 -c 'import signal
signal.signal(signal.SIGIO, lambda *_: open("got", "w").close())
open("ready", "w").close()
while True: signal.pause()' &
outsider=$!
trap 'kill -KILL $outsider' EXIT
wait_for test -e ready
signals='import fcntl, os, socket, struct, sys
how, whom = sys.argv[1], int(sys.argv[2]) or os.getpid()
here, there = socket.socketpair()
if how == "set": fcntl.fcntl(here, fcntl.F_SETOWN, whom)
if how == "ex": fcntl.fcntl(here, 15, struct.pack("ii", 1, whom))
if how == "ioctl": fcntl.ioctl(here, 0x8901, struct.pack("i", whom))
import signal
signal.signal(signal.SIGIO, lambda *_: None)
fcntl.fcntl(here, fcntl.F_SETFL, os.O_ASYNC)
there.send(b"x")'
sends=(python3 -c "$signals")
# arrives: whether the outsider was signalled by then; a later signal of ours, which it takes in the same way, comes after
arrives() {
  local marked=no
  [ -e got ] && marked=yes
  rm -f got
  echo $marked
}
# An own signal to it is waited for: the kernel has delivered what came before it.
settle() {
  local i
  for i in 1 2 3 4 5 6 7 8 9 10; do
    [ -e got ] && return
    sleep 0.02
  done
}

for how in set ex ioctl; do
  rm -f got
  run "${sends[@]}" $how $outsider
  settle
  is "$how: control: natively the outsider is signalled" "$status $(arrives)" "0 yes"
  learn "${sends[@]}" $how $outsider
  settle
  is "$how: and while learning" "$status $(arrives)" "0 yes"
  has "$how: that is the signal scope" "[scope]"
  has "$how: which is granted" "allow = signal"
  confined "${sends[@]}" $how $outsider
  settle
  is "$how: so it is under the profile" "$status $(arrives)" "0 yes"
done
sed '/^\[scope\]$/,$d' p.ini >closed.ini
profile=closed.ini
confined "${sends[@]}" set $outsider
settle
is "without the scope the kernel drops it without a word" "$status $(arrives)" "0 no"
run_options=(-e)
confined "${sends[@]}" set $outsider
like "and -e tells the line" "$err" '\[scope\] allow = signal'
like "with who and why" "$err" 'fcntl by .*python3.*needs signal; the kernel drops these signals to a process outside, and no call fails'
run_options=(-e --format=json)
confined "${sends[@]}" ioctl $outsider
is "as JSON too" "$(python3 -c 'import json, sys
for line in json.load(sys.stdin)["lines"]: print(line["section"], line["line"], line["uses"][0]["call"])' <<<"$(grep '^{' <<<"$err")")" \
  "scope allow = signal ioctl"
run_options=(-n)
confined "${sends[@]}" set $outsider
like "-n tells it as well" "$err" '\[scope\] allow = signal'
run_options=(-e)
profile=p.ini
confined "${sends[@]}" set $outsider
like "what the profile opens is no denial" "$err" 'denied nothing'
unlike "nor refused otherwise" "$err" 'refused, but not by'
profile=own.ini
run_options=()
learn "${sends[@]}" set 0
hasnt "an owner inside needs nothing" '^\[scope\]'
finish
