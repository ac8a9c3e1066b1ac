#!/usr/bin/env bash
# Time: 2400 s
# Everyday commands (corpus.txt): natively, learned and confined alike.
. "$TL_SRC/tests/lib.sh"

limit=600
fresh
count=0
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  {
    printf 'title=%q\ncommand=(bash -c %q)\n' "$line" "$line"
    cat <<'X'
setup='printf "%s\n" one two four >a; printf "%s\n" four three >b; mkdir -p d/e; echo below >d/e/f; ln -s a l
  printf "%s\n" "#!/bin/sh" "echo script \$*; cat a" >s; chmod 755 s; touch -d @1000000000 a b d/e/f d/e d s'
X
  } >one.trip
  count=$((count + 1))
  mkdir run && cd run || exit
  run env TL_DIR="$PWD" bash "$TL_SRC/tests/roundtrip/run-trip" ../one.trip
  cd .. && chmod -R u+rwX run && rm -rf run
  bad=0
  [ "$status" -eq 0 ] && ! grep -q '^not ok' <<<"$out" && grep -q '^1\.\.' <<<"$out" || bad=1
  result "$bad" "$line" "$out" "$err"
done <"$TL_SRC/tests/long/corpus.txt"
check "there is a corpus" [ "$count" -gt 100 ]
finish
