#!/usr/bin/env bash
# Time: 1200 s
# A helper that answers no more, as when it reads a file on a file system that never answers: the session goes on after ten
# seconds, without that stack, and a new helper tells the next ones.
. "$TL_SRC/tests/lib.sh"
limit=300

command -v jq >/dev/null || skip_all 'jq is not installed'
fresh
echo data >f
echo data >g
echo data >h
cat >stopper.sh <<'END'
read -r _ <f
for status in /proc/[0-9]*/status; do
  { read -r _ name && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ parent; } <"$status"
  [ "$name" = trace-learn-st ] && [ "$parent" = "$PPID" ] && kill -s STOP "${status//[!0-9]/}" && echo stopped
done
read -r _ <g
read -r _ <h
exit 3
END
run "$TRACE_LEARN" -q -k -f -o p.ini -l log.jsonl -- bash stopper.sh
is "the program goes on" "$status $out" '3 stopped'
why_none() {
  jq -r --arg path "$PWD/$1" 'select(.event == "access" and .path == $path) | .stack_missing // "a stack"' log.jsonl
}
is "there was a stack before" "$(why_none f)" 'a stack'
is "the one that it was asked for when it was stopped is missing" "$(jq -r '.stack_missing // empty' log.jsonl | sort | uniq -c | sed 's/^ *//')" \
  '1 what the program maps, or its stack, stopped the helper that reads it'
is "there is one afterwards" "$(why_none h)" 'a stack'
check "the stopped one is not left behind" sh -c '! grep -sqx trace-learn-st /proc/[0-9]*/comm ||
  ! for comm in $(grep -slx trace-learn-st /proc/[0-9]*/comm); do tr "\0" "\n" <"${comm%comm}environ"; done | grep -qxF "TL_DIR=$TL_DIR"'
finish
