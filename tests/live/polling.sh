#!/usr/bin/env bash
# Where tool and task have processors of their own, the tool polls for stops, as long as the task is alone (so the shell
# opens itself). What that may take: test_poll.c.
. "$TL_SRC/tests/lib.sh"

[ "$(nproc)" -gt 1 ] || skip_all "there is one processor"
readarray -t processors < <(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2], sep="\n")')

# Runs as the program, whose parent is the tool: each on a processor of its own, then what it was told.
cat >apart <<EOF
taskset -cp ${processors[0]} \$PPID >/dev/null && taskset -cp ${processors[1]} \$\$ >/dev/null || exit 99
EOF
cat >switches <<'EOF'
slept() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$PPID/status"; }
mkdir -p here && touch here/file
before=$(slept)
i=0; while [ $i -lt 3000 ]; do : <here/file; i=$((i + 1)); done
echo $(($(slept) - before))
EOF
top=$PWD

# tool ARGS…: one session, apart.
tool() {
  "$TRACE_LEARN" -q -f -o p.ini --no-log --colocate=never "$@"
}

# One of some sessions is enough: polling makes way where somebody else wants the processor.
sleeps_less() {
  local try count
  for try in {1..8}; do
    count=$(tool -- sh -c ". $top/apart; . $top/switches" 2>/dev/null)
    [ "${count:-6000}" -le 4500 ] && return
  done
  echo "it slept $count times at 6000 stops"
  return 1
}
fresh
check "the tool sleeps less often than the program stops" sleeps_less

finish
