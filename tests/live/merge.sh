#!/usr/bin/env bash
# trace-profile merge and trace-learn -m: what several sessions needed is in one profile, with what a person wrote.
. "$TL_SRC/tests/lib.sh"

trusted=$HOME/.local/state/trace-learn/trusted
# shellcheck disable=SC2317 # called through check and fails
is_trusted() {
  grep -qxF "$(sha256sum <"$1" | cut -d' ' -f1) $(realpath "$1")" "$trusted"
}

# learned FILE CMD…
learned() {
  local profile=$1
  shift
  learn "$@"
}

# A tool that makes a cache of its seed, or reads it.
make_tool() {
  cat >tool <<'END'
#!/bin/sh
[ -e cache/data ] && exec cat cache/data
mkdir -p cache && echo made >cache/data && cat seed
END
  chmod +x tool
  echo seed >seed
}

# The first advice: a cache that is made, then a cache that is read; neither profile alone is enough.
fresh
make_tool
learned fresh.ini ./tool
learned warm.ini ./tool
exits "sessions are merged" 0 "$TRACE_PROFILE" merge -o p.ini fresh.ini warm.ini
is "without a word" "$out$err" ''
has "counted" 'sessions = 2'
has "with the program, which is the same" "argv0 = ./tool"
check "and trusted, as both were" is_trusted p.ini
for cache in fresh warm; do
  [ "$cache" = warm ] || rm -r cache
  confined ./tool
  is "under it the tool runs with a $cache cache" "$status $out" "0 $([ "$cache" = fresh ] && echo seed || echo made)"
done
profile=warm.ini
rm -r cache
confined ./tool
isnt "control: learned warm alone it does not" "$status" 0
mkdir cache && echo made >cache/data
profile=fresh.ini
confined ./tool
is "control: learned fresh alone it does not" "$status" 1
profile=p.ini
"$TRACE_PROFILE" merge warm.ini fresh.ini >other.ini
same "the order does not count, standard output is the default" p.ini other.ini
"$TRACE_PROFILE" merge -o - fresh.ini warm.ini >other.ini
same "and - is it too" p.ini other.ini
exits "a merged profile passes" 0 "$TRACE_PROFILE" check p.ini
cp p.ini before.ini
exits "with itself" 0 "$TRACE_PROFILE" merge -f -o p.ini p.ini p.ini
exits "it allows the same" 0 "$TRACE_DIFF" before.ini p.ini

# Where it is written.
exits "a file that is there" 2 "$TRACE_PROFILE" merge -o p.ini fresh.ini
says_line "is kept"
like "with what to do" "$err" 'p.ini exists already: replace it with -f'
chmod 640 p.ini
exits "-f replaces it" 0 "$TRACE_PROFILE" merge -f --output=p.ini fresh.ini
is "it keeps its mode" "$(stat -c %a p.ini)" 640
has "one alone is one session" 'sessions = 1'
run sh -c '"$0" merge fresh.ini >/dev/full' "$TRACE_PROFILE"
is "a full disk" "$status|$err" '2|trace-profile: writing to standard output: No space left on device'
exits "one that is not there" 2 "$TRACE_PROFILE" merge -o new.ini fresh.ini none.ini
says_line "is one line"
printf '[profile]\nformat = 1\n[normal]\nallow = fly /\n' >broken.ini
exits "one that is broken" 2 "$TRACE_PROFILE" merge -o new.ini fresh.ini broken.ini
like "is named with its line" "$err" '^trace-profile: broken.ini:4: '
fails "nothing was written" test -e new.ini
exits "no file" 2 "$TRACE_PROFILE" merge
exits "--min-seen=0" 2 "$TRACE_PROFILE" merge --min-seen=0 fresh.ini
says_line "is one line too"
exits "--min-seen beyond all" 2 "$TRACE_PROFILE" merge --min-seen=3 fresh.ini warm.ini
like "says so" "$err" '--min-seen=3: there are no more than 2 profiles'
exits "and beyond a single one" 2 "$TRACE_PROFILE" merge --min-seen=2 fresh.ini
like "says so of one" "$err" '--min-seen=2: there is no more than 1 profile$'
exits "--min-seen=2" 0 "$TRACE_PROFILE" merge -f -o p.ini --min-seen=2 fresh.ini warm.ini
hasnt "takes what both need" "^allow = [^ ]+ $PWD(/cache|/seed|\$)"
grants "and that alone" "$PWD/tool" execute,read_file

# What was not trusted does not become so.
sed '$a; by hand' fresh.ini >hand.ini
exits "one that nobody let in" 0 "$TRACE_PROFILE" merge -f -o p.ini hand.ini warm.ini
fails "makes the whole one that nobody let in" is_trusted p.ini
like "which is said, as the program may change it" "$err" 'only after "trace-profile trust p.ini"'
confined ./tool
is "and trace-run refuses it" "$status" 125

# Held lines and the environment.
printf '[profile]\nformat = 1\n[held]\nallow = read_file %s\n[environment]\nunset = TOKEN\n' "$PWD/seed" >held.ini
exits "what one holds" 0 "$TRACE_PROFILE" merge -f -o p.ini held.ini fresh.ini
has "stays held" '[held]'
grants "whatever another one grants" "$PWD/seed" ''
has "and is told" 'incomplete = grants that were needed are held'
has "an environment that one has is in force" 'unset = TOKEN'
printf '[profile]\nformat = 1\n[environment]\nkeep = TOKEN\n' >keep.ini
exits "a contradiction" 2 "$TRACE_PROFILE" merge held.ini keep.ini
says_line "is one line"
like "with both places" "$err" 'held.ini:6: "unset = TOKEN" and keep.ini:4: "keep = TOKEN"'
# -m FILE: the same in place.
# add FILE CMD…: trace-learn -m FILE, with $learn_options
add() {
  local file=$1
  shift
  run "$TRACE_LEARN" "${learn_options[@]}" -m "$file" -- "$@"
}
fresh
make_tool
add p.ini ./tool
is "-m FILE, not there yet: the program's output and status" "$status|$out" '0|seed'
has "is made" 'sessions = 1'
like "which is said, for a name may be mistyped" "$err" $'\ntrace-learn: [^\n]*p.ini: there is no profile of that name yet, so -m begins a new one'
chmod 600 p.ini
add p.ini ./tool
is "-m FILE: the program's output and status" "$status|$out" '0|made'
has "adds a session" 'sessions = 2'
unlike "and begins none" "$err" 'begins a new one'
has "and what it needed" "argv0 = ./tool"
is "the file keeps its mode" "$(stat -c %a p.ini)" 600
check "and is trusted, as it was" is_trusted p.ini
exits "what was added passes" 0 "$TRACE_PROFILE" check p.ini
confined ./tool
is "under it the tool runs warm" "$status $out" '0 made'
rm -r cache
confined ./tool
is "and fresh" "$status $out" '0 seed'

# What a person wrote stays, and what is held stays held.
held_file() {
  cat >p.ini <<END
; ours
[profile]
format = 1
landlock = 1
sessions = 1
; runs as this
program = $PWD/tool
argv0 = ./tool
directory = $PWD

[normal]
; by hand
allow = read_file \${HOME}/by-hand

[held]
; not without me
allow = read_file $PWD/seed

[environment]
unset = TOKEN

[seccomp]
allow = unix_socket
END
}
held_file
rm -rf cache
add p.ini ./tool
is "-m on a profile by hand" "$status" 0
for line in '; ours' '; by hand' 'allow = read_file ${HOME}/by-hand' '; not without me' "allow = read_file $PWD/seed" \
  'unset = TOKEN' 'allow = unix_socket' '; runs as this' "program = $PWD/tool" 'sessions = 2' \
  'incomplete = grants that were needed are held'; do
  has "keeps: $line" "$line"
done
grants "what is held is not granted" "$PWD/seed" ''
like "which is said" "$err" 'held \([a-z]+\), not enforced until a person moves the line: read_file [^ ]*/seed'
check "what was out of the program's reach and is in it now is trusted" is_trusted p.ini
rm -r cache
confined ./tool
isnt "and is refused" "$status" 0
held_file
rm -rf cache
add p.ini sh -c 'ls / >/dev/null; cat seed cache/* 2>/dev/null; :'
hasnt "another command line is no command line" '^(program|argv0|argument)'

# -o, and what is there already.
held_file
cp p.ini before.ini
run "$TRACE_LEARN" -m p.ini -o out.ini -- ./tool
is "-m FILE -o OUT" "$status" 0
same "leaves FILE" p.ini before.ini
profile=out.ini
has "and writes OUT" 'sessions = 2'
profile=p.ini
exits "without -f OUT must be new" 125 "$TRACE_LEARN" -m p.ini -o out.ini -- ./tool
exits "with -o FILE must be there" 125 "$TRACE_LEARN" -m none.ini -o new.ini -- ./tool
says_line "which is one line"
run "$TRACE_LEARN" -q -m p.ini -o - -- true
like "-o - is standard output" "$out" '; not without me'

# What is refused before the program starts.
rm -rf cache
for file in broken . -; do
  printf '[profile]\nformat = 1\n[normal]\nallow = fly /\n' >broken
  cp broken before
  exits "-m $file" 125 "$TRACE_LEARN" -m "$file" -- ./tool
  says_line "-m $file: one line"
done
exits "-m of a broken file" 125 "$TRACE_LEARN" -m broken -- ./tool
like "has file and line" "$err" '^trace-learn: broken:4: '
same "which stays as it was" broken before
for option in -m -b; do
  exits "$option twice" 125 "$TRACE_LEARN" $option p.ini $option 'o ther.ini' -- ./tool
  like "is not the last one alone" "$err" "^trace-learn: $option 'o ther.ini': .*trace-profile merge -o FILE p.ini 'o ther.ini'"
done
: >empty
exits "-m of an empty file" 125 "$TRACE_LEARN" -m empty -- ./tool
fails "no program was started" test -e cache

# Bytes that nobody let in are not let in with what is learned.
rm -f p.ini
add p.ini ./tool
printf '%s\n' '[protected]' "allow = read_file $HOME/.ssh/id" >>p.ini
cp p.ini before.ini
rm -r cache
exits "-m of bytes that the program may have written" 125 "$TRACE_LEARN" -m p.ini -- ./tool
says_line "is refused in one line"
like "with both commands, and no option that is not there" "$err" '"trace-profile trust p.ini"$'
exits "also to another place" 125 "$TRACE_LEARN" -m p.ini -o else.ini -- ./tool
fails "nothing was started" test -e cache
same "and nothing written" p.ini before.ini
fails "nor trusted" is_trusted p.ini
"$TRACE_PROFILE" trust p.ini >/dev/null 2>&1
add p.ini ./tool
is "once a person let them in" "$status" 0
has "they are kept" "allow = read_file $HOME/.ssh/id"
check "and trusted with what is new" is_trusted p.ini

# Lines of a person that contradict each other are for check to say.
printf '%s\n' '[profile]' 'format = 1' 'landlock = 1' '[normal]' 'allow = read_file /srv' '[held]' 'allow = read_file /srv/a' >p.ini
add p.ini true
is "-m with lines that contradict each other" "$status" 0
has "leaves the one" 'allow = read_file /srv'
has "and the other" 'allow = read_file /srv/a'
grants "where it was" /srv/a ''
has "and nothing is missing for that" 'complete = yes'
has "a profile by hand takes the command of its first session" 'argv0 = true'

# A profile that is changed meanwhile is not written over.
rm -f p.ini
add p.ini true
run "$TRACE_LEARN" -m p.ini -- sh -c 'echo "; mine" >>p.ini'
is "changed while the program ran" "$status" 125
like "is said" "$err" 'p.ini was changed while the program ran'
has "and kept" '; mine'
check "what was learned is beside it" grep -q '^allow = execute' p.ini.learned
# The command that it shows, pasted.
command=$(sed -n 's/.*make one of them with "\(.*\)"$/\1/p' "$TL_DIR/err")
exits "the command that is shown makes one of the two" 0 bash -c "${command/trace-profile/"$TRACE_PROFILE"}"
has "with what the person wrote" '; mine'
check "and what was learned" grep -q '^allow = execute' p.ini
has "and each session once" 'sessions = 2'
rm -f p.ini
echo taken >p.ini.learned
run "$TRACE_LEARN" -m p.ini -- sh -c 'echo "; mine" >p.ini'
is "made while the program ran" "$status" 125
like "is said, with what to do" "$err" 'p.ini was made while the program ran.*merge -f -o p.ini p.ini p.ini.learned.2'
is "a file that was beside it already" "$(cat p.ini.learned)" taken
check "is left alone for another name" grep -q '^allow = execute' p.ini.learned.2
odd="it's -x"$'\n'"\$y"
mkdir "$odd"
run "$TRACE_LEARN" -m "$odd/-p.ini" -- sh -c 'echo "[profile]
format = 1" >"$1"' sh "$odd/-p.ini"
command=$(sed -n 's/.*make one of them with "\(.*\)"$/\1/p' "$TL_DIR/err")
exits "with names of any bytes too" 0 bash -c "${command/trace-profile/"$TRACE_PROFILE"}"
check "the command did it" grep -q '^allow = execute' "$odd/-p.ini"
is "and kept too" "$(cat p.ini)" '; mine'

# What a person let in is not held again.
rm -f p.ini
mkdir -p "$HOME/.ssh" && echo key >"$HOME/.ssh/id"
learn_options=(-q)
add p.ini cat "$HOME/.ssh/id"
learn_options=(-q --hold=protected)
add p.ini cat "$HOME/.ssh/id"
grants "--hold leaves what FILE grants" "$HOME/.ssh/id" read_file
has "and nothing is missing" 'complete = yes'
finish
