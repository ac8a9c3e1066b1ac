#!/usr/bin/env bash
# Time: 1200 s
# Bash's own tests (job control, traps, pipes, redirections …) print the same, natively and while learning.
. "$TL_SRC/tests/lib.sh"

# Debian's source package holds them; it is fetched with lists of our own, so the system's sources stay as they are.
fetch_source() {
  local code uri key=/usr/share/keyrings/debian-archive-keyring.gpg
  read -r code uri < <(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' \
    2>/dev/null | sed -n 's/^Debian \([a-z]* [^ ]*\)$/\1/p' | head -n 1)
  [ -n "$uri" ] || { echo "no Debian archive is configured" >apt.log; return 1; }
  mkdir -p "$TL_DIR/apt/lists/partial" "$TL_DIR/apt/cache/archives/partial"
  [ ! -e "$key" ] || key="[signed-by=$key]"
  echo "deb-src ${key##/*} $uri $code main" >"$TL_DIR/apt/sources.list"
  local -a options=(-q -o "Dir::Etc::sourcelist=$TL_DIR/apt/sources.list" -o Dir::Etc::sourceparts=-
    -o "Dir::State::lists=$TL_DIR/apt/lists" -o "Dir::Cache=$TL_DIR/apt/cache" -o APT::Sandbox::User=)
  timeout 120 apt-get "${options[@]}" update >apt.log 2>&1 &&
    timeout 120 apt-get "${options[@]}" source --download-only bash >>apt.log 2>&1 &&
    tar -xf bash_*.orig.tar.* && rm -rf "$TL_DIR/apt"
}

# The small helpers of the tests need headers of a configured bash; these two are all they use of them.
build_helpers() {
  local helper
  mkdir headers && echo '#include <string.h>' >headers/bashansi.h && : >headers/config.h || return
  for helper in recho zecho printenv xcase; do
    gcc -w -include stdlib.h -include string.h -Iheaders -o "$source/tests/$helper" "$source/support/$helper.c" || return
  done
}

fresh
fetch_source || skip_all "Debian's source package of bash cannot be fetched: $(tail -n 1 apt.log)"
source=$(cd bash-*/ && pwd)
check "the helpers of bash's tests build" build_helpers

# one NAME SCRIPT COMMAND…: runs one run-* script in NAME with that in front; what it printed is in NAME/out/SCRIPT.
one() {
  local name=$1 script=$2
  shift 2
  (cd "$name/work" && PATH=.:$PATH THIS_SH=/bin/bash BUILD_DIR=$PWD TMPDIR=$PWD/../tmp BASH_TSTOUT=$PWD/../tmp/out \
    timeout -k 5 120 setsid -w "$@" sh "$script") >"$name/out/$script" 2>&1 </dev/null
  echo "status $?" >>"$name/out/$script"
  # What no two runs share: process ids, the time, the directory. Nor is what the tool itself says the program's.
  sed -i -E "/^trace-learn: /d; s/\\b[0-9]{3,}\\b/N/g; s,/$name/,/NAME/,g" "$name/out/$script"
}

# suite NAME COMMAND…: all scripts.
suite() {
  local name=$1 script
  shift
  mkdir -p "$name/out" "$name/tmp" && cp -R "$source/tests" "$name/work" || return
  for script in "$name"/work/run-*; do
    script=${script##*/}
    case $script in run-all | run-minimal | run-gprof) continue ;; esac
    one "$name" "$script" "$@"
  done
}

traced=("$TRACE_LEARN" -q -f -o "$PWD/p.ini" --)
# They sleep more than they work, so they run side by side.
suite native &
suite again &
suite learned "${traced[@]}" &
wait
for script in native/out/*; do
  script=${script##*/}
  # Some wait for fractions of a second, and a busy machine is late: what differs runs again by itself.
  for ((tries = 0; tries < 3; tries++)); do
    cmp -s "native/out/$script" "learned/out/$script" && break
    one native "$script"
    one again "$script"
    one learned "$script" "${traced[@]}"
  done
  if ! cmp -s "native/out/$script" "learned/out/$script" && ! cmp -s "native/out/$script" "again/out/$script"; then
    skip "$script" "native runs differ"
  else
    same "$script" "native/out/$script" "learned/out/$script"
  fi
done
finish
