#!/usr/bin/env bash
# Time: 2400 s
# Every round trip again: with only the enforced calls followed, and started through a shell.
. "$TL_SRC/tests/lib.sh"

limit=600
shell="sh"
# trip NAME FILE: one result for all of a trip's.
trip() {
  local name=$1 file=$2 bad=0
  fresh
  run env TL_DIR="$PWD" bash "$TL_SRC/tests/roundtrip/run-trip" "$file"
  [ "$status" -eq 0 ] && ! grep -q '^not ok' <<<"$out" && grep -q '^1\.\.' <<<"$out" || bad=1
  result "$bad" "$name" "$out" "$err"
  cd "$TL_DIR" && chmod -R u+rwX "$fresh_count" && rm -rf "${TL_DIR:?}/$fresh_count"
}

for file in "$TL_SRC"/tests/roundtrip/*.trip; do
  name=${file##*/}
  TRIP_LEARN_OPTIONS=--calls=enforced trip "enforced calls: ${name%.trip}" "$file"
  TRIP_THROUGH=$shell trip "through a shell: ${name%.trip}" "$file"
done
finish
