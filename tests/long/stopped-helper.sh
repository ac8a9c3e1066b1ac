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

# Rules for unwinding are a program of their own, and this one never ends: what a frame is computed from jumps to itself.
if [ "$(uname -m)" = x86_64 ] && type gcc >/dev/null 2>&1; then
  cat >loops.c <<'END'
#include <fcntl.h>
__attribute__((noinline)) int inner(const char *name)
{
	int fd;

	__asm__ volatile(".cfi_remember_state\n\t.cfi_escape 0x0f, 3, 0x2f, 0xfd, 0xff");
	fd = open(name, O_RDONLY);
	__asm__ volatile(".cfi_restore_state");
	return fd;
}
int main(int count, char **words)
{
	(void)count;
	return inner(words[1]) < 0 || open(words[2], O_RDONLY) < 0;
}
END
  gcc -O1 -o loops loops.c
  rm log.jsonl
  run "$TRACE_LEARN" -q -k -f -o p.ini -l log.jsonl -- ./loops f g
  is "rules that never end: the program goes on" "$status $err" '0 '
  like "that stack is missing" "$(why_none f)" '^what the program maps, or its stack, stopped the helper'
  is "and the next one is there" "$(why_none g)" 'a stack'
else
  skip "rules that never end" 'they are written for x86-64, with gcc'
fi
check "the stopped one is not left behind" sh -c '! grep -sqx trace-learn-st /proc/[0-9]*/comm ||
  ! for comm in $(grep -slx trace-learn-st /proc/[0-9]*/comm); do tr "\0" "\n" <"${comm%comm}environ"; done | grep -qxF "TL_DIR=$TL_DIR"'
finish
