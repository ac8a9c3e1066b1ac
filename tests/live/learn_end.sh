#!/usr/bin/env bash
# How learning ends: what outlives the program, and what becomes of the profile when something is in its way.
. "$TL_SRC/tests/lib.sh"

fresh
# Sleeping for a number of seconds that no other test uses.
long=8642$$
running() {
  grep -qazxF "$long" /proc/[0-9]*/cmdline
}
# (What ends later than `run` waits has another status.)
learn sh -c 'setsid sleep "$1" >/dev/null 2>&1 & exit 3' sh "$long"
is "a daemon: the program's status" "$status" 3
fails "nothing of it is left" running
like "it is named" "$err" "sleep \([0-9]+\): outlived the program"
like "and makes the profile incomplete" "$(cat p.ini)" $'\nincomplete = a process that outlived the program was ended: /[^\n]*\n'

learn sh -c '(trap "" TERM HUP INT; while sleep 0.2; do :; done) & exit 4'
is "a daemon that ignores TERM: the program's status" "$status" 4
learn sh -c '(sleep 0.5; exit 9) & exit 5'
is "what ends soon is waited for" "$status" 5
has "and the profile is complete" 'complete = yes'

run "$TRACE_LEARN" --timeout=3 -f -o p.ini -- sh -c 'trap "echo asked; exit 1" TERM; while sleep 0.1; do :; done'
is "--timeout asks first" "$status $out" "124 asked"
like "and the profile is incomplete" "$(cat p.ini)" $'\nincomplete = the program was ended by --timeout\n'
start=$SECONDS
run env --ignore-signal=TERM "$TRACE_LEARN" --timeout=1 -f -o p.ini -- sleep 50
is "--timeout kills then" "$status" 124
check "and no sooner" test $((SECONDS - start)) -ge 5
has "with a profile" '[profile]'
run "$TRACE_LEARN" --timeout=60 -f -o p.ini -- sh -c 'exit 6'
is "--timeout that is not reached" "$status" 6

# The program's status is given only when its profile was written.
exits "a full device" 125 "$TRACE_LEARN" -q -o /dev/full -- true
says_line "a full device: in one line"
exits "a full standard output" 125 sh -c '"$0" -q -o - -- true >/dev/full' "$TRACE_LEARN"
mkdir away
exits "the directory is gone" 125 "$TRACE_LEARN" -q -o away/p.ini -- rmdir away
says_line "the directory is gone: in one line"
exits "the program made the file" 125 "$TRACE_LEARN" -q -o made.ini -- sh -c 'echo mine >made.ini'
is "which stays as it is" "$(cat made.ini)" mine
exits "a limit on the size of files" 125 sh -c 'ulimit -f 0; exec "$0" -q -o limited.ini -- true' "$TRACE_LEARN"
check "leaves no file" test ! -e limited.ini
for command in "$TRACE_LEARN" "$TRACE_LEARN -o none/p.ini -- true" "$TRACE_RUN" "$TRACE_RUN -p none.ini"; do
  # shellcheck disable=SC2086 # words
  exits "a limit on the size of files, where messages go to one (${command#"$TL_BUILD/"})" 125 \
    sh -c 'ulimit -f 0; exec "$@" 2>messages' sh $command
done
exits "and of the other commands: trace-diff" 2 sh -c 'ulimit -f 0; exec "$0" none none 2>messages' "$TRACE_DIFF"
exits "and of the other commands: trace-profile" 2 sh -c 'ulimit -f 0; exec "$0" show none 2>messages' "$TRACE_PROFILE"
run "$TRACE_LEARN" -q -f -o kept.ini -- sh -c 'kill -PIPE $$'
is "but the program has these signals as they were: learning" "$status" 141
run "$TRACE_RUN" -p kept.ini -- sh -c 'kill -XFSZ $$'
is "but the program has these signals as they were: running" "$status" 153
exits "its own profile is in the way of the program" 1 "$TRACE_LEARN" -q -f -o seen.ini -- test -e seen.ini

run sh -c '"$0" -f -o p.ini -- sh -c "exit 3" >&- 2>&-' "$TRACE_LEARN"
is "output and error are closed: the status" "$status" 3
like "and no message got into the profile" "$(head -n 2 p.ini)" $'^; written by trace-learn [0-9.]*\n\\[profile\\]$'
run bash -c '"$0" -f -o p.ini -- sh -c "exit 3" 2> >(exec true); exit $?' "$TRACE_LEARN"
is "nobody reads standard error: the status" "$status" 3

(cd "$TL_DIR/1" && exits "without -o" 0 "$TRACE_LEARN" -- /bin/sh -c 'exit 0') >/dev/null
check "the profile is called after the program" test -s sh.ini
run "$TRACE_LEARN" -f -o /dev/null -- true
like "a profile that goes nowhere" "$err" 'the profile went to /dev/null, where nothing can be run from it'
unlike "is no next command" "$err" 'trace-run -p'
learn sh -c 'cat /dev/null'
like "the first line says what learning does not do" "${err%%$'\n'*}" '^trace-learn: Files are not restricted while learning'
like "the last one is the next command" "${err##*$'\n'}" "trace-run -p p.ini -- sh -c 'cat /dev/null'\$"
confined sh -c 'cat /dev/null'
is "which works" "$status" 0
run "$TRACE_LEARN" -q -f -o p.ini -- true
is "-q says nothing of all that" "$err" ''
like "--help says it first" "$("$TRACE_LEARN" --help | sed -n 2p)" '^Files are not restricted while learning'

learn sh -c ': >"$1"/new; rm "$1"/new' sh "$HOME"
like "what is guarded or protected is named" "$err" "(guarded|protected): make_reg,remove_file,write_file $HOME"
like "with what else it reaches" "$err" 'also reaches'
learn cat /etc/nothing-here
like "what was missing is counted" "$err" 'files? w(as|ere) looked for and missing'
run "$TRACE_LEARN" --with-absent -q -f -o p.ini -- cat "$PWD/nothing-here"
has "--with-absent grants it" "allow = read_file $PWD/nothing-here"
run "$TRACE_LEARN" --hold=guarded -q -f -o p.ini -- sh -c ': >"$1"/new2' sh "$HOME"
like "--hold holds" "$(cat p.ini)" $'\n\\[held\\]\nallow = [^\n]*write_file '
for calls in all enforced; do
  rm -f y
  run "$TRACE_LEARN" --calls=$calls -q -f -o $calls.ini -- sh -c 'cat /etc/hostname; ls /; test -e /none; echo x >y'
done
same "--calls=enforced gives the same profile" all.ini enforced.ini
finish
