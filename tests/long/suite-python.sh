#!/usr/bin/env bash
# Time: 3600 s
# CPython's own tests of processes, signals and files give the same results, name by name, natively and while learning.
. "$TL_SRC/tests/lib.sh"

python=/usr/bin/python3
modules="test_subprocess test_signal test_os test_posix test_threading"
"$python" -c 'import test.test_subprocess' 2>/dev/null ||
  skip_all "CPython's tests are not installed (Debian: libpython3.11-testsuite)"

# results FILE: "name result" of each test in a JUnit file, sorted.
results() {
  "$python" - "$1" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

lines = set()
for case in tree.parse(sys.argv[1]).iter("testcase"):
    ended = {child.tag for child in case} & {"error", "failure", "skipped"}
    lines.add(f"{case.get('name')} {'/'.join(sorted(ended)) or 'passed'}")
print("\n".join(sorted(lines)))
PYTHON
}

# suite NAME MODULE COMMAND…: runs it with that in front; results in NAME. Of all its tests, or those that `only` names.
only=()
suite() {
  local name=$1 module=$2
  shift 2
  mkdir -p "$name.dir"
  (cd "$name.dir" && timeout -k 5 900 "$@" "$python" -m test "${only[@]/#/--match=}" --junit-xml "../$name.xml" "$module") \
    >"$name.log" 2>&1 </dev/null
  results "$name.xml" >"$name" 2>>"$name.log"
}

# Of results, those of tests that gave no other one natively: what comes out one way or another says nothing about the tracer.
steady() {
  awk '{ result = $NF; $NF = "" } NR == FNR { results[$0]++; next } results[$0] < 2 { print $0 result }' native.all -
}

# What one side showed and the other did not.
differing() {
  comm -13 native.all learned
  comm -23 native learned.all | steady
}

# The whole module again, then what still differs alone, until either side has shown it too.
again() {
  local module=$1 round
  for ((round = 0; round < 10; round++)); do
    [ -n "$(differing)" ] || break
    printf '# %s, repeat %d: %s\n' "$module" "$((round + 1))" "$(differing | sort -u | paste -sd ';')"
    suite native2 "$module"
    suite learned2 "$module" "${traced[@]}"
    sort -u native.all native2 -o native.all
    sort -u learned.all learned2 -o learned.all
    mapfile -t only < <(differing | sed 's/ .*//' | sort -u)
  done
  only=()
}

# What Python says of the tests that differ, in the first runs.
why_different() {
  differing | sed 's/ .*//' | sort -u | "$python" -c '
import sys
import xml.etree.ElementTree as tree

names = set(sys.stdin.read().split())
for side in "native", "learned":
    for case in tree.parse(side + ".xml").iter("testcase"):
        if case.get("name").split(" ")[0] in names:
            for child in case:
                print(side, case.get("name"), child.tag, (child.get("message") or "") + (child.text or "")[-1500:])'
}

traced=("$TRACE_LEARN" -q -f -o ../p.ini --)
for module in $modules; do
  fresh
  suite native "$module"
  suite learned "$module" "${traced[@]}"
  count=$(grep -c ' passed$' native)
  check "$module has tests that pass natively ($count)" test "$count" -gt 5
  cp native native.all
  cp learned learned.all
  again "$module"
  is "$module: no result that is not seen natively too" "$(comm -13 native.all learned)" "" || why_different
  is "$module: no result that is not seen while learning too" "$(comm -23 native learned.all | steady)" "" || why_different
  check "$module: a profile was written" test -s p.ini
done
finish
