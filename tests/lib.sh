# shellcheck shell=bash
# What shell tests share. A test in tests/live/ looks like this:
#
#   #!/usr/bin/env bash
#   # One line on what it proves.
#   . "$TL_SRC/tests/lib.sh"
#
#   fresh                                  # a new empty directory, and go there
#   echo hello >f
#   learn cat f                            # trace-learn -f -o p.ini -- cat f
#   is "learning passes the output on" "$out" hello
#   grants "the file is granted" "$PWD/f" read_file
#   confined cat f                         # trace-run -p p.ini -- cat f
#   is "and the same under the profile" "$status $out" "0 hello"
#   confined cat /etc/passwd
#   is "another file is refused" "$status" 1
#   like "by the kernel" "$err" 'Permission denied'
#   finish
#
# Add its name to `live_scripts` in tests/Makemodule.am. tests/run-test starts it: bash, no terminal, no input, a clean
# environment, HOME and TMPDIR in a directory of its own ($TL_DIR, removed afterwards), and, when root runs the suite,
# once as root and once as a plain user ($TL_USER is root or user, should it matter). By hand, in a build directory:
#
#   ../tests/run-test ../tests/live/mine.sh         both users; TL_USERS=user or TL_USERS=root for one of them
#   make check TESTS=tests/live/mine.sh             the same through make, which builds what is needed first
#
# Programs:  $TRACE_LEARN $TRACE_RUN $TRACE_DIFF $TRACE_PROFILE, and those of fixtures/ as "$FIXTURES/name"
# Data:      $TL_SRC/tests/…, $TL_SRC/fixtures/…, $TL_SRC/docs/…, $TL_SRC/README.md  (read only; nothing else of the project is there in a live test)
#
# run CMD…             runs it for at most $limit seconds (30; then status 124 or 137); leaves $status, $out and $err
#                      (without their last newlines), and whole in the files $TL_DIR/out and $TL_DIR/err
# learn CMD…           run, under trace-learn with $learn_options, profile $profile (p.ini)
# confined CMD…        run, under trace-run with $run_options and $profile
# as_abi N CMD…        run, on a kernel that seems to have this Landlock ABI
# at_open FILE CMD…    run of $held, with CMD while it is stopped at its open of FILE (by strace(1), which must be there); what
#                      $held_by holds stands in front of strace
# in_terminal CMD…     run, on a new controlling terminal; $out is what appears on it, without carriage returns
# wait_for CMD…        tries CMD every 20 ms until it succeeds, at most $limit seconds: never sleep and hope
#
# own_ports COUNT      the first of so many ports that follow each other, which nobody uses: for TCP and UDP, below those that
#                      the kernel gives away, and not those of another test that runs at the same time
#
# Each of these is one result, with what was expected and what came as diagnosis:
# check NAME CMD…      CMD succeeds          fails NAME CMD…        it does not
# is NAME GOT WANT     equal                 isnt NAME GOT OTHER    not equal
# like NAME GOT ERE    matches               unlike NAME GOT ERE    does not
# same NAME FILE FILE  equal files
# exits NAME N CMD…    run CMD, whose status must be N (sets $status, $out, $err too)
# says_line NAME       $err is one single line that begins with the name of one of our commands
# has NAME LINE        the profile holds this very line           hasnt NAME ERE   no line of it matches
# ungranted NAME ERE   no enforced line of the profile matches
# grants NAME PATH RIGHTS     the enforced lines of the profile on PATH give exactly RIGHTS ("a,b"; "" for no line)
# skip NAME REASON     counts as skipped; probe the reason, never guess it.  TL_NO_SKIP=1 makes each one a failure
# skip_all REASON      and ends
# finish               last line of every test: without it the test counts as broken off

set -u
TRACE_LEARN=$TL_BUILD/trace-learn
TRACE_RUN=$TL_BUILD/trace-run
TRACE_DIFF=$TL_BUILD/trace-diff
TRACE_PROFILE=$TL_BUILD/trace-profile
FIXTURES=$TL_BUILD/fixtures
export TRACE_LEARN TRACE_RUN TRACE_DIFF TRACE_PROFILE FIXTURES

limit=30
profile=p.ini
learn_options=()
run_options=()
held=()
held_by=()
status=0
out=
err=
tests_done=0
fresh_count=0

# A subshell counts for itself alone, so the next number may be taken.
fresh() {
  fresh_count=$((fresh_count + 1))
  until mkdir "$TL_DIR/$fresh_count" 2>/dev/null; do
    [ -d "$TL_DIR/$fresh_count" ] || exit 1
    fresh_count=$((fresh_count + 1))
  done
  cd "$TL_DIR/$fresh_count" || exit 1
}

run() {
  timeout -k 5 "$limit" "$@" >"$TL_DIR/out" 2>"$TL_DIR/err" </dev/null
  status=$?
  take_output
}

# Bash warns of NUL bytes in a substitution; no test means them, so they go.
take_output() {
  out=$(tr -d '\0' <"$TL_DIR/out")
  err=$(tr -d '\0' <"$TL_DIR/err")
}

learn() {
  run "$TRACE_LEARN" "${learn_options[@]}" -f -o "$profile" -- "$@"
}

confined() {
  run "$TRACE_RUN" "${run_options[@]}" -p "$profile" -- "$@"
}

as_abi() {
  local abi=$1
  shift
  run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI="$abi" \
    ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" "$@"
}

at_open() {
  local file=$1
  shift
  rm -f trace
  "${held_by[@]}" strace -qq -o trace -P "$file" -e trace=openat -e inject=openat:signal=STOP:when=1 \
    sh -c 'echo $$ >pid; exec "$@"' sh "${held[@]}" >"$TL_DIR/out" 2>"$TL_DIR/err" </dev/null &
  wait_for grep -q 'stopped by SIGSTOP' trace
  "$@"
  kill -CONT "$(<pid)"
  wait "$!"
  status=$?
  take_output
}

in_terminal() {
  local command
  command=$(printf '%q ' "$@")
  SHELL=/bin/sh timeout -k 5 "$limit" script -qefc "$command" /dev/null </dev/null >"$TL_DIR/out" 2>"$TL_DIR/err"
  status=$?
  take_output
  out=${out//$'\r'/}
}

wait_for() {
  local end=$((SECONDS + limit))
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -le "$end" ] || return 1
    sleep 0.02
  done
}

own_ports() {
  /usr/bin/python3 - "$1" "$$" <<'END'
import socket, sys
count, seed = map(int, sys.argv[1:])
def is_free(port):
    try:
        for kind in socket.SOCK_STREAM, socket.SOCK_DGRAM:
            with socket.socket(type=kind) as s:
                s.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True
for number in range(2000):
    first = 10000 + (seed + number) % 2000 * 10
    if all(is_free(first + i) for i in range(count)):
        print(first)
        break
END
}

# result 0|1 NAME [DIAGNOSIS LINES…]: the one place that prints a result. Names stay on one line and hold no "#".
result() {
  local bad=$1 name=${2//[$'\n'#]/ } text
  shift 2
  tests_done=$((tests_done + 1))
  if [ "$bad" -eq 0 ]; then
    printf 'ok %d - %s\n' "$tests_done" "$name"
    return 0
  fi
  printf 'not ok %d - %s\n' "$tests_done" "$name"
  for text; do
    printf '%s\n' "$text" | sed 's/^/#   /'
  done
  printf '#   at %s\n' "$(caller_line)"
  return 1
}

caller_line() {
  local level
  for ((level = 1; level < ${#BASH_SOURCE[@]}; level++)); do
    if [ "${BASH_SOURCE[level]}" != "${BASH_SOURCE[0]}" ]; then
      printf '%s:%d' "${BASH_SOURCE[level]##*/}" "${BASH_LINENO[level - 1]}"
      return
    fi
  done
}

run_facts() {
  printf 'status: %s\nstdout: %s\nstderr: %s' "$status" "${out:0:2000}" "${err:0:2000}"
}

check() {
  local name=$1 said bad=0
  shift
  said=$("$@" 2>&1) || bad=1
  result "$bad" "$name" "failed: $*" "${said:0:2000}"
}

fails() {
  local name=$1 said bad=0
  shift
  said=$("$@" 2>&1) && bad=1
  result "$bad" "$name" "succeeded: $*" "${said:0:2000}"
}

is() {
  local bad=0
  [ "$2" = "$3" ] || bad=1
  result "$bad" "$1" "got:  ${2:0:4000}" "want: ${3:0:4000}" "last run:" "$(run_facts)"
}

isnt() {
  local bad=0
  [ "$2" != "$3" ] || bad=1
  result "$bad" "$1" "got:  $2" "last run:" "$(run_facts)"
}

like() {
  local bad=0
  [[ $2 =~ $3 ]] || bad=1
  result "$bad" "$1" "got:          ${2:0:4000}" "should match: $3" "last run:" "$(run_facts)"
}

unlike() {
  local bad=0
  [[ $2 =~ $3 ]] && bad=1
  result "$bad" "$1" "got:              ${2:0:4000}" "should not match: $3" "last run:" "$(run_facts)"
}

same() {
  local said bad=0
  said=$(diff -u "$2" "$3" 2>&1) || bad=1
  result "$bad" "$1" "${said:0:4000}"
}

exits() {
  local name=$1 want=$2 bad=0
  shift 2
  run "$@"
  [ "$status" -eq "$want" ] || bad=1
  result "$bad" "$name" "want status $want of: $*" "$(run_facts)"
}

says_line() {
  local bad=0
  [[ $err =~ ^trace-(learn|run|diff|profile):\ [^$'\n']+$ ]] || bad=1
  result "$bad" "$1" "should be one line of ours:" "$(run_facts)"
}

has() {
  local bad=0
  grep -qxF -e "$2" "$profile" || bad=1
  result "$bad" "$1" "no line: $2" "$(cat "$profile" 2>&1)"
}

hasnt() {
  local bad=1
  [ -r "$profile" ] && ! grep -qE -e "$2" "$profile" && bad=0
  result "$bad" "$1" "a line matches: $2" "$(cat "$profile" 2>&1)"
}

enforced_lines() {
  awk '/^\[/ { enforced = $0 ~ /^\[(normal|guarded|protected)\]$/ } enforced && /^allow = /' "$profile"
}

ungranted() {
  local bad=1
  [ -r "$profile" ] && ! enforced_lines | grep -qE -e "$2" && bad=0
  result "$bad" "$1" "an enforced line matches: $2" "$(cat "$profile" 2>&1)"
}

# The rights of the enforced lines on exactly this path, as the profile spells them; "" for none.
granted_on() {
  enforced_lines | awk -v path="$1" '{
    rest = substr($0, 9)
    blank = index(rest, " ")
    if (substr(rest, blank + 1) == path)
      print substr(rest, 1, blank - 1)
  }' | paste -sd+
}

grants() {
  local got bad=0
  got=$(granted_on "$2")
  [ -r "$profile" ] && [ "$got" = "$3" ] || bad=1
  result "$bad" "$1" "on $2" "got:  $got" "want: $3" "$(cat "$profile" 2>&1)"
}

skip() {
  tests_done=$((tests_done + 1))
  printf 'ok %d - %s # SKIP %s\n' "$tests_done" "$1" "$2"
}

skip_all() {
  printf '1..0 # SKIP %s\n' "$1"
  exit 0
}

finish() {
  printf '1..%d\n' "$tests_done"
  exit 0
}
