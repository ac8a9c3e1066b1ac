#!/usr/bin/env bash
# trace-run: finding and executing the program, and that the program gets everything as it was given.
. "$TL_SRC/tests/lib.sh"

# A profile on the system's programs, with more lines after it.
profile_with() {
  {
    printf '[profile]\nformat = 1\n[protected]\nallow = read_dir,read_file /proc\n[normal]\n' # for sanitizers
    printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 "$FIXTURES"
    printf 'allow = read_file %s\n' /etc/ld.so.cache
    printf '%s\n' "$@"
  } | grep -v '^$' >"$profile"
}

fresh
echo hello >f
echo secret >g
profile_with "allow = read_file $PWD/f"
run cat g
is "control: without the profile the file can be read" "$status $out" "0 secret"
confined cat f
is "what is granted works" "$status $out" "0 hello"
confined cat g
is "the rest is refused, and the status is the program's" "$status" 1
is "by the kernel, and we say nothing" "$err" 'cat: g: Permission denied'

exits "the program's status" 7 "$TRACE_RUN" -p p.ini -- sh -c 'exit 7'
exits "death by a signal is the program's own" 137 bash -c '"$0" -p p.ini -- sh -c "kill -9 \$\$"; exit $?' "$TRACE_RUN"
exits "TERM" 143 bash -c '"$0" -p p.ini -- sh -c "kill \$\$"; exit $?' "$TRACE_RUN"
exits "without --" 0 "$TRACE_RUN" -p p.ini true
exits "options behind the program are the program's" 3 "$TRACE_RUN" -p p.ini sh -c 'exit 3' --print

# Everything passes unchanged.
run env A=1 env
native=$out
run env A=1 "$TRACE_RUN" -p p.ini env
is "the environment, byte for byte" "$out" "$native"
state() {
  (
    umask 027
    ulimit -S -n 200
    trap '' USR1 PIPE HUP
    exec 7</dev/null 9>&2
    run nice -n 3 "$@"
    printf '%s\n' "$out" | sed -E 's/^group [0-9]+/group/'
  )
}
lower=$(nice -n 3 nice) # than whoever started the tests, down to 19
is "control: the fixture sees such things" "$(state "$FIXTURES/process_state" x | grep -cE "^umask 027 nice $lower|^signal 10 is ignored|^descriptor 7|limit 7 is 200")" 4
is "arguments, directory, umask, nice, session, descriptors, signals, limits" \
  "$(state "$TRACE_RUN" -p p.ini -- "$FIXTURES/process_state" x)" "$(state "$FIXTURES/process_state" x)"
run bash -c 'exec "$0" -p p.ini -- sh -c "echo \$\$ \$PPID" & echo $! $$; wait' "$TRACE_RUN"
is "it is executed in place: same process, same parent" "$(sed -n 1p <<<"$out")" "$(sed -n 2p <<<"$out")"

# Names.
ln -s /bin/sh "$PWD/linked"
mkdir bin
printf 'echo "$0 $1"\n' >bin/text
printf '#!/bin/sh\necho "$0 $1"\n' >bin/script
chmod 755 bin/*
profile_with "allow = execute,read_file $PWD/bin"
confined ./bin/script a
is "a script sees the name that was typed" "$status $out" "0 ./bin/script a"
confined ./bin/text a
is "text without #! goes through the shell" "$status $out" "0 ./bin/text a"
run env PATH="bin:/nowhere" "$TRACE_RUN" -p p.ini -- script a
is "PATH, as env(1) searches it" "$status $out" "0 bin/script a"
confined busybox true
is "argv[0] stays" "$status" 0
exits "not found" 127 "$TRACE_RUN" -p p.ini -- no-such-program
says_line "in one line"
exits "not found by its path" 127 "$TRACE_RUN" -p p.ini -- ./no-such-program
: >bin/plain
exits "not executable" 126 "$TRACE_RUN" -p p.ini -- bin/plain
says_line "in one line"
exits "a directory" 126 "$TRACE_RUN" -p p.ini -- ./bin
exits "a link to a granted program" 4 "$TRACE_RUN" -p p.ini -- ./linked -c 'exit 4'
mkdir other
cp /bin/true other/
exits "a program that the profile does not let run" 126 "$TRACE_RUN" -p p.ini -- other/true
like "names what is missing" "$err" "cannot execute: Permission denied; p.ini does not grant execute,read_file on $PWD/other/true"

# Threads and tracers within it. (clone3(2), whose flags no filter sees, is hidden; libc then calls clone(2).)
profile_with
threads=(python3 -c 'import threading; t = threading.Thread(target=print, args=("in a thread",)); t.start(); t.join()')
confined "${threads[@]}"
is "a program makes threads without a word of [seccomp]" "$status $out" "0 in a thread"
confined "$FIXTURES/traces_child"
within="$status $out"
run "$FIXTURES/traces_child"
is "it traces its own children as natively" "$within" "$status $out"
cat >attach.py <<'END'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
print("seized" if libc.ptrace(0x4206, int(sys.argv[1]), 0, 0) == 0 else os.strerror(ctypes.get_errno()))
END
profile_with "allow = read_file $PWD/attach.py"
sleep 1000 &
outside=$!
run python3 "$PWD/attach.py" $outside
if [ "$out" = seized ]; then
  confined python3 "$PWD/attach.py" $outside
  is "but nobody outside" "$status $out" "0 Operation not permitted"
else
  skip "but nobody outside" "natively nobody outside can be traced: $out"
fi
kill $outside

# The profile's own program.
cat >own.head <<END
[profile]
format = 1
program = $PWD/bin/script
argv0 = ./bin/script
argument = one
argument = two  words
END
profile_with "allow = execute,read_file $PWD/bin"
{ cat own.head; tail -n +3 p.ini; } >own.ini
run "$TRACE_RUN" -p own.ini
is "is run when none is named, under the name that was typed" "$status $out" "0 ./bin/script one"
(cd other && run "$TRACE_RUN" -p ../own.ini && printf '%s' "$out" >../elsewhere)
is "and under its full name from elsewhere" "$(cat elsewhere)" "$PWD/bin/script one"
run "$TRACE_RUN" -p own.ini -- sh -c 'echo named'
is "a named one wins" "$status $out" "0 named"
sed "s|^program = .*|program = $FIXTURES/process_state|; s|^argv0 = .*|argv0 = other name|" own.ini >state.ini
run "$TRACE_RUN" -p state.ini
is "argv0 and arguments as they were typed" "$(grep ^argument <<<"$out")" \
  $'argument 0 is other name\nargument 1 is one\nargument 2 is two  words'
profile_with
exits "a profile that names none" 125 "$TRACE_RUN" -p p.ini
says_line "in one line"

# The environment section.
profile_with '[environment]' 'unset = TOKEN' 'set = LANG=C' 'set = NEW=a b'
run env -i TOKEN=x LANG=de PATH="$PATH" "$TRACE_RUN" -p p.ini -- env
is "unset and set" "$(sort <<<"$out")" "$(printf 'LANG=C\nNEW=a b\nPATH=%s' "$PATH")"
profile_with '[environment]' 'keep = PATH'
run env -i TOKEN=x LANG=de PATH="$PATH" "$TRACE_RUN" -p p.ini -- env
is "keep" "$out" "PATH=$PATH"
profile_with '[environment]' "set = PATH=$PWD/bin"
run "$TRACE_RUN" -p p.ini -- script x
is "the program is found in the environment that it gets" "$status" 126
like "and only there" "$err" "$PWD/bin/script: cannot execute"

# Command lines.
profile_with
for wrong in '-p p.ini --no-such -- true' '-x' '-p' '--timeout=0 -p p.ini -- true' '--timeout=1x -p p.ini -- true' \
  '--timeout=+5 -p p.ini -- true' '--timeout=99999999999 -p p.ini -- true' '--timeout= -p p.ini -- true' '-- true' '' 'true' \
  '-p missing.ini -- true' '-p . -- true'; do
  # shellcheck disable=SC2086 # several words
  exits "wrong: trace-run $wrong" 125 "$TRACE_RUN" $wrong
  says_line "says so in one line: trace-run $wrong"
done
exits "two profiles" 125 "$TRACE_RUN" -p p.ini -p 'o ther.ini' -- touch started
like "are not the last one alone" "$err" "^trace-run: -p 'o ther.ini': .*trace-profile merge -o FILE p.ini 'o ther.ini'"
fails "so nothing was started" test -e started
exits "one profile, twice" 125 "$TRACE_RUN" -p p.ini -p p.ini -- touch started
is "is not to be merged with itself" "$err" "trace-run: -p p.ini: it is named already: once is enough"

# What may have been meant.
run "$TRACE_RUN" doctr
is "no profile, and a word like doctor" "$status $err" "125 trace-run: no profile to run doctr under: name one with -p FILE; or was \"trace-run doctor\" meant? (see trace-run --help)"
run "$TRACE_RUN" 'o ther.ini' true
is "no profile, and a word like one" "$status $err" "125 trace-run: no profile: name one with -p FILE; was \"-p 'o ther.ini'\" meant? (see trace-run --help)"
run "$TRACE_RUN" cat f -p p.ini
is "no profile, and an option behind the program" "$status $err" "125 trace-run: no profile: -p behind cat is an option of that program; name the profile before it (see trace-run --help)"
run "$TRACE_RUN" true
is "control: and another word" "$status $err" "125 trace-run: no profile: name one with -p FILE (see trace-run --help)"
for mistake in 'o.ini|a profile is named with -p to trace-run, with -o or -m to trace-learn' \
  'ls -l | wc|a program and its arguments are words of their own; sh -c runs a line of shell' \
  'A=1|a variable is set in front of this command, or with env(1) behind it'; do
  run "$TRACE_RUN" -p p.ini -- "${mistake%|*}"
  is "in the place of the program: ${mistake%|*}" "$status $err" "127 trace-run: ${mistake%|*}: not found in PATH; ${mistake##*|}"
done
: >empty.ini
exits "an empty profile" 125 "$TRACE_RUN" -p empty.ini -- true
says_line "says so in one line"
printf '[profile]\nformat = 1\n[normal]\nallow = fly /usr\n' >broken.ini
exits "a broken profile" 125 "$TRACE_RUN" -p broken.ini -- touch started
like "with its line" "$err" '^trace-run: broken.ini:4: '
fails "and nothing was started" test -e started
exits "--help" 0 "$TRACE_RUN" --help
exits "--version" 0 "$TRACE_RUN" --version
like "names the command" "$out" '^trace-run [0-9]'
exits "a program that is called doctor is one" 127 "$TRACE_RUN" -p p.ini -- doctor
exits "also without --" 127 "$TRACE_RUN" -p p.ini doctor
finish
