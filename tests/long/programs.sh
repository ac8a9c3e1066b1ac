#!/usr/bin/env bash
# Time: 2400 s
# Programs of Debian at real work (roundtrip/programs): natively, learned and confined alike, and the control is refused.
. "$TL_SRC/tests/lib.sh"

limit=600
# One result for all of a trip's; skipped where the trip is.
trip() {
  local file=$1 name=${1##*/} bad=0
  name=${name%.trip}
  fresh
  run env TL_DIR="$PWD" bash "$TL_SRC/tests/roundtrip/run-trip" "$file"
  cd "$TL_DIR" && chmod -R u+rwX "$fresh_count" && rm -rf "${TL_DIR:?}/$fresh_count"
  if [[ $out == '1..0 # SKIP '* ]]; then
    skip "$name" "${out#'1..0 # SKIP '}"
    return
  fi
  [ "$status" -eq 0 ] && ! grep -q '^not ok' <<<"$out" && grep -q '^1\.\.' <<<"$out" || bad=1
  result "$bad" "$name" "$out" "$err"
}

for file in "$TL_SRC"/tests/roundtrip/programs/*.trip; do
  trip "$file"
done
check "there are at least forty" [ "$tests_done" -ge 40 ]
finish
