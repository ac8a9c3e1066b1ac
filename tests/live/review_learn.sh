#!/usr/bin/env bash
# trace-learn --review: nothing above normal is granted that a person did not accept, and the log keeps each answer.
. "$TL_SRC/tests/lib.sh"

# learn_on_terminal STEP… -- CMD…: see review_session.py; the log is log.jsonl.
learn_on_terminal() {
  local steps=()
  while [ "$1" != -- ]; do
    steps+=("$1")
    shift
  done
  rm -f log.jsonl
  run python3 "$TL_SRC/tests/live/review_session.py" "${steps[@]}" -- "$TRACE_LEARN" "${learn_options[@]}" --review -l log.jsonl -f \
    -o p.ini "$@"
}
# logged REGEX: how many records match.
logged() {
  grep -cE "$1" log.jsonl
}
outcome() {
  tail -n 1 log.jsonl | grep -oE '"outcome":"[a-z]+"' | cut -d'"' -f4
}
valid() {
  /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <log.jsonl
}

fresh
mkdir ~/.ssh
echo key >~/.ssh/id
echo hosts >~/.ssh/known_hosts
reader=(sh -c 'cat ~/.ssh/id ~/.ssh/known_hosts; exit 7')
learn "${reader[@]}"
grants "control: without a review all is granted" ~/.ssh/id read_file

rm p.ini
learn_on_terminal 'wait 1 of 2' 'wait > ' 'press e' 'wait openat' 'wait > ' 'press h' 'wait 2 of 2' 'wait > ' 'press g' 'wait All is answered' 'wait > ' 'press u' 'wait no longer' \
  'wait > ' 'press g' 'wait > ' 'press s' -- "${reader[@]}"
like "saved: the program's status" "$out" 'next:.*settings as before.*status 7$'
grants "what was accepted is granted" ~/.ssh/known_hosts read_file
ungranted "what was not is not" "$HOME/.ssh/id"
has "but held" "allow = read_file $HOME/.ssh/id"
confined cat ~/.ssh/known_hosts
is "the kernel lets the one through" "$status $out" "0 hosts"
confined cat ~/.ssh/id
is "and not the other" "$status" 1
is "the log tells the outcome" "$(outcome)" held
is "the answer to each" "$(logged '"answer":"held","path":"[^"]*/id","rights":\["read_file"\],"tier":"protected"\}')" 1
like "the end what came of it" "$(tail -n 1 log.jsonl)" \
  '"complete":false,"incomplete":\["grants that were needed are held"\],"held":\[\{"path":"[^"]*/id","rights":\["read_file"\]\}\]'
is "also one that was given twice" "$(logged '"answer":"granted","path":"[^"]*/known_hosts",.*"protected"\}')" 2
is "and taken back" "$(logged '"answer":"granted",.*"undone":true')" 1
check "in the form of its schema" valid

learn_on_terminal 'wait 1 of 2' 'wait > ' 'press g' 'wait 2 of 2' 'wait > ' 'press g' 'wait > ' 'press s' -- "${reader[@]}"
is "all accepted" "$(outcome)" written
cp p.ini before.ini

# What nobody answered is held.
learn_on_terminal 'wait > ' 'press s' 'wait Not answered: 2. That will be held' 'wait again?' 'press s' -- "${reader[@]}"
like "saving without an answer" "$out" 'status 7$'
ungranted "grants nothing" "$HOME/.ssh"
is "which the log tells apart" "$(logged '"answer":"held",.*"unanswered":true')" 2

# Declined: no profile, 125, the reason, and the log with the answers.
for how in q eof int term; do
  cp before.ini p.ini
  case $how in
  q) steps=('press q' 'wait No profile will be written' 'wait again?' 'press q') reason='left without saving' ;;
  eof) steps=('press \x04') reason='left without saving' ;;
  int) steps=('press \x03') reason='ended by SIGINT' ;;
  *) steps=('signal TERM') reason='ended by SIGTERM' ;;
  esac
  learn_on_terminal 'wait > ' 'press g' 'wait 2 of 2' 'wait > ' "${steps[@]}" -- "${reader[@]}"
  like "$how: declined" "$out" "the review was $reason: no profile was written.*settings as before.*status 125\$"
  same "$how: what was there is there" p.ini before.ini
  is "$how: the log says so" "$(outcome)" declined
  is "$how: with the answers" "$(logged '"answer":"granted"')" 1
  like "$how: and the reason" "$(tail -n 1 log.jsonl)" "\"failure\":\"the review was $reason"
  check "$how: in its form" valid
done
like "where it is, is said" "$out" 'the log is log.jsonl \(SHA-256 '

# What is typed, or answered by the program itself, before a question stands there.
rm -f go
learn_on_terminal 'press ggs' 'run : >go' 'wait 1 of 2' 'wait > ' 'press q' 'wait again?' 'press q' -- \
  sh -c 'until [ -e go ]; do sleep 0.05; done; cat ~/.ssh/id ~/.ssh/known_hosts'
like "keys of before are no answers" "$out" 'status 125$'
is "none is logged" "$(logged '"event":"answer"')" 0

# Adding to a profile: what it has is not asked for again.
learn cat ~/.ssh/id
rm log.jsonl
run python3 "$TL_SRC/tests/live/review_session.py" 'wait 2 of 2' 'wait known_hosts' 'wait > ' 'press l' 'wait granted before' 'wait > ' \
  'press g' 'wait All is answered' 'wait > ' 'press s' -- "$TRACE_LEARN" --review -l log.jsonl -m p.ini -- cat ~/.ssh/known_hosts
like "-m: one question" "$out" 'status 0$'
grants "what was there" ~/.ssh/id read_file
grants "and what was accepted" ~/.ssh/known_hosts read_file

# What is answered is not lost when the profile was changed meanwhile.
rm -f log.jsonl
learn cat ~/.ssh/id
rm -f log.jsonl
cp p.ini before.ini
run python3 "$TL_SRC/tests/live/review_session.py" 'wait known_hosts' 'wait > ' 'run echo "; mine" >>p.ini' 'press g' \
  'wait All is answered' 'wait > ' 'press s' -- "$TRACE_LEARN" --review -l log.jsonl -m p.ini -- cat ~/.ssh/known_hosts
like "changed during the review" "$out" 'p.ini was changed while the program ran.*what was learned is in p.ini.learned.*status 125$'
echo '; mine' >>before.ini
same "what was changed is not written over" p.ini before.ini
profile=p.ini.learned
grants "what was answered is beside it" ~/.ssh/known_hosts read_file
profile=p.ini

# Nothing to ask; nobody to ask.
learn_on_terminal -- true
is "what is normal is not asked for" "$(outcome)" written
run setsid -w "$TRACE_LEARN" -f -o no.ini -- sh -c ': >ran'
check "control: without a review it is started" test -e ran
check "and its profile written" test -e no.ini
rm -f ran no.ini
run setsid -w "$TRACE_LEARN" --review -f -o no.ini -- sh -c ': >ran'
is "without a terminal" "$status" 125
like "that is the reason" "$err" '^trace-learn: --review .without it, trace-profile review asks later on.: there is no terminal'
fails "the program is not started" test -e ran
fails "and nothing is written" test -e no.ini
finish
