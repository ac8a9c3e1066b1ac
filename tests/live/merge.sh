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

# The first advice: a cache that is made, then a cache that is read; neither profile alone is enough.
fresh
cat >tool <<'END'
#!/bin/sh
[ -e cache/data ] && exec cat cache/data
mkdir -p cache && echo made >cache/data && cat seed
END
chmod +x tool
echo seed >seed
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
finish
