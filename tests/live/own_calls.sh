#!/usr/bin/env bash
# How many system calls the tool makes for one of the program's. More is slower; docs/internals/tracer.md says what for.
. "$TL_SRC/tests/lib.sh"

few=20
many=120

log=(--no-log)

# On one processor it neither polls nor asks whether to, which the clock decides.
one=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

# calls KIND COUNT: all calls of the tool in a session with so many of the kind.
calls() {
  rm -f log && mkdir -p here && touch here/file && ln -sfn file here/link && (cd here && seq $many | xargs touch)
  taskset -c "$one" strace -qq -o calls "$TRACE_LEARN" -q -f -o p.ini "${log[@]}" --colocate=never -- "$FIXTURES/repeats" "$1" "$2" || return 1
  # How often a clock ticks meanwhile, and a block is written then, is the machine's doing.
  grep '(' calls | grep -cvE '^(rt_sigreturn|timer_settime|write)\(|ERESTART'
}

# each KIND CALLS: one more of the kind costs so many at most. (The tool's own memory may take one in a hundred.)
each() {
  local less more
  fresh
  less=$(calls "$1" "$few")
  more=$(calls "$1" "$many")
  check "$1: at most $2 calls ${log[0]}" is_within "$(((more - less) * 100 / (many - few)))" "${2}00"
}

is_within() {
  [ "$1" -ge "$(($2 / 2 - 5))" ] && [ "$1" -le "$(($2 + 5))" ] && return
  echo "it takes $1 for a hundred"
  return 1
}

run "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/repeats" nothing 1
is "the program runs" "$status" 0
# Wait, question, continue; with an exit stop twice. Each path is read once, but not that of an open that succeeds
# without making anything, while there is one task. A descriptor is looked at twice (where it leads, what it is); a name
# of one part likewise; an absolute name without a link on it takes one question where nothing is there, and three where
# something is; other names are looked at from their directory, which is opened and closed, and relative ones from the
# directory that they start from. A link at the end of an absolute name is followed as soon as it is seen.
each stat 0
each there 0
each check 7
each check-missing 8
each chmod 3
each times 0
each open 8
# Another file each time, with a line in the profile for each: none is looked for again at the end.
each file-open 8
each missing-beside 10
each missing-absolute 8
each missing 14
each missing-directory 8
each write 16
each write-link 17
each create 30
each make 28
each rename 44
# In a directory of the session's own nobody waits for what the like of it came to before: its name is read, where it
# starts (two questions), that nothing is there, and at the next stop that it is.
each born-file 8
each born-shell 8
each born-directory 8
# A child, its program with what is mapped then, its loader and library, its end.
each execute 56
# Beside another task, which may change the name meanwhile or what is there, it is waited for.
cost() { echo $((($(calls "$1" "$many") - $(calls "$1" "$few")) * 100 / (many - few))); }
fresh
check "born-beside: an exit stop more" test "$(cost born-beside)" -ge "$(($(cost born-file) + 80))"
# Somebody keeps what is only looked at: its name is read, and of a relative one where it starts.
log=(-l log)
each stat 5
each stat-absolute 4
each there 6
each check 8
each open 8
each chmod 14
each born-file 8
# Its arguments and its parent are read too.
each execute 64

# A stop of a task is one of a child. The kernel throws the signal of it away, but for a tool that is traced.
fresh
run strace -qq -e trace=none -o signals "$TRACE_LEARN" -q -f -o p.ini --no-log -- "$FIXTURES/repeats" nothing 1
is "the program runs" "$status" 0
is "its end makes a signal" "$(grep -c 'SIGCHLD.*CLD_EXITED' signals)" 1
is "no stop does" "$(grep -c 'SIGCHLD.*CLD_\(TRAPPED\|STOPPED\)' signals)" 0

# A log is written in blocks, and what waits for its block after 20 ms (50 times a second): not a write for each record.
fresh
mkdir here
run strace -qq -ttt -e trace=write -o writes "$TRACE_LEARN" -q -f -o p.ini -l log --colocate=never -- "$FIXTURES/repeats" file-make 400
is "400 new files are made" "$status" 0
is "each is in the log" "$(grep -c '"path":"[^"]*/here/[0-9]*"' log)" 400
records_are_written_together() {
  awk '/ write\(/ { if (!writes++) first = $1; last = $1 }
    END { print writes " writes in " last - first " s"; exit !(writes <= 50 * (last - first) + 40) }' writes
}
check "with few writes" records_are_written_together
finish
