#!/usr/bin/env bash
# Each question to the audit log that the manual answers with jq: the line as it stands there, on a real log.
. "$TL_SRC/tests/lib.sh"

type jq >/dev/null 2>&1 || skip_all 'jq is not installed'
type mandoc >/dev/null 2>&1 || skip_all 'mandoc is not installed'

# The examples as a reader sees them.
mapfile -t examples < <(mandoc -T utf8 -O width=400 "$TL_SRC/docs/trace-learn.1" | sed 's/.\x08//g' | sed -n 's/^ *\$ \(jq .*\)/\1/p')

# answered WORD: the answer of the one example that has the word in it.
answered() {
  local example count=0
  for example in "${examples[@]}"; do
    [[ $example == *"$1"* ]] && run bash -c "$example" && count=$((count + 1))
  done
  is "one example with $1, which jq can read" "$count $status $err" '1 0 '
}

fresh
learn_options=(-k -l log.jsonl)
echo text >there
learn bash -c 'read -r x <there; echo "$x" >there; read -r y <none; exit 0'
bash=$(readlink -f "$(command -v bash)")
isnt "the manual has examples" "${#examples[@]}" 0
answered '.exe + '
check "which program changed which file" grep -qxF "$bash $PWD/there" <<<"$out"
unlike "and nothing else" "$out" '/none'
answered 'select(.error)'
check "what failed, and how" grep -qxF "ENOENT $PWD/none" <<<"$out"
unlike "what succeeded is not there" "$out" "$PWD/there"
answered '.stack['
check "which function wrote" grep -qxE "$PWD/there _?_?(open|open64|openat)[a-z0-9_]*" <<<"$out"
is "no example is left out here" "${#examples[@]}" 3
finish
