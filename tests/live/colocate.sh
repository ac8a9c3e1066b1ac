#!/usr/bin/env bash
# Tool and program share a processor while one task runs, and the program sees nothing of it.
. "$TL_SRC/tests/lib.sh"

list() {
  sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null
}

whole=$(list self)
count=$(nproc)
[ "$count" -gt 1 ] || skip_all "there is one processor"
[ "$count" -eq "$(getconf _NPROCESSORS_ONLN)" ] || skip_all "not all processors are ours"
first=${whole%%[-,]*}

# moved OPTIONS… [-- COMMAND…]: whether the program is seen on one processor, from outside, within a few seconds.
moved() {
  local tool program seen=1
  cd "$(mktemp -d -p "$TL_DIR")" || return 2
  "$TRACE_LEARN" -q -f -o p.ini --no-log "$@" "$FIXTURES/processors" until flag &
  tool=$!
  wait_for eval 'program=$(pgrep -P "$tool") && grep -q processors "/proc/$program/comm"' || return 2
  wait_for is_on_one && seen=0
  : >flag
  wait "$tool" || return 2
  return "$seen"
}

is_on_one() {
  case $(list "$program") in
  *[-,]*) return 1 ;;
  ?*) return 0 ;;
  esac
  return 1
}

limit=10
check "a program that stops often is moved, which can be seen from outside alone" moved --
limit=1
fails "--colocate=never moves nothing" moved --colocate=never --
if chrt -f 1 true 2>/dev/null; then
  fails "a realtime program is not moved, or nothing else would be heard of while it computes" moved -- chrt -f 1
else
  skip "a realtime program" "chrt -f is not allowed to this user"
fi
limit=30

# set_by_tool CMD…: how often the tool, started by CMD, sets processors.
set_by_tool() {
  strace -qq -e trace=sched_setaffinity -o calls "$@" -q -f -o p.ini --no-log -- "$FIXTURES/processors" ask "$count" \
    >/dev/null && grep -c sched_setaffinity calls
}
fresh
# The tool is slow under strace, so it may take a while until the stops come often enough.
strace -qq -e trace=sched_setaffinity -o calls "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/processors" until flag &
check "the tool sets processors" wait_for grep -q sched_setaffinity calls
: >flag
wait
is "but not when it has fewer than all" "$(set_by_tool taskset -c "$first" "$TRACE_LEARN")" 1 # taskset's own
learn "$FIXTURES/processors" ask "$count"
is "sched_getaffinity answers as without the tool" "$status $out" "0 own: same
parent: same"
learn "$FIXTURES/processors" ended "$count"
is "also of a child that has ended, before it is waited for" "$status $out" "0 ended: same"
learn "$FIXTURES/processors" status /proc/self/status "$whole"
is "so does /proc/self/status, also from an old descriptor" "$status $out" "0 /proc/self/status: same"
learn sh -c "cd /proc/thread-self && exec '$FIXTURES/processors' status status '$whole'"
is "and by another name" "$status $out" "0 status: same"
learn "$FIXTURES/processors" set "$first"
is "processors that a program sets are its own" "$status $out" "0 set: same"
learn sh -c 'find /usr/bin /usr/share/doc >/dev/null; nproc'
is "nproc counts them all" "$status $out" "0 $count"
learn taskset -c "$first" sh -c 'find /usr/bin >/dev/null; nproc'
is "and those that were set" "$status $out" "0 1"

# natively NAME PROGRAM SCRIPT: it says the same of the processors while learning as without.
natively() {
  local name=$1 program=$2 script=$3 native
  command -v "$program" >/dev/null || { skip "$name" "there is no $program"; return; }
  native=$(sh -c "$script" 2>&1)
  learn sh -c "find /usr/bin >/dev/null; $script"
  is "$name says what it says natively" "$status $out" "0 $native"
}
natively node node 'node -p "os.cpus().length + \" \" + (os.availableParallelism ? os.availableParallelism() : 0)"'
natively Python /usr/bin/python3 '/usr/bin/python3 -c "import os; print(os.sched_getaffinity(0), os.cpu_count())"'
natively Java java 'java -XX:-UsePerfData -XX:+PrintFlagsFinal -version 2>/dev/null | grep -E " (ParallelGCThreads|ConcGCThreads|CICompilerCount) "'
printf '%s\n' '#include <omp.h>' '#include <stdio.h>' 'int main(void) { printf("%d", omp_get_num_procs());' \
  '#pragma omp parallel' '#pragma omp single' 'printf(" %d\n", omp_get_num_threads()); }' >omp.c
if gcc -fopenmp -o omp omp.c 2>/dev/null; then
  natively OpenMP ./omp ./omp
else
  skip OpenMP "gcc -fopenmp makes no program here"
fi

run taskset -c "$first" "$TRACE_LEARN" -f -o p.ini -- sh -c 'find /usr/bin >/dev/null; nproc; taskset -cp $$'
like "what the tool was started with stays" "$status $out" "^0 1"$'\n'".*: $first\$"

has_all() {
  [ "$(list "$1")" = "$whole" ]
}

# The maker, which is none of the children, was moved and given back, and then a child without the tool (0) in between:
# the place had been the child's. (What is set is not shown to a plain user's strace.)
handed_on() {
  awk 'NR == FNR { child[$0]; next }
       $0 in child && last && last == before { found = 1 }
       { before = last; last = $0 in child ? 0 : $0 }
       END { exit !found }' \
    <(sed '$d' children) <(sed -n 's/^sched_setaffinity(\([0-9]*\),.*/\1/p' calls)
}
fresh
strace -qq -e trace=sched_setaffinity -e signal=none -o calls "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/processors" spawn flag >children &
limit=10
check "what a program starts takes its place beside the tool" wait_for handed_on
limit=30
: >flag
wait

# parent_of INPUT: starts a parent whose child stops often, with its input from there; sets tool, parent and child.
parent_of() {
  fresh
  "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/processors" parent flag "$count" <"$1" >said &
  tool=$!
  wait_for test -s said || return 1
  child=$(head -n 1 said)
  parent=$(awk '$1 == "PPid:" { print $2 }' "/proc/$child/status")
  program=$child
  wait_for is_on_one
}
ends() {
  : >flag
  echo >&9
  wait "$tool"
  ended=$(tail -n 1 said)
}
mkfifo "$TL_DIR/orders"
exec 9<>"$TL_DIR/orders"
# joins NAME: the parent is moved too, where the kernel tells that it waits for a child.
joins() {
  program=$parent
  if wait_for grep -q do_wait "/proc/$parent/wchan"; then
    check "$1" wait_for is_on_one
  else
    skip "$1" "/proc/PID/wchan says $(cat "/proc/$parent/wchan") of who waits for a child"
  fi
}
parent_of "$TL_DIR/orders"
is "a child is moved" $? 0
joins "its parent too, once it waits for a child"
ends
is "the child sees nothing of it" "$ended" "parent: same"
parent_of "$TL_DIR/orders"
is "a child is moved, again" $? 0
joins "its parent too"
echo >&9
check "and is given back when it computes meanwhile" wait_for has_all "$parent"
ends
is "and still the child sees nothing" "$ended" "parent: same"
stays_free() {
  local n
  for n in {1..40}; do
    has_all "$parent" || return 1
    sleep 0.02
  done
}
parent_of /dev/null
is "a child of one that naps is moved" $? 0
check "its parent is not, at no time" stays_free
ends
is "and that child sees nothing either" "$ended" "parent: same"
exec 9>&-

fresh
strace -qq -e trace=sched_setaffinity -e signal=none -o calls "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/processors" compute 12
check "a task that was moved is given back when it only computes" test "$(grep -c '^sched_setaffinity([1-9]' calls)" -gt 18 # and taken again
check "and the tool stays where it expects it" test "$(grep -c '^sched_setaffinity(0,' calls)" -lt 14

# Children that have not stopped since they were born: at once, or when the tool sees that they do not.
births() {
  local n child wrong=0 seen=0
  fresh
  mkfifo orders
  "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/processors" bear <orders >children &
  exec 9>orders
  for n in {1..10}; do
    echo go >&9
    wait_for eval '[ "$(wc -l <children)" -eq "$n" ]' || return 1
    child=$(tail -n 1 children)
    wait_for eval 'case $(cat "/proc/$child/wchan" 2>/dev/null) in *ptrace*) false ;; *) grep -q "^State:.S" "/proc/$child/status" ;; esac'
    wait_for has_all "$child" && seen=$((seen + 1))
    echo next >&9
  done
  exec 9>&-
  wait
  echo "$seen"
}
is "a new task that does nothing has them all" "$(births)" 10
is "a bad word" "$(run "$TRACE_LEARN" --colocate=always -- true; echo "$status $err")" \
  "125 trace-learn: --colocate=always: it can be auto or never"
finish
