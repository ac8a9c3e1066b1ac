#!/usr/bin/env bash
# What trace-learn says at its end, on a terminal: grants by tier, what is held and why, what the profile reaches beyond what
# was seen, what was noticed, where profile and log are, and the next command; in that order.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir -p "$HOME/.ssh"
echo key >"$HOME/.ssh/known_hosts"
echo secret >untouched
in_root=/tl-summary.$$
trap 'rm -f "$in_root"' EXIT
in_terminal "$TRACE_LEARN" -f -o p.ini -l log.jsonl -- sh -c 'cat "$HOME/.ssh/known_hosts"; echo >made; cat none; (: >"$1") 2>/dev/null; rm -f "$1"; exit 3' sh "$in_root"
is "the status is the program's" "$status" 3

# next_line NAME ERE: a line matches, behind the one before.
at=0
next_line() {
  local found
  found=$(tail -n +"$((at + 1))" <<<"$out" | grep -nE -m 1 -- "$2" | cut -d: -f1)
  [ -n "$found" ]
  result $? "$1" "no such line behind line $at: $2" "$(run_facts)"
  at=$((at + ${found:-0}))
}
next_line "first that files are not restricted" '^trace-learn: Files are not restricted while learning'
next_line "grants by tier" '^trace-learn: grants: [0-9]+ normal, [0-9]+ guarded, 1 protected'
next_line "what is guarded" "^trace-learn: guarded: .*make_reg,.* $PWD\$"
next_line "what is protected" "^trace-learn: (warning: )?protected: read_file $HOME/.ssh/known_hosts\$"
[ "$TL_USER" != root ] || next_line "what is held" '^trace-learn: held \(protected\), not enforced until a person moves the line: .* /$'
next_line "what that reaches beyond" '^trace-learn: .* also reaches, and the program never touched:'
next_line "by name" "^trace-learn:   $PWD/untouched( .*)?\$"
[ "$TL_USER" != root ] || next_line "why it is not complete" '^trace-learn: warning: incomplete, a confined run may differ: .*held'
next_line "what was missing" '^trace-learn: .* looked for and missing'
next_line "what was made, and asks for more when it is there" "^trace-learn: 1 file was made that is there at the next start \($PWD/made\): .* takes truncate, .* -m p.ini\$"
next_line "the log and its hash" "^trace-learn: the log is log.jsonl \(SHA-256 $(sha256sum <log.jsonl | cut -d' ' -f1)\)\$"
next_line "the profile" '^trace-learn: the profile is p.ini; next:$'
[ "$TL_USER" != root ] || next_line "what is held waits for a person" '^trace-learn:   trace-profile review --log=log.jsonl -- p.ini$'
next_line "the next command" '^trace-learn:   trace-run -p p.ini -- sh -c '
is "and nothing more" "$(tail -n +"$((at + 1))" <<<"$out" | grep -c .)" 0

# What it suggests works when it is pasted, whatever the names.
PATH=$TL_BUILD:$PATH
name=$'it\'s "mine" $HOME'
run "$TRACE_LEARN" --hold=protected -f -o "$name.ini" -l "$name.jsonl" -- sh -c 'cat "$1"; exit 3' 'a "word"' "$HOME/.ssh/known_hosts"
is "learning with names that a shell would take apart" "$status $out" '3 key'
suggested() {
  sed -n "s/^trace-learn:   \($1 .*\)/\1/p" "$TL_DIR/err"
}
review=$(suggested 'trace-profile review')
start=$(suggested trace-run)
run bash -c "$start"
is "the command that runs it: the program's status, without what is held" "$status $out" '3 '
run python3 "$TL_SRC/tests/live/review_session.py" 'wait 1 of 1' 'wait > ' 'press e' 'wait used itself' 'wait > ' 'press g' 'wait > ' 'press s' -- bash -c "$review"
like "the command that reviews it" "$out" 'saved, 1 granted'
run bash -c "$start"
is "and then it runs with all" "$status $out" '3 key'
finish
