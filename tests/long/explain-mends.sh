#!/usr/bin/env bash
# Time: 2400 s
# Every round trip with profiles from which lines and rights were taken by chance: `trace-run -e` tells what is missing,
# round after round, until the program runs as natively. The seeds are the same each time, and TL_SEED="N…"
# tries others. They are in the name of each result.
. "$TL_SRC/tests/lib.sh"

limit=900
for file in "$TL_SRC"/tests/roundtrip/*.trip; do
  name=${file##*/}
  seeds=${TL_SEED:-1191 6317}
  fresh
  run env TRIP_MENDS="$seeds" TL_DIR="$PWD" bash "$TL_SRC/tests/roundtrip/run-trip" "$file"
  ! grep -q '^not ok' <<<"$out" && grep -q '^1\.\.' <<<"$out"
  result $((status | $?)) "${name%.trip}, seeds $seeds" "$out" "$err"
  cd "$TL_DIR" && chmod -R u+rwX "$fresh_count" && rm -rf "${TL_DIR:?}/$fresh_count"
done
finish
