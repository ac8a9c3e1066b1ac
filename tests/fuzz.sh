#!/usr/bin/env bash
# The fuzz targets hold what they promise for each seed, its beginnings and mutations (replay.c).
. "$TL_SRC/tests/lib.sh"
for target in access escape log profile; do
  exits "$target" 0 "$TL_BUILD/tests/fuzz/replay_$target" "$TL_SRC/tests/fuzz/seeds/$target"/*
done
exits "control: no seed is a failure" 1 "$TL_BUILD/tests/fuzz/replay_profile"
finish
