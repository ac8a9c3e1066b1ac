#!/usr/bin/env bash
# `trace-run -e` and then adding its lines makes the program run: profiles from which lines and rights were taken by
# chance. tests/long/explain-mends.sh does it with every round trip.
. "$TL_SRC/tests/lib.sh"

limit=120
seeds=${TL_SEED:-11 12}
for name in cp mv-across; do
  fresh
  run env TRIP_MENDS="$seeds" TL_DIR="$PWD" bash "$TL_SRC/tests/roundtrip/run-trip" "$TL_SRC/tests/roundtrip/$name.trip"
  ! grep -q '^not ok' <<<"$out" && grep -q '^1\.\.' <<<"$out"
  result $((status | $?)) "$name, seeds $seeds" "$out" "$err"
  cd "$TL_DIR" || exit
done
finish
