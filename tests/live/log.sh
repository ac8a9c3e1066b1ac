#!/usr/bin/env bash
# The audit log: what is in it, whatever ends the session; where it is made, and where it is not.
. "$TL_SRC/tests/lib.sh"

state=$HOME/.local/state/trace-learn
export XDG_STATE_HOME=

logs() {
  find "$state" -name '*.jsonl' 2>/dev/null | sort
}

# Each line of the file has the form of the schema.
fits() {
  [ -s "$1" ] && /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <"$1"
}

valid() {
  if [ -x /usr/bin/python3 ]; then
    check "$1: each line has its form" fits "$2"
  else
    skip "$1: each line has its form" 'python3 is not installed'
  fi
}

ends() {
  grep -q '"event":"session","state":"end"' "$1"
}

fresh
echo hello >'a file'
learn sh -c 'cat "a file" "a file"; cat none; read x <"a file"; read x <"a file"; mv "a file" b; exit 7'
is "the status is the program's" "$status" 7
log=$(logs)
check "there is one log" test -f "$log"
is "of the user alone" "$(stat -c %a "$log")" 600
like "its name tells when and what" "${log##*/}" '^[0-9]{8}T[0-9]{6}Z-sh-[0-9a-f]{16}\.jsonl$'
like "the summary tells where it is, and its hash" "$err" \
  "the log is $log \(SHA-256 $(sha256sum <"$log" | cut -d' ' -f1)\)"
valid "a session" "$log"
like "first comes the start" "$(head -n 1 "$log")" '"state":"start".*"argv":\["sh","-c".*"directory":"'"$PWD"'"'
like "last the end" "$(tail -n 1 "$log")" '"state":"end","status":7,.*"complete":true'
like "with the profile" "$(tail -n 1 "$log")" "\"profile\":\"$PWD/p.ini\",\"sha256\":\"$(sha256sum <p.ini | cut -d' ' -f1)\""
like "an access" "$(cat "$log")" '"exe":"[^"]*/cat","syscall":"openat","path":"[^"]*/a file","type":"file","rights":\["read_file"\]'
like "a missing file" "$(cat "$log")" '"kind":"missing","exe":"[^"]*/cat"[^}]*/none"[^}]*"error":"ENOENT"'
like "a rename" "$(cat "$log")" '"kind":"rename"[^}]*"path2":"[^"]*/b"'
like "an exec" "$(cat "$log")" '"event":"exec",[^}]*"argv":\["cat","none"\]'
like "an exit" "$(cat "$log")" '"event":"exit",[^}]*"status":1,"exe":"[^"]*/cat"'
is "an access is written once for each image and result" "$(grep '"event":"access"' "$log" | grep -c 'cat".*/a file"')" 1
like "and counted" "$(grep '"event":"count"' "$log")" '/a file"[^}]*"count":2}'
run "$TRACE_LEARN" --log-all -l all.jsonl -f -o p.ini -- sh -c 'read x <b; read x <b; read x <b'
is "--log-all: every time" "$(grep '"event":"access"' all.jsonl | grep -c '/b"')" 3
valid "--log-all" all.jsonl

# Names and options.
exits "--no-log" 0 "$TRACE_LEARN" --no-log -f -o p.ini -- true
is "leaves no log" "$(logs)" "$log"
unlike "and says none" "$err" 'the log is'
echo mine >taken
exits "-l with a file that is there" 125 "$TRACE_LEARN" -l taken -f -o p.ini -- touch ran
says_line "is refused in one line"
is "the file stays" "$(cat taken)" mine
ln -s nowhere link
exits "-l with a link to nowhere" 125 "$TRACE_LEARN" -l link -f -o p.ini -- touch ran
check "nothing is made through it" test ! -e nowhere
exits "-l /dev/full" 125 "$TRACE_LEARN" -l /dev/full -f -o p.ini -- touch ran
exits "-l in no directory" 125 "$TRACE_LEARN" -l none/log -f -o p.ini -- touch ran
says_line "in one line"
exits "--no-log with -l" 125 "$TRACE_LEARN" --no-log -l x -- touch ran
run "$TRACE_LEARN" -l options.jsonl -q -b "$(learn true && echo p.ini)" --hold=protected --portable --collapse=3 --collapse-prefix=. \
  --force-sensitive-collapse -f -o o.ini -- true
like "the start tells the options that make lines" "$(head -n 1 options.jsonl)" \
  '"base":"p.ini","hold":"protected","portable":true,"collapse":3,"collapse_prefixes":\["'"$PWD"'"\],"force_sensitive_collapse":true'
valid "options" options.jsonl
exits "--log-max without a size" 125 "$TRACE_LEARN" --log-max=1X -- touch ran
says_line "in one line too"
check "the program was never started" test ! -e ran
run "$TRACE_LEARN" -l own.jsonl -q -f -o - -- sh -c 'umask 0; exit 0'
is "-q says nothing" "$err" ''
(umask 777 && "$TRACE_LEARN" -q -l masked.jsonl -f -o masked.ini -- true)
is "a umask does not matter" "$(stat -c %a masked.jsonl)" 600
run "$TRACE_LEARN" -l failed.jsonl -f -o p.ini -- ./taken
is "what cannot be executed has its status" "$status" 126
run "$TRACE_LEARN" -l lost.jsonl -o lost.ini -- sh -c ': >lost.ini'
is "a profile that cannot be written" "$status" 125
like "is told from the program's own failure by the log" "$(tail -n 1 lost.jsonl)" '"status":0,.*"outcome":"failed","failure":"lost.ini was made while'
run "$TRACE_LEARN" -f -l away.jsonl -o p.ini -- sh -c 'exit 0'
valid "-l" away.jsonl

# Arguments that nobody should read.
run "$TRACE_LEARN" -f -o p.ini -l args.jsonl -- sh -c 'true; exit 0' sh --password=hunter2
like "a secret is warned of" "$err" 'warning: argument 4 looks like a secret, and profile and log will show it: --no-arguments'
run "$TRACE_LEARN" --no-arguments -f -o p.ini -l noargs.jsonl -- sh -c '/bin/echo "$1"; exit 0' sh --password=hunter2
is "--no-arguments: the program gets them" "$out" --password=hunter2
unlike "no warning" "$err" 'looks like a secret'
fails "they are nowhere" grep -rq hunter2 p.ini noargs.jsonl
unlike "not on the screen either" "$err" hunter2
valid "--no-arguments" noargs.jsonl

# Hostile names.
# With a log that is named: the names of two that began within one second are in no order.
mkdir hostile
learn_options=(-l ../hostile.jsonl)
(cd hostile && touch $'\xff\e[31m\n"quoted"\\' && learn sh -c 'cat ./*') >/dev/null
learn_options=()
valid "hostile names" hostile.jsonl
like "in the escapes of a profile" "$(cat hostile.jsonl)" '/\\\\xff\\\\x1b\[31m\\\\n\\"quoted\\"\\\\\\\\"'

# Whatever ends the session.
run "$TRACE_LEARN" -f -o p.ini -l killed.jsonl -- sh -c 'cat b; kill -9 $$'
is "a killed program" "$status" 137
check "the log has its end" ends killed.jsonl
like "and what came before" "$(cat killed.jsonl)" '/cat"[^}]*/b"'
like "and how it ended" "$(cat killed.jsonl)" '"event":"exit",[^}]*"signal":"KILL","exe":"[^"]*sh"'
valid "a killed program" killed.jsonl
rm -f going
"$TRACE_LEARN" -f -o p.ini -l term.jsonl -- sh -c 'cat b; : >going; sleep 300' >/dev/null 2>&1 &
pid=$!
wait_for test -e going
kill -s TERM "$pid"
wait "$pid"
is "TERM to the tool" "$?" 143
check "TERM to the tool: the log has its end" ends term.jsonl
like "which tells of it" "$(tail -n 1 term.jsonl)" '"signal":"TERM"'
valid "TERM to the tool" term.jsonl
rm -f going
in_terminal sh -c '"$0" -f -o p.ini -l int.jsonl -- sh -c "cat b; kill -s INT 0; sleep 300"' "$TRACE_LEARN"
check "^C: the log has its end" ends int.jsonl
valid "^C" int.jsonl
rm -f going
"$TRACE_LEARN" -f -o p.ini -l tool.jsonl -- sh -c 'cat b; : >going; sleep 300' >/dev/null 2>&1 &
pid=$!
wait_for test -e going
wait_for grep -q '/going"' tool.jsonl
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
like "a killed tool: what happened before is there" "$(cat tool.jsonl)" '/cat"[^}]*/b"'
fails "but no end" ends tool.jsonl
valid "a killed tool" tool.jsonl
run "$TRACE_LEARN" -f -o p.ini -l patricide.jsonl -- sh -c 'cat b; kill -9 $PPID'
is "a tool that its own program kills" "$status" 137
like "what happened before is there" "$(cat patricide.jsonl)" '/cat"[^}]*/b"'
check "the start is there before the program's first instruction" sh -c '"$0" -q -f -o p.ini -l first.jsonl -- sh -c "head -n 1 first.jsonl" |
  grep -q "\"state\":\"start\""' "$TRACE_LEARN"

# Two at once.
rm -f "$state"/*.jsonl
for i in 1 2 3 4; do
  "$TRACE_LEARN" -q -f -o "p$i.ini" -- sh -c 'cat b; exit 0' >/dev/null 2>&1 &
done
wait
is "sessions at once have a log each" "$(logs | wc -l)" 4
whole=0
for file in $(logs); do
  ends "$file" && [ "$(grep -c '"state":"start"' "$file")" -eq 1 ] && whole=$((whole + 1))
done
is "and all are whole" "$whole" 4

# A full disk: as far as a limit on files goes it is the same to us.
run bash -c 'ulimit -f 8; exec "$0" -f -o p.ini -l full.jsonl -- sh -c '\''for i in $(seq 200); do read x <"none$i"; done 2>/dev/null; echo on'\' "$TRACE_LEARN"
is "a log that cannot grow: the program goes on, and we fail" "$status $out" '125 on'
like "it is said at once" "$err" 'warning: the audit log ends here, the program goes on: full.jsonl: '
like "and at the end" "${err##*$'\n'}" 'the audit log is not whole: full.jsonl: File too large'
valid "a log that cannot grow" full.jsonl
check "the profile is there" test -s p.ini
if unshare -m true 2>/dev/null; then
  mkdir small
  run unshare -m bash -c 'mount -t tmpfs -o size=16k none small && "$0" -f -o p.ini -l small/log -- sh -c '\''
    for i in $(seq 200); do read x <"none$i"; done 2>/dev/null; echo on'\''; status=$?; cat small/log >kept.jsonl; exit $status' "$TRACE_LEARN"
  is "a full disk: the program goes on, and we fail" "$status $out" '125 on'
  like "for want of room" "$err" 'the audit log is not whole: small/log: No space left on device'
  valid "a full disk" kept.jsonl
else
  skip "a full disk" 'mounting needs root here'
fi
run "$TRACE_LEARN" --log-max=8K -f -o p.ini -l max.jsonl -- sh -c 'for i in $(seq 200); do read x <"none$i"; done 2>/dev/null; exit 3'
is "--log-max: the status is the program's" "$status" 3
check "the log is bounded" test "$(stat -c %s max.jsonl)" -lt 10240
like "it is said" "$err" 'warning: the audit log has reached --log-max'
has "the profile is incomplete" 'incomplete = the audit log reached --log-max'
check "the end is there" ends max.jsonl
like "with what was left out" "$(tail -n 1 max.jsonl)" '"dropped":[1-9]'
valid "--log-max" max.jsonl
run "$TRACE_LEARN" -f -o p.ini -l whole.jsonl -- sh -c 'for i in $(seq 200); do read x <"none$i"; done 2>/dev/null; exit 3'
for log in max whole; do
  tail -n 1 $log.jsonl | grep -o '"accesses":[0-9]*,"distinct":[0-9]*' >$log.counts
done
same "all is counted as without it" max.counts whole.counts
check "what was left out and what is there are the whole" test \
  "$(($(grep -vc '"kind":"log"' max.jsonl) + $(tail -n 1 max.jsonl | grep -o '"dropped":[0-9]*' | cut -d: -f2)))" \
  -eq "$(wc -l <whole.jsonl)"

# looks: kilobytes that the tool takes for 10,000 names of 3,800 bytes that are looked at.
looks() {
  rm -f looks.jsonl
  /usr/bin/python3 -c 'import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
    timeout "$limit" "$TRACE_LEARN" -q -f -o p.ini -l looks.jsonl "$@" -- /usr/bin/python3 -S -c 'import os
for i in range(10000): os.access("/".join([str(i)] + ["x" * 200] * 19), os.F_OK)'
}
is_between() {
  echo "$2"
  [ "$1" -lt "$2" ] && [ "$2" -lt "$3" ]
}
check "a log keeps the names that are in it" is_between 30000 "$(looks)" 100000
check "and none once it is full" is_between 1000 "$(looks --log-max=1M)" 25000

# Where it cannot be in the state directory.
fresh
mkdir elsewhere out
rm -rf "$state" && mkdir -p "${state%/*}" && ln -s "$PWD/elsewhere" "$state"
exits "a link is the state directory" 0 "$TRACE_LEARN" -f -o out/p.ini -- true
is "nothing is made through it" "$(find elsewhere -name '*.jsonl')" ''
is "the log lies beside the profile" "$(find out -name '*-true-*.jsonl' | wc -l)" 1
(cd out && "$TRACE_LEARN" -f -o p.ini -- true 2>here)
like "or in the present directory, by its plain name" "$(cat out/here)" 'the log is [0-9TZ]*-true-[0-9a-f]*\.jsonl '
like "and that is said" "$err" 'the audit log goes to out/[^ ]*: .*/trace-learn'
rm "$state" && mkdir -m 777 "$state" && chmod 777 "$state"
exits "a state directory that others can write" 0 "$TRACE_LEARN" -f -o p.ini -- true
is "has no log either" "$(logs)" ''
# A new process may execute a program before its maker comes to the event that tells of it: that happens now and then.
mkdir made
# shellcheck disable=SC2016
run "$TRACE_LEARN" -q -f -o p.ini -l made/log -- sh -c 'for i in $(seq 40); do /bin/true & /bin/true & wait; done'
is "many processes" "$status" 0
is "each is made before it executes, and once" "$(awk 'match($0, /"event":"(fork|exec)","pid":[0-9]+/) {
  split(substr($0, RSTART, RLENGTH), part, /[":,]+/)
  if (part[3] == "fork" && made[part[5]]++ || part[3] == "exec" && !made[part[5]] && count++)
    print
  total++
}
END {
  print (total > 160 ? "enough" : total)
}' made/log)" enough
rm -rf "$state" && mkdir -m 700 closed
if [ "$TL_USER" = root ]; then
  skip "no log at all" 'root may write everywhere'
else
  chmod 500 closed
  exits "no log at all" 125 env HOME="$PWD/closed" XDG_STATE_HOME="$PWD/closed/x" "$TRACE_LEARN" -o - -l closed/log -- touch ran
  (cd closed && HOME=$PWD exits "no place for a log" 125 "$TRACE_LEARN" -o - -- touch "$OLDPWD/ran") >/dev/null
  check "the program was never started" test ! -e ran
fi
finish
