#!/usr/bin/env bash
# Time: 1200 s
# The same again and again: what goes wrong once in a hundred times.
. "$TL_SRC/tests/lib.sh"

fresh
# times N NAME WANT CMD…: learning CMD gives this status and output, N times.
times() {
  local count=$1 name=$2 want=$3 bad=0 said='' i
  shift 3
  for ((i = 0; i < count; i++)); do
    learn "$@"
    [ "$status $out" = "$want" ] && continue
    bad=$((bad + 1))
    said=$(run_facts)
  done
  [ "$bad" -eq 0 ]
  result $? "$name ($count times)" "$bad went wrong, the last so:" "$said"
}

limit=60
times 300 "children that end at once" "0 " sh -c 'true & true & wait'
times 50 "a thread executes" "0 after-exec" "$FIXTURES/thread_exec"
times 50 "a child stops itself" "0 stopped=1 continued=1 exit=3" "$FIXTURES/stops_itself"
times 10 "threads that start programs" "0 bad=0" "$FIXTURES/spawn_storm" 50

printf '%s' "$FIXTURES/spawn_storm" >word
gone() {
  ! grep -lazxsFf word /proc/[0-9]*/cmdline | while read -r file; do
    grep -qazxF "TL_MARK=$TL_MARK" "${file%/cmdline}/environ" 2>/dev/null && echo still
  done | grep -q still
}
# No wait of the tool's own runs out, which would be told as a reason. How long a busy machine takes is its own matter, so
# only the middle one of all rounds has a limit.
bad=0
: >took
: >wrong
for ((i = 0; i < 20; i++)); do
  rm -f p.ini
  env --default-signal=INT setsid "$TRACE_LEARN" -q -f -o p.ini -- "$FIXTURES/spawn_storm" 5000 >/dev/null 2>said &
  job=$!
  sleep "0.$((i % 5 + 1))"
  wait_for kill -INT -- "-$job" # a group of its own, once setsid(1) has made it
  start=$(date +%s%N)
  wait "$job"
  status=$?
  echo $((($(date +%s%N) - start) / 1000000)) >>took
  [ "$status" -eq 130 ] && ! grep -s '^incomplete = ' p.ini >>wrong && gone && continue
  bad=$((bad + 1))
  { echo "status $status after $(tail -n 1 took) ms"; cat said; } >>wrong
done
is "^C in the middle: gone, without waiting (20 times)" "$bad" 0 || sed 's/^/# /' wrong
check "within a second (milliseconds: $(sort -n took | xargs))" test "$(sort -n took | sed -n 10p)" -lt 1000

mkdir make && cd make || exit
for i in 1 2 3 4 5 6; do echo "int f$i(void) { return $i; }" >f$i.c; done
printf '%s\n' 'all: f1.o f2.o f3.o f4.o f5.o f6.o' '%.o: %.c' '	gcc -c -o $@ $<' >Makefile
for i in 1 2 3 4 5; do
  rm -f ./*.o
  profile=../make$i.ini
  learn make -s -j2
  is "make -j2, learned ($i)" "$status" 0
done
cd .. || exit
for i in 1 2 3 4 5; do
  for ((j = 1; j < i; j++)); do
    exits "make -j2: no difference between $j and $i" 0 "$TRACE_DIFF" "make$j.ini" "make$i.ini"
  done
done
finish
