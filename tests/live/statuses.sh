#!/usr/bin/env bash
# The exit status is the program's own, or says precisely what went wrong, before the program starts.
. "$TL_SRC/tests/lib.sh"

fresh
learn_and_run() {
  learn "${@:3}"
  is "learning: $1" "$status" "$2"
  confined "${@:3}"
  is "running: $1" "$status" "$2"
}
learn_and_run "an exit status is passed on" 7 sh -c 'exit 7'
learn_and_run "a signal of its own: KILL" 137 sh -c 'kill -KILL $$'
learn_and_run "a signal of its own: TERM" 143 sh -c 'kill -TERM $$'
learn_and_run "a child that ends later does not count" 0 sh -c '(sleep 0.3; exit 255) & exit 0'

exits "learning: not found" 127 "$TRACE_LEARN" -f -o none.ini -- ./missing
says_line "with one line"
check "and no profile" test ! -e none.ini
exits "learning: not found through PATH" 127 "$TRACE_LEARN" -f -o none.ini -- missing-command
like "and says no more" "$err" 'missing-command: not found in PATH$'
while read -r word advice; do
  exits "learning: $word in the place of a program" 127 "$TRACE_LEARN" -f -o none.ini -- "$word"
  like "says what may have been meant" "$err" "$word: not found in PATH; .*$advice"
done <<'END'
NAME=value env\(1\)
none.ini -p to trace-run
END
exits "learning: a line in one word" 127 "$TRACE_LEARN" -f -o none.ini -- 'cat none'
like "says that there are several" "$err" 'cat none: not found in PATH; .*words of their own; sh -c'
exits "learning: = is no variable where no name is in front" 127 "$TRACE_LEARN" -f -o none.ini -- '1a=b'
like "so it says no more" "$err" '1a=b: not found in PATH$'
printf '#!/bin/sh\n' >lies-here && chmod 755 lies-here
exits "learning: not in PATH, but here" 127 "$TRACE_LEARN" -f -o none.ini -- lies-here
like "and says how that one is called" "$err" 'lies-here: not found in PATH; the one that lies here is called \./lies-here$'
exits "control: called so it is found" 0 "$TRACE_LEARN" -f -o here.ini -- ./lies-here
chmod 644 lies-here
exits "learning: here, and no program" 127 "$TRACE_LEARN" -f -o none.ini -- lies-here
like "and says what it lacks" "$err" 'lies-here: not found in PATH; \./lies-here lies here, and is not executable$'
chmod 755 lies-here
mkdir is-here
exits "learning: a directory" 127 "$TRACE_LEARN" -f -o none.ini -- is-here
like "is not meant" "$err" 'is-here: not found in PATH$'
# One name for two files: before the program runs, not after it.
ln -s . same
for name in new.log ./new.log "$PWD/new.log" same/new.log; do
  exits "learning: log and profile in one file ($name)" 125 "$TRACE_LEARN" -q -o new.log -l "$name" -- sh -c ': >started'
  is "is an error at once ($name)" "$err" "trace-learn: -l $name: the profile is to be written there: name another"
done
exits "learning: the same with -m" 125 "$TRACE_LEARN" -q -m new.log -l new.log -- sh -c ': >started'
exits "and with the name that comes of the program" 125 "$TRACE_LEARN" -q -l sh.ini -- sh -c ': >started'
check "no program ran, and no file is there" test ! -e started -a ! -e new.log -a ! -e new.log.learned -a ! -e sh.ini
mkdir logs
exits "control: the same name elsewhere" 0 "$TRACE_LEARN" -q -o new.log -l logs/new.log -- sh -c ': >started'
mkfifo pipe
exits "learning: a table of tiers that nobody writes to" 125 "$TRACE_LEARN" -q -f -o none.ini --tiers=pipe -- true
is "is not waited for" "$err" 'trace-learn: tiers file: pipe: a named pipe, not a file'
printf '[tiers]\nformat = 1\npath = normal guarded /etc/**\n' >tiers.ini
exits "control: one that is handed over" 0 "$TRACE_LEARN" -q -f -o none.ini --tiers=<(cat tiers.ini) -- true
mkdir -p config/trace-learn
own=$PWD/config/trace-learn/tiers.ini
# tiers_refused WHAT MESSAGE: the user's own table is one that cannot be used.
tiers_refused() {
  exits "the user's own table: $1" 125 env XDG_CONFIG_HOME="$PWD/config" "$TRACE_LEARN" -q -f -o none.ini -- true
  is "it is told: $1" "$err" "trace-learn: $2"
  rm -rf "$own"
}
mkfifo "$own"
tiers_refused "a pipe, which is not waited for" "tiers file $own: not a file"
mkdir "$own"
tiers_refused "a directory" "tiers file $own: not a file"
ln -s tiers.ini "$own"
tiers_refused "what cannot be opened" "tiers file $own: Too many levels of symbolic links"
printf '[tiers]\nformat = 2\n' >"$own"
tiers_refused "one with an error" "$own:2: format 2 is not known here (known: 1)"
truncate -s 2M "$own"
tiers_refused "one that is too large" "$own: larger than 1048576 bytes"
cp tiers.ini "$own"
exits "control: the user's own table" 0 env XDG_CONFIG_HOME="$PWD/config" "$TRACE_LEARN" -q -f -o none.ini -- true
rm -f none.ini
exits "learning: a log where no directory is" 125 "$TRACE_LEARN" -f -o none.ini -l none/log -- true
like "with what to do" "$err" 'cannot make the log none/log: No such file or directory: make the directory first'
exits "learning: a log is not written to standard output" 125 "$TRACE_LEARN" -f -o none.ini -l - -- true
check "nor to a file of that name" test ! -e ./-
exits "control: but when it is named so" 0 "$TRACE_LEARN" -f -o here.ini -l ./- -- true
check "control: it is there" test -s ./-
rm -f ./-
exits "explaining: nor is its log" 125 "$TRACE_RUN" -e -l - -p here.ini -- ./lies-here
check "explaining: nor to a file of that name" test ! -e ./-
exits "explaining: nor are the lines" 125 "$TRACE_RUN" -e --apply=- -p here.ini -- ./lies-here
like "which is said" "$err" '--apply=-: it goes to a file, never to standard output'
check "explaining: the lines are in no file of that name" test ! -e ./-
exits "explaining: a file without a name" 125 "$TRACE_RUN" -e --apply= -p here.ini -- ./lies-here
like "which is said, too" "$err" '--apply="": give the name of a file$'
exits "explaining: a log where no directory is" 125 "$TRACE_RUN" -e -l none/log -p here.ini -- ./lies-here
like "with what to do, too" "$err" '-l none/log: No such file or directory: make the directory first'
exits "control: explaining, named so" 0 "$TRACE_RUN" -e -l ./- -p here.ini -- true
check "control: it is there too" test -s ./-
exits "learning: not executable" 126 "$TRACE_LEARN" -f -o none.ini -- /etc/passwd
says_line "with one line"
exits "learning: a directory" 126 "$TRACE_LEARN" -f -o none.ini -- /etc
exits "running: not found" 127 "$TRACE_RUN" -p p.ini -- ./missing
exits "running: not found through PATH" 127 "$TRACE_RUN" -p p.ini -- missing-command
exits "running: not executable" 126 "$TRACE_RUN" -p p.ini -- /etc/passwd
says_line "with one line"

# before_start NAME STATUS CMD…: refused with one line, and the program was not started.
before_start() {
  rm -f started
  exits "$1" "$2" "${@:3}"
  says_line "$1: in one line"
  check "$1: before the program starts" test ! -e started
}
start=(sh -c ': >started')
learn "${start[@]}"
cp p.ini good.ini
before_start "learning: a wrong option" 125 "$TRACE_LEARN" --wrong -- "${start[@]}"
before_start "running: a wrong option" 125 "$TRACE_RUN" --wrong -p p.ini -- "${start[@]}"
before_start "running: no profile named" 125 "$TRACE_RUN" -- "${start[@]}"
before_start "running: a profile that is not there" 125 "$TRACE_RUN" -p none.ini -- "${start[@]}"
like "with what makes one" "$err" 'none.ini: No such file or directory: learn it first, with trace-learn -o FILE'
before_start "learning: no program" 125 "$TRACE_LEARN" -o none.ini
before_start "learning: the profile is there" 125 "$TRACE_LEARN" -o p.ini -- "${start[@]}"
same "which is as it was" p.ini good.ini
before_start "learning: no such directory" 125 "$TRACE_LEARN" -o none/p.ini -- "${start[@]}"
before_start "learning: a file system that takes no file" 125 "$TRACE_LEARN" -o /proc/p.ini -- "${start[@]}"
before_start "learning: the profile is a directory" 125 "$TRACE_LEARN" -f -o "$PWD" -- "${start[@]}"
before_start "learning: a wrong number" 125 "$TRACE_LEARN" --timeout=x -o none.ini -- "${start[@]}"
before_start "learning: a wrong word" 125 "$TRACE_LEARN" --calls=x -o none.ini -- "${start[@]}"
if [ "$TL_USER" = user ]; then
  mkdir closed && chmod 500 closed
  before_start "learning: a directory that may not be written" 125 "$TRACE_LEARN" -o closed/p.ini -- "${start[@]}"
fi

broken_profile() {
  printf '%s\n' "${@:2}" >broken.ini
  before_start "running: $1" 125 "$TRACE_RUN" -p broken.ini -- "${start[@]}"
}
: >empty.ini
before_start "running: an empty profile" 125 "$TRACE_RUN" -p empty.ini -- "${start[@]}"
broken_profile "an unknown right" '[profile]' 'format = 1' 'landlock = 1' '[normal]' 'allow = fly /tmp'
like "the line is named" "$err" 'broken\.ini:5: '
broken_profile "an unknown section" '[profile]' 'format = 1' 'landlock = 1' '[nothing]'
broken_profile "a newer format" '[profile]' 'format = 2' 'landlock = 1'
broken_profile "an over-long line" '[profile]' 'format = 1' 'landlock = 1' '[normal]' \
  "allow = read_file /$(printf 'x%.0s' $(seq 400))"
like "the line is named" "$err" 'broken\.ini:5: '

learn true
exits "the program of the profile is the default" 0 "$TRACE_RUN" -p p.ini
rm -f p.ini
learn_options=(--timeout=1)
learn sleep 60
is "learning: out of time" "$status" 124
has "the profile is there all the same" '[profile]'
run_options=(--timeout=1)
confined sleep 60
is "running: out of time" "$status" 124
learn_options=()
run_options=()

# Out of memory is a failure like others: each command's own status, and its own name in front.
learn true
{
  cat p.ini
  printf '[protected]\n'
  seq -f 'allow = read_file /nowhere/a-name-that-takes-some-room/%.0f' 300000
} >large.ini
cp p.ini small.ini
starved() {
  # shellcheck disable=SC2016 # sh's
  run sh -c 'ulimit -v 24000; exec "$@"' sh "$@"
}
while read -r want command; do
  # shellcheck disable=SC2086 # words
  starved "$TL_BUILD"/${command//FILE/small.ini}
  if [ "$status" -ge 2 ]; then
    skip "out of memory: $command" "with so little it does not start here: $err" # sanitizers
    continue
  fi
  # shellcheck disable=SC2086 # words
  starved "$TL_BUILD"/${command//FILE/large.ini}
  is "out of memory: $command" "$status $err" "$want ${command%% *}: out of memory"
done <<'END'
2 trace-diff FILE FILE
2 trace-profile show FILE
125 trace-run -p FILE -- true
125 trace-learn -q --no-log -m FILE -- true
END
# A comment takes memory for its line; what stands behind it counts, or nothing of the profile does.
cut=
for size in 1 3 5 7 9 11 13; do
  { cat small.ini; printf '; '; head -c ${size}000000 /dev/zero | tr '\0' x; printf '\n[environment]\nkeep = PATH\n'; } >long.ini
  starved "$TRACE_PROFILE" show long.ini
  [ "$status" -ge 2 ] || grep -q 'keep = PATH' <<<"$out" || cut+="$size "
done
is "out of memory: no profile is read in part" "$cut" ""
run "$TRACE_PROFILE" show long.ini
like "control: with memory enough it is read" "$out" 'environment +keep = PATH'

exits "learning to standard output" 0 "$TRACE_LEARN" -q -o - -- true
like "is the profile alone" "$out" $'^(; [^\n]*\n)?\\[profile\\]\nformat = 1\n'
exits "help of trace-learn" 0 "$TRACE_LEARN" --help
exits "help of trace-run" 0 "$TRACE_RUN" --help
exits "version of trace-learn" 0 "$TRACE_LEARN" --version
like "says it" "$out" '^trace-learn .*[0-9]+\.[0-9]+\.[0-9]+'
exits "version of trace-run" 0 "$TRACE_RUN" --version
finish
