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

# suite NAME MODULE COMMAND…: runs it with that in front; results in NAME.
suite() {
  local name=$1 module=$2
  shift 2
  mkdir -p "$name.dir"
  (cd "$name.dir" && timeout -k 5 900 "$@" "$python" -m test --junit-xml "../$name.xml" "$module") \
    >"$name.log" 2>&1 </dev/null
  results "$name.xml" >"$name" 2>>"$name.log"
}

for module in $modules; do
  fresh
  suite native "$module"
  suite learned "$module" "$TRACE_LEARN" -q -f -o ../p.ini --
  count=$(grep -c ' passed$' native)
  check "$module has tests that pass natively ($count)" test "$count" -gt 5
  if [ -n "$(comm -3 native learned)" ]; then
    suite native2 "$module"
    suite learned2 "$module" "$TRACE_LEARN" -q -f -o ../p.ini --
    sort -u native native2 -o native.all
    sort -u learned learned2 -o learned.all
  else
    cp native native.all
    cp learned learned.all
  fi
  # A test that gives different results natively says nothing about the tracer: different is what one side never showed.
  is "$module: no result that is not seen natively too" "$(comm -13 native.all learned)" ""
  is "$module: no result that is not seen while learning too" "$(comm -23 native learned.all)" ""
  check "$module: a profile was written" test -s p.ini
done
finish
