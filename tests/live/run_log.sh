#!/usr/bin/env bash
# trace-run -l: an audit log of a run under -e or -n, in the form of trace-learn's.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/explain-lib.sh"

# records LOG PYTHON: how many of its records (`it`) are like this.
records() {
  python3 - "$1" "$2" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
print(sum(1 for it in records if eval("(" + sys.argv[2] + ")", {}, {"it": it, "get": it.get})))
END
}
hash_of() {
  sha256sum <"$1" | cut -c -64
}

fresh
echo text >f
echo other >g
mkdir d
system_and "allow = read_file $PWD/g" "allow = make_reg,write_file $PWD/d"
run "$TRACE_RUN" -e -l run.log -p p.ini -- sh -c 'cat g f; (reboot-no-such; exit 3)'
is "status and output are the program's" "$status $out" "3 other"
is "it is for its owner alone" "$(stat -c %a run.log)" 600
like "its name and hash are told" "$err" "trace-run: the log is run.log \(SHA-256 $(hash_of run.log)\)"
is "the session begins" "$(records run.log 'get("state") == "start" and get("argv")[0] == "sh" and get("directory")')" 1
is "and ends, with the profile that was in force" "$(records run.log 'get("state") == "end" and get("status") == 3 and
  get("outcome") == "enforced" and get("profile").endswith("/p.ini")')" 1
is "by its hash" "$(records run.log "get('sha256') == '$(hash_of p.ini)'")" 1
is "what was denied is there" "$(records run.log 'get("event") == "access" and get("path", "").endswith("/f") and
  get("error") == "EACCES" and get("exe") == "/usr/bin/cat"')" 1
is "and what was not" "$(records run.log 'get("event") == "access" and get("path", "").endswith("/g") and get("result") == "ok"')" 1
is "programs too" "$(records run.log 'get("event") == "exec" and get("exe") == "/usr/bin/cat"')" 1
check "each line is as the schema has it" /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <run.log
run "$TRACE_PROFILE" why -p p.ini --log=run.log "read_file $PWD/f"
like "trace-profile why reads it" "$out" "not allowed.*openat O_RDONLY $PWD/f: EACCES"

cp run.log kept.log
exits "a log that is there" 125 "$TRACE_RUN" -q -e -l run.log -p p.ini -- sh -c ': >d/started'
says_line "in one line"
same "is left as it is" run.log kept.log
check "before the start" test ! -e d/started
exits "where the program could change it" 125 "$TRACE_RUN" -e -l d/run.log -p p.ini -- sh -c ': >d/started'
like "which is the one thing that is said" "$err" "^trace-run: -l d/run.log: the grant on $PWD/d \(line [0-9]+ of the profile\) lets the program change that file[^
]*$"
check "before the start too" test ! -e d/started
exits "where --apply is to write" 125 "$TRACE_RUN" -q -e -l ./both --apply=both -p p.ini -- sh -c ': >d/started'
is "is an error at once" "$err" 'trace-run: -l ./both: --apply is to write there: name another'
check "and neither is there" test ! -e both -a ! -e d/started
exits "alone" 125 "$TRACE_RUN" -l new.log -p p.ini -- true
says_line "in one line"

run "$TRACE_RUN" -n -l looked.log -p p.ini -- cat f
is "-n too" "$status $(records looked.log 'get("outcome") == "traced" and get("status") == 0')" "0 1"
is "where it was not denied" "$(records looked.log 'get("path", "").endswith("/f") and get("result") == "ok"')" 1
run "$TRACE_RUN" -q -e -l none.log -p p.ini -- no-such-program
is "a program that is not there leaves none" "$status $(ls none.log 2>/dev/null)" "127 "
cp /bin/true t
run "$TRACE_RUN" -q -e -l refused.log -p p.ini -- ./t
is "one that may not run is told in it" "$status $(records refused.log 'get("executed") is False')" "126 1"

# Beside the supervisor; and a file of --apply that cannot be.
system_and "allow = read_file /proc/self/status"
run "$TRACE_RUN" -q -e -l own.log -p p.ini -- cat /proc/self/status /proc/self/maps
is "beside the supervisor" "$(records own.log 'get("path", "").startswith("/proc/self/") and get("event") == "access"')" 2
exits "--apply: a file that is there" 125 "$TRACE_RUN" -e --apply=kept.log -p p.ini -- true
says_line "is the one thing that is said"
finish
