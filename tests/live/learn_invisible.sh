#!/usr/bin/env bash
# A program under trace-learn gets and sees what it does without, and where that cannot be, it is not started.
. "$TL_SRC/tests/lib.sh"

# same_learned NAME CMD…: status and output as natively.
same_learned() {
  local native
  run "${@:2}"
  native="$status $out"
  learn "${@:2}"
  is "$1" "$status $out" "$native"
}

fresh
clean=(env -i "ASAN_OPTIONS=${ASAN_OPTIONS-}")
# Its process group and session are those of timeout(1) here, which has other numbers each time.
state='"$0" x "y z" | sed "/^descriptor 1 /d; s/^group.*own/own/"'
same_learned "arguments, environment, descriptors, signals, limits" "${clean[@]}" A=1 sh -c "$state" "$FIXTURES/process_state"
same_learned "signals that are ignored" "${clean[@]}" sh -c "trap '' INT HUP USR1 PIPE; $state" "$FIXTURES/process_state"
prepared() {
  (
    ulimit -c 0 -n 90
    umask 027
    exec 7</dev/null <&-
    trap '' CHLD XFSZ TTOU
    "${clean[@]}" "$@" "$FIXTURES/process_state" 2>&1
  ) | sed 's/^group.*own/own/; /^descriptor 1 /d'
}
is "limits, umask, open and closed descriptors, what the shell ignored" \
  "$(prepared "$TRACE_LEARN" -q -f -o p.ini --)" "$(prepared)"

same_learned "a filter of its own answers as it should" "$FIXTURES/own_filter"
same_learned "children that nobody is to trace" "$FIXTURES/clone_untraced"
same_learned "stops and waits of its own" "$FIXTURES/stops_itself"
same_learned "a child that is stopped stands still" sh -c '
  sh -c "while :; do echo; done >log" & child=$!
  while ! [ -s log ]; do sleep 0.02; done
  kill -STOP $child
  until grep -q "^State:.[Tt]" /proc/$child/status; do sleep 0.02; done
  # (It may have been in another stop of its tracer there, with the signal still to come.)
  while before=$(wc -l <log); sleep 0.3; [ "$(wc -l <log)" != "$before" ]; do :; done
  echo still
  kill -CONT $child
  while [ "$(wc -l <log)" = "$before" ]; do sleep 0.02; done
  echo again
  kill -KILL $child'
same_learned "one task among many busy ones gets its turn" "$FIXTURES/crowd" 40
same_learned "a directory that is gone" "$FIXTURES/deleted_directory" "$PWD/gone"

# within_a_second CMD…: beyond what the same takes to say its version, CMD in front of trace-learn takes less than a second.
# (A busy machine is late: one of five is enough.)
within_a_second() {
  local tries start middle
  for ((tries = 0; tries < 5; tries++)); do
    start=${EPOCHREALTIME/[.,]/}
    "$@" "$TRACE_LEARN" --version
    middle=${EPOCHREALTIME/[.,]/}
    "$@" "$TRACE_LEARN" -o never.ini -- true
    [ $((${EPOCHREALTIME/[.,]/} - middle)) -ge $((middle - start + 1000000)) ] || return 0
  done
  return 1
}
printf '%s' "never$$.ini" >word
gone() {
  ! grep -qazxsFf word /proc/[0-9]*/cmdline
}

# not_started NAME REMEDY CMD…
not_started() {
  local name=$1 remedy=$2
  shift 2
  rm -f started
  exits "$name: our failure" 125 "$@" "$TRACE_LEARN" -o "$(cat word)" -- sh -c ': >started'
  says_line "$name: in one line"
  like "$name: which says what is not possible" "$err" 'tracing is not possible: '
  like "$name: and what to do" "$err" "$remedy"
  check "$name: the program was not started" test ! -e started
  check "$name: nothing of it is left" wait_for gone
  check "$name: no profile" test ! -e "$(cat word)"
  check "$name: within a second" within_a_second "$@"
}
not_started "a container forbids ptrace" 'seccomp filter around us .*; allow it there \(docker: ' "$FIXTURES/refuse_call" ptrace EPERM
not_started "a container hides ptrace" 'seccomp filter around us .*; allow it there \(docker: ' "$FIXTURES/refuse_call" ptrace ENOSYS
not_started "a supervisor takes the opens away" 'filter around us .*: start trace-learn outside of it$' "$FIXTURES/supervises_call" openat
not_started "a container refuses filters" 'a container refuses it, which has to let seccomp\(2\) pass' "$FIXTURES/refuse_call" seccomp EPERM "$FIXTURES/refuse_call" prctl:22 EINVAL
like "which is named" "$err" 'seccomp filter'
# in_place_of DIRECTORY FILE TEXT CMD…: CMD sees nothing in DIRECTORY but FILE with TEXT.
in_place_of=(unshare -m sh -c 'mount -t tmpfs none "$1" && mkdir -p "$1/${2%/*}" && echo "$3" >"$1/$2" && shift 3 && exec "$@"' -)
if [ "$TL_USER" = root ] && run "${in_place_of[@]}" /proc/sys/kernel yama/ptrace_scope 1 true && [ "$status" = 0 ]; then
  for scope in 2 3; do
    not_started "Yama ($scope)" '; (as root: sysctl|boot with)' "${in_place_of[@]}" /proc/sys/kernel yama/ptrace_scope $scope "$FIXTURES/refuse_call" ptrace EPERM
    like "Yama ($scope): which is named, with a way out" "$err" "Yama .*ptrace_scope = $scope\\).*; (as root: sysctl|boot with)"
  done
fi
if type strace >/dev/null 2>&1; then
  not_started "another tracer" 'one tracer; start trace-learn outside of it$' strace -f -o /dev/null
  like "which is named" "$err" 'strace \(process [0-9]+\)'
else
  skip "another tracer" "strace is not installed"
fi

# What a container may refuse that the tool can do without.
echo text >f
for call in process_vm_readv statx openat2 pidfd_open; do
  run "$FIXTURES/refuse_call" "$call" EPERM "$TRACE_LEARN" -f -o p.ini -- cat f
  is "without $call: as with it" "$status $out" "0 text"
  grants "without $call: what is opened is seen" "$PWD/f" read_file
  has "without $call: all of it" 'complete = yes'
done

# What a process opens that is not dumpable, only CAP_SYS_PTRACE tells: a plain user has it in a user namespace.
learn "$FIXTURES/own_entries" undumpable
if [ "$TL_USER" = root ]; then
  has "undumpable: root sees all" 'complete = yes'
else
  has "undumpable: a plain user is told" 'incomplete = the path of a call could not be told (openat)'
  like "undumpable: by what, and what would tell" "$err" \
    "the memory of $FIXTURES/own_entries cannot be read: .* \"unshare --map-current-user --keep-caps\" in front"
  hasnt "undumpable: and nothing is guessed" '^allow = .* /proc/self/status$'
  if unshare --map-current-user --keep-caps true 2>/dev/null; then
    run unshare --map-current-user --keep-caps "$TRACE_LEARN" -f -o p.ini -- "$FIXTURES/own_entries" undumpable
    has "undumpable: all is seen in a user namespace" 'complete = yes'
    check "undumpable: with what it opens" grep -q '^allow = read_file /proc/self/status$' p.ini
    run unshare --map-current-user --keep-caps "$TRACE_RUN" -p p.ini -- "$FIXTURES/own_entries" undumpable
    like "undumpable: the supervisor there sees all too" "$out" '^status: own'
    is "undumpable: and /proc/self is a name there as elsewhere" "$err" ''
  else
    skip "undumpable: all is seen in a user namespace" "this user can make none"
  fi
fi

# Root may look into everything.
if [ "$TL_USER" = user ]; then
  "$TRACE_LEARN" -q -f -o p.ini -- sh -c 'echo ready; exec sleep 1000' >out &
  job=$!
  wait_for grep -q ready out
  fails "the user's other processes cannot look into trace-learn" cat "/proc/$job/maps"
  kill -TERM "$job"
  wait "$job" 2>/dev/null
fi
finish
