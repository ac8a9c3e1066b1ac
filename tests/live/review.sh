#!/usr/bin/env bash
# trace-profile review: a dialogue on a terminal, by keys. Nothing is written before it is saved, what is saved is what
# was answered, and the terminal is left as it was found.
. "$TL_SRC/tests/lib.sh"

trusted=$HOME/.local/state/trace-learn/trusted
# shellcheck disable=SC2317 # called through check and fails
is_trusted() {
  grep -qxF "$(sha256sum <"$1" | cut -d' ' -f1) $(realpath "$1")" "$trusted"
}

# on_terminal STEP… -- CMD…: see review_session.py. $out ends with what became of CMD.
on_terminal() {
  run python3 "$TL_SRC/tests/live/review_session.py" "$@"
}
# review STEP…: of p.ini.
review() {
  on_terminal 'wait > ' "$@" -- "$TRACE_PROFILE" review p.ini
}
# unchanged NAME: p.ini is as it was, and so is the terminal.
unchanged() {
  same "$1: the profile is as it was" p.ini before.ini
  like "$1: and so is the terminal" "$out" 'settings as before'
}

fresh
mkdir ~/.ssh
echo key >~/.ssh/id
echo hosts >~/.ssh/known_hosts
learn_options=(-l log.jsonl)
learn cat ~/.ssh/id ~/.ssh/known_hosts
learn_options=()
is "a program reads what is protected" "$status $out" "0 key
hosts"
sed -i "s|^allow = read_file $HOME/.ssh/id|; the key, for deploy\n&|" p.ini
cp p.ini before.ini

# Leaving.
review 'press q'
like "leaving" "$out" 'p.ini: left as it was.*status 1$'
unchanged "left"
review 'press h' 'wait held' 'wait > ' 'press q' 'wait q again?' 'press n' 'wait > ' 'press q' 'wait q again?' 'press q'
like "answers are not lost by one key" "$out" '1 answer will be lost.*status 1$'
unchanged "left after an answer"
review 'press h' 'wait held' 'wait > ' 'press \x03'
like "^C ends it at once" "$out" 'left as it was.*signal INT$'
unchanged "^C"
review 'press h' 'wait held' 'wait > ' 'press \x04'
like "and so does ^D" "$out" 'status 1$'
unchanged "^D"
review 'press h' 'wait held' 'signal TERM'
like "TERM" "$out" 'signal TERM$'
unchanged "TERM"
review 'press h' 'wait held' 'wait > ' hang
like "a terminal that hangs up" "$out" '(signal HUP|status 1)$'
same "changes nothing" p.ini before.ini

# Saving.
review 'press h' 'wait held' 'wait > ' 'press s' 'wait s again?' 'press s'
like "saving" "$out" 'p.ini: saved, 1 held.*settings as before.*status 0$'
has "what was held is held" "allow = read_file $HOME/.ssh/id"
like "with what a person wrote, and nothing else is" "$(cat p.ini)" \
  "\[protected\]"$'\n'"allow = read_file $HOME/.ssh/known_hosts"$'\n\n'"\[held\]"$'\n'"; the key, for deploy"$'\n'"allow = read_file $HOME/.ssh/id"
has "so it is incomplete" 'incomplete = grants that were needed are held'
fails "not all was answered: that trusts nothing" is_trusted p.ini
confined cat ~/.ssh/id
is "the kernel refuses it" "$status" 1
like "with its error" "$err" 'Permission denied'
review 'press g' 'wait granted' 'wait > ' 'press g' 'wait All is answered' 'wait > ' 'press v' 'wait gained: 1 protected' 'wait > ' \
  'press s'
like "granting it again" "$out" 'saved, 2 granted.*status 0$'
fails "what is normal was not shown: that trusts nothing" is_trusted p.ini
same "the profile is as it was at first" p.ini before.ini
confined cat ~/.ssh/id
is "control: and works" "$status $out" "0 key"
review 'press d' 'wait dropped' 'wait > ' 'press w' "wait widened to $HOME/.ssh" 'wait > ' 'press u' 'wait no longer widened' 'wait > ' \
  'press u' 'wait no longer dropped' 'wait > ' 'press w' 'wait widened' 'wait > ' 'press s'
like "undoing, and widening instead" "$out" 'status 0$'
grants "the directory has it" ~/.ssh read_file
ungranted "the file has no line of its own" "$HOME/.ssh/known_hosts"
run_options=(--allow-writable-profile)
confined cat ~/.ssh/known_hosts
is "and the kernel lets it through" "$status $out" "0 hosts"
run_options=()

# Somebody else changes it meanwhile.
cp before.ini p.ini
review 'press h' 'wait held' 'run echo "; mine" >>p.ini' 'wait > ' 'press s' 'wait s again?' 'press s' 'wait Another name' \
  'press before.ini\r' 'wait exists already' 'wait Another name' 'press other.ini\r'
like "what somebody else wrote" "$out" 'was changed meanwhile.*other.ini: saved.*settings as before.*status 0$'
is "stays" "$(tail -n 1 p.ini)" '; mine'
profile=other.ini
has "and the answers are elsewhere" '; the key, for deploy'
profile=p.ini

# Why.
cp before.ini p.ini
on_terminal 'wait > ' 'press e' 'wait the table names' 'wait openat' 'wait > ' 'press q' -- "$TRACE_PROFILE" review --log=log.jsonl p.ini
like "a log tells who needed a line" "$out" 'cat.*status 1$'
exits "a log that is none" 2 "$TRACE_PROFILE" review --log=p.ini p.ini
like "is named with its line" "$err" '^trace-profile: p.ini:1: '

# A small window, a large one, and keys that are none.
cp before.ini p.ini
on_terminal 'size 5x20' 'wait (more' 'press x' 'wait ghdweuvsq?>' 'press ?' 'wait (more' 'press x' 'wait (more' 'press q' 'wait >' 'press e' 'wait (more' \
  'size 24x80' 'press x' 'wait [g]rant' 'press q' -- "$TRACE_PROFILE" review p.ini
like "20 columns and 5 rows, resized" "$out" 'settings as before.*status 1$'
review 'press gggg' 'wait granted' 'wait > ' 'press \x1b[D' 'wait No such key' 'wait > ' 'press l' 'wait >2 ' 'wait > ' 'press \x04'
unlike "what was typed before it was asked answers nothing" "$out" ' 2 protected, granted'
unchanged "keys that are none"
on_terminal 'wait > ' 'press e' 'wait the table names' 'wait line ' 'wait > ' 'press q' -- \
  sh -c '"$0" review p.ini </dev/null >/dev/null 2>err' "$TRACE_PROFILE"
like "standard streams are not asked" "$out" 'the key, for deploy.*status 1$'

# Names that would steer the terminal.
cp before.ini p.ini
printf 'allow = read_file %s/.ssh/a\\x1b[2J\\xe2\\x80\\xae\\n[held]\n' "$HOME" >line
sed -i '/^\[protected\]/r line' p.ini
on_terminal 'wait > ' 'press e' 'wait > ' 'press l' 'wait > ' 'press q' -- env NO_COLOR=1 "$TRACE_PROFILE" review p.ini
like "a hostile name is shown" "$out" '\.ssh/a.*2J'
unlike "escaped, and nothing is coloured" "$out" $'\e'
unlike "no character turns the line" "$out" $'\u202e'

# Without a terminal.
cp before.ini p.ini
exits "no terminal" 2 setsid -w "$TRACE_PROFILE" review p.ini
says_line "is one line"
like "that says so" "$err" 'p.ini: nothing was changed: there is no terminal'
same "and nothing was" p.ini before.ini
exits "a file that is none" 2 "$TRACE_PROFILE" review none.ini
exits "standard input" 2 sh -c 'cat p.ini | "$0" review /dev/stdin' "$TRACE_PROFILE"
like "has no place to save to" "$err" 'only a file can be reviewed'
printf '[profile]\nformat = 1\n[normal]\nallow = read_file /opt/a\n' >normal.ini
exits "nothing that deserves a look" 0 "$TRACE_PROFILE" review normal.ini
like "is said" "$err" 'nothing to ask'
on_terminal 'wait 1 of 1' 'press q' -- "$TRACE_PROFILE" review --all normal.ini
like "--all asks all the same" "$out" 'read_file /opt/a'
on_terminal 'wait 1 of 1' 'press g' 'wait All is answered' 'wait > ' 'press s' -- "$TRACE_PROFILE" review --all normal.ini
like "and when all is answered" "$out" 'normal.ini: saved, 1 granted.*status 0$'
check "a person has seen it all" is_trusted normal.ini
cp before.ini p.ini
"$TRACE_PROFILE" trust p.ini >"$TL_DIR/out" 2>&1
review 'press h' 'wait held' 'wait > ' 'press s' 'wait s again?' 'press s'
like "what was trusted before" "$out" 'p.ini: saved, 1 held.*status 0$'
check "is so with the answer" is_trusted p.ini
cp before.ini p.ini

# ^Z, and on.
run python3 "$TL_SRC/tests/live/terminal_session.py" "type $TRACE_PROFILE review p.ini" 'wait > ' 'key z' 'wait Stopped' \
  'type stty -a | grep -o -- " icanon"; fg' 'wait  icanon' 'wait > ' 'type q' 'wait left as it was' 'type stty -a | grep -o -- " icanon"' \
  'wait  icanon'
is "^Z gives the terminal back, fg goes on" "$status $err" "0 "
same "nothing was changed" p.ini before.ini
finish
