#!/usr/bin/env bash
# Time: 300 s
# The benchmark runs: that it measures each variant, judges, and writes both tables. Never how fast anything is.
. "$TL_SRC/tests/lib.sh"

limit=250
fresh
mkdir -p tests/bench
ln -s "$TL_BUILD"/trace-learn "$TL_BUILD"/trace-run .
ln -s "$TL_BUILD"/tests/bench/{confined,pure,served,stops,work} tests/bench/

bench() {
  run python3 "$TL_SRC/tests/bench/bench" --quick --runs=1 "$@"
}

bench --list
is "it lists what there is" "$status" 0
bench --only=stats,start --variants=strace,stops,stops-enforced-apart,all,enforced-apart,run
is "a part runs" "$status" 0
unlike "and each variant was measured" "$out" '^not measured: stats, '
like "a table" "$out" $'\n''10,000 stats|100,000 stats +[0-9.]+'
like "starts beside setpriv, by the clock and of processors" "$out" \
  ' start, lines-200: ms +-?[0-9.]+ .* at most 2, of processors -?[0-9.]+'
check "and the same as JSON, for each variant" python3 -c 'import json
timings = json.load(open("bench.json"))["workloads"]["stats"]
assert {"native", "stops", "stops-enforced-apart", "all", "run"} <= timings.keys(), timings.keys()
assert all(timing["median"] > 0 for timing in timings.values())'
bench --only=stats,opens --variants=strace,stops-looks-apart,all-apart,run,run-start,run-controls,run-controls-start,run-supervised,served,served-open
like "what the supervisor costs is told in stops" "$out" ' a supervised open, in stops +-?[0-9]'
like "beyond one that does nothing, which is told" "$out" 'in stops .* beyond one that does nothing: -?[0-9.]+'
like "and in traced opens" "$out" ' a supervised open, in traced ones +-?[0-9.]+ .* a supervisor that does nothing -?[0-9.]+'
like "and all of it" "$out" ' trace-run with its supervisor +-?[0-9.]+ +-?[0-9.]+ stops'
like "trace-run is judged beside its controls" "$out" 'opens: run .* beside the controls alone -?[0-9.]+'
unlike "and all was measured" "$out" '^not measured: opens'
runs_of() {
  python3 -c 'import json; print(len(json.load(open("bench.json"))["workloads"]["grep"]["native"]["seconds"]))'
}
bench --only=grep --variants=native
is "each is run as often as --runs says" "$status $(runs_of)" "0 1"
run python3 "$TL_SRC/tests/bench/bench" --runs=1 --only=grep --variants=native
is "and three times as often where it is short" "$status $(runs_of)" "0 3"
like "which the table says" "$out" 'medians of 1 alternated runs, 3 times as many of short work'
bench --only=nothing
is "an unknown workload is refused" "$status" 1
for variant in "served" "served -o" stops "stops -l" "stops -a" "stops -e"; do
  # shellcheck disable=SC2086 # a program and its option
  exits "$variant: the program's status" 7 tests/bench/$variant sh -c 'cat /etc/passwd >/dev/null; (exit 3); exit 7'
done
finish
