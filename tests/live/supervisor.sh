#!/usr/bin/env bash
# Time: 300 s
# Lines below /proc: every descendant's own entries, by every spelling, nothing else; and the supervisor is not noticed.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/signals-lib.sh"

# with LINE…: a profile that lets common programs run, and has these lines.
with() {
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 "$FIXTURES"
  printf 'allow = read_file %s\n' /etc/ld.so.cache
  printf 'allow = read_file,write_file %s\n' /dev/null
  printf 'allow = %s\n' "$@"
  printf '[scope]\nallow = signal\n'
  printf '[seccomp]\nallow = namespaces\n'
}
is_alive() {
  kill -0 "$1" 2>/dev/null && ! grep -q '^[^)]*) Z' "/proc/$1/stat"
}
is_gone() {
  ! is_alive "$1"
}
is_stopped() {
  grep -q ') T' "/proc/$1/stat"
}
children() {
  tr -d " " <"/proc/$1/task/$1/children"
}

# Learned, and run.
fresh
learn sh -c 'cat /proc/self/status >/dev/null; sh -c "cat /proc/self/maps" | head -1'
is "learning" "$status" 0
has "what a child opens is granted as its own" "allow = read_file /proc/self/maps"
confined sh -c 'cat /proc/self/status >/dev/null; sh -c "cat /proc/self/maps" | head -1'
is "the children have it too" "$status" 0
like "and it is their own" "$out" /cat$
unlike "nothing is refused" "$err" 'denied'
confined sh -c 'cat /proc/self/environ'
is "what is not granted is not" "$status" 1
like "refused by the kernel" "$err" 'cat: /proc/self/environ: Permission denied'
confined sh -c 'cat /proc/$$/maps; cat /proc/1/status'
unlike "another process's is not" "$out" 'Name:'
like "and refused by the kernel" "$err" '/proc/1/status: Permission denied'
confined sh -c 'sh -c "cat /proc/\$PPID/maps"; :'
like "nor the first process's to its child" "$err" 'maps: Permission denied'
learn sh -c 'sh -c "echo 300 >/proc/self/oom_score_adj; ls /proc/self/fd >/dev/null; cat /proc/self/oom_score_adj; :"'
confined sh -c 'sh -c "echo 300 >/proc/self/oom_score_adj; ls /proc/self/fd >/dev/null; cat /proc/self/oom_score_adj; :"'
is "writing and listing" "$status $out" "0 300"

# Every spelling, as natively. (Sanitizers take their options from environ.)
own=("read_file /proc/self/environ" "read_file /proc/self/status" "read_file /proc/self/maps" "read_file /proc/self/mounts"
  "read_file /proc/self/net" "read_file /proc/self/fdinfo" "read_dir /proc/self/fd"
  "read_file,truncate,write_file /proc/self/comm")
programs=("$FIXTURES/own_entries")
mkdir bin work
if gcc -m32 -D_GNU_SOURCE -isystem "/usr/include/$(gcc -print-multiarch)" -o bin/own_entries_32 \
  "$TL_SRC/fixtures/own_entries.c" -lpthread 2>why && bin/own_entries_32 >/dev/null; then
  programs+=("$PWD/bin/own_entries_32")
else
  skip "spellings of an i386 program" "gcc -m32 makes no program that runs here"
fi
with "${own[@]}" "execute,read_file $PWD/bin" "make_dir,remove_dir $PWD/work" >p.ini
profile=../p.ini
cd work || exit 1
for program in "${programs[@]}"; do
  name=${program##*/}
  run "$program"
  native=$out
  like "$name: the spellings work natively" "$native" 'by thread id: own thread'
  like "$name: another thread's too" "$native" "by another thread's id: a thread's of its own
by its task: a thread's of its own"
  confined "$program"
  is "$name: and for a descendant" "$out" "$native"
  run "$program" edges
  native=$out
  confined "$program" edges
  is "$name: errors and flags are as natively" "$out" "$native"
  exits "$name: 10,000 opens in 20 processes" 0 "$TRACE_RUN" -p ../p.ini -- "$program" many 500
done
cd ..
profile=p.ini
with "execute,read_file $PWD/bin" >without.ini
profile=without.ini confined "$FIXTURES/own_entries"
is "control: without the lines nothing is opened" "$(grep -cE 'own$|opened$|own thread$|of its own$' <<<"$out")" 0
with "read_file /proc/self/task" "execute,read_file $PWD/bin" >task.ini
profile=task.ini confined "$FIXTURES/own_entries"
is "a line on all threads is for them, and for no other spelling" "$(grep -E '(own|opened|own thread|of its own)$' <<<"$out")" \
  "thread-self: own
task: own
by its task: a thread's of its own
thread-self: own thread
task: own thread"
profile=learned.ini
learn "$FIXTURES/own_entries"
native=$out
grants "learned from a thread: its entries are its process's" /proc/self/status read_file
ungranted "and nothing on all threads" '/proc/self/task|/proc/thread-self'
confined "$FIXTURES/own_entries"
is "which is enough" "$out" "$native"
profile=p.ini
with "read_file /proc/mounts" "read_dir /dev/fd" >other.ini
profile=other.ini confined sh -c 'cat /proc/self/mounts >/dev/null; sh -c "ls /proc/self/fd; :" >/dev/null'
is "lines that spell it otherwise" "$status $err" "0 $(grep Landlock <<<"$err")"
if [ "$TL_USER" = root ]; then
  confined setpriv --reuid=65534 --regid=65534 --clear-groups cat /proc/self/maps
  is "one that changed its user" "$status" 0
  # It is not dumpable then, so its entries are root's; but of a thread's name its process is asked, not the mode.
  renaming=(/usr/bin/python3 -c 'import os
os.setresuid(65534, 65534, 65534)
for name in "comm", "task/%d/comm" % os.getpid():
    try: print(os.write(os.open("/proc/self/" + name, os.O_RDWR), b"x"))
    except OSError as error: print(error.strerror)')
  run "${renaming[@]}"
  is "one that changed its user: natively it may name its threads" "$out" $'Permission denied\n1'
  with "read_file,write_file /proc/self/comm" >names.ini
  profile=names.ini confined "${renaming[@]}"
  is "one that changed its user: and so under the profile" "$out" $'Permission denied\n1'
  confined setpriv --bounding-set=-all --inh-caps=-all cat /proc/self/status
  like "one that dropped capabilities" "$out" $'CapEff:\t0000000000000000'
  for as in '' 'setpriv --reuid=65534 --regid=65534 --clear-groups'; do
    # shellcheck disable=SC2086 # words
    run $as "$FIXTURES/own_entries" undumpable
    native=$out
    # shellcheck disable=SC2086 # words
    confined $as "$FIXTURES/own_entries" undumpable
    is "one that is not dumpable has what it has natively ($native)" "$out" "$native"
  done
  mkdir -p jail/proc/self
  echo of the jail >jail/proc/self/status
  with "${own[@]}" "read_file $PWD/jail" | sed 's/^allow = namespaces/&\nallow = chroot/' >jail.ini
  profile=jail.ini confined perl -e 'chroot $ARGV[0] or die $!; open(my $own, "/proc/self/status") or die $!; print <$own>' jail
  is "in another root the name is another one" "$status $out" "0 of the jail"
  confined unshare -m --propagation unchanged cat /proc/self/status
  is "one in another mount namespace is the kernel's alone" "$status $(tail -n 1 <<<"$err")" \
    "1 cat: /proc/self/status: Permission denied"
else
  confined "$FIXTURES/own_entries" undumpable
  like "one that does not let its supervisor look is refused" "$out" 'status: Permission denied'
  is "and told of, once" "$(grep -c 'trace-run: warning: process [0-9]* does not let its supervisor look' <<<"$err")" 1
  run "$TRACE_RUN" -q -p p.ini -- "$FIXTURES/own_entries" undumpable
  like "with -q, too, since it is refused what its profile grants" "$err" 'does not let its supervisor look: .*unshare --map-current-user'
fi

# Served as whom it has become, with no more and no less.
with "read_file /proc/self/"{environ,maps,pagemap,status} "read_dir /proc/self/fd" "read_file,write_file /proc/self/mem" \
  "write_file /proc/self/oom_score_adj" >rights.ini
run "$FIXTURES/own_rights"
native=$out
[ "$TL_USER" = user ] || like "control: root is told what no other one is" "$native" \
  'as it is: pagemap told(.|'$'\n'')*without capabilities: pagemap untold'
profile=rights.ini confined "$FIXTURES/own_rights"
is "entries are opened with the caller's user, group and capabilities" "$out" "$native"
run_options=(--drop-caps)
profile=rights.ini confined "$FIXTURES/own_rights"
run_options=()
is "and with none when they were dropped" "$(grep -c 'pagemap told' <<<"$out") $(grep -c '^as it is: .* opened' <<<"$out")" "0 12"


# One whose status is long before the numbers that count: its name is written with escapes, and its own numbers are long.
long='import ctypes, os, sys
if os.getuid() == 0: os.setresgid(*[4294967290] * 3); os.setresuid(*[4294967291] * 3)
ctypes.CDLL(None).prctl(15, b"\n" * 15)
print(open("/proc/self/maps").readline() != "")'
with "${own[@]}" >long.ini
profile=long.ini confined python3 -c "$long"
is "one with a long status has its entries" "$status $out" "0 True"
profile=long.ini confined python3 -c 'import os; print(os.open("/proc/self/maps", os.O_RDONLY | os.O_EXCL) > 2)'
is "O_EXCL without O_CREAT says nothing" "$status $out" "0 True"

# What may be written may be written, with the same success, by all of a program.
with "read_file /proc/self/status" "read_file,write_file /proc/self/"{attr,clear_refs,comm,coredump_filter,gid_map,loginuid} \
  "read_file,write_file /proc/self/"{mem,oom_score_adj,projid_map,setgroups,timens_offsets,timerslack_ns,uid_map} >writes.ini
all=()
[ "$TL_USER" = user ] || all=(all)
run "$FIXTURES/own_writes" "${all[@]}"
native=$out
like "control: natively some can be written, by each" "$native" 'itself: coredump_filter fine.*thread: comm fine.*executed: mem fine'
profile=writes.ini confined "$FIXTURES/own_writes" "${all[@]}"
same "what is written is written as natively, also in another user namespace" <(echo "$native") <(echo "$out")
learn "$FIXTURES/own_writes" "${all[@]}"
is "and while learning" "$out" "$native"
confined "$FIXTURES/own_writes" "${all[@]}"
is "and under what was learned" "$out" "$native"

with "${own[@]}" "write_file /proc/self/uid_map" "write_file /proc/self/gid_map" "write_file /proc/self/setgroups" >p.ini
if run unshare -Ur true && [ "$status" -eq 0 ]; then
  confined unshare -Ur cat /proc/self/maps
  is "one in a user namespace of its own" "$status" 0
else
  skip "one in a user namespace of its own" "unshare -Ur is refused here"
fi

# Under small limits it works, or says which.
with "read_file /proc/self/status" >p.ini
run sh -c '(ulimit -f 0; "$@" 2>&1) | grep -c ^Name:' sh "$TRACE_RUN" -q -p p.ini -- cat /proc/self/status
is "no file may be written" "$out" 1
other=
for limit_of_files in 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
  # shellcheck disable=SC2016 # sh's
  run sh -c 'ulimit -n $0; exec "$@"' $limit_of_files "$TRACE_RUN" -q -p p.ini -- cat /proc/self/status
  [[ $status == 125 && $err == *"Too many open files"* && $err != *killed* ]] ||
    grep -q ^Name: <<<"$out" || other+="$limit_of_files: $status $err"
done
is "few descriptors" "$other" ""
is "and some are enough" "$status" 0
{
  with "read_file /proc/self/status" | sed '/^\[scope/,$d'
  find /proc/sys/kernel -maxdepth 1 -type f -printf 'allow = read_file %p\n'
} >many.ini
run sh -c 'ulimit -n 40; exec "$@"' sh "$TRACE_RUN" -q -p many.ini -- cat /proc/self/status
like "what it holds leaves it room to answer" "$status $out" '^0 Name:'
like "and what it cannot hold is told" "$err" 'no descriptor is left \(ulimit -n\): [0-9]+;'

# The attack. (It is long on a busy machine.)
limit=120
echo secret >secret
run "$FIXTURES/own_attack" "$PWD/secret" control 9<secret
native=$(sort -u <<<"$out")
like "control: natively what is inherited can be had for writing" "$native" 'opened: /proc/self/fd/9'
[ "$TL_USER" = user ] || like "control: and what is mapped anew" "$native" 'opened: /proc/self/map_files/'
like "control: natively each way works" "$native" 'opened: /proc/self/fd/3'
like "control: also by exchange" "$native" 'opened: by exchange'
for line in "read_dir,read_file,write_file /proc/self" "read_dir,read_file /proc/self/fd" "read_file /proc/self/task"; do
  with "${own[@]}" "$line" >attack.ini
  profile=attack.ini confined "$FIXTURES/own_attack" "$PWD/secret" 9<secret
  is "no way to another file with $line" "$out" end
done

limit=30

# A FIFO holds up the one who opens it, and nobody else; signals interrupt no open.
with "${own[@]}" "read_file,write_file $PWD/ff" >p.ini
mkfifo ff
confined sh -c 'cat ff & cat /proc/self/status >/dev/null && echo served; echo through >ff; wait'
is "a FIFO is opened by its owner alone" "$status $out" "0 served"$'\n'"through"
# (One whose handler is not to restart calls may interrupt one that is not answered yet: the kernel has it so.)
cat >interrupted.pl <<'END'
use POSIX qw(sigaction SIGALRM SA_RESTART);
use Time::HiRes qw(setitimer ITIMER_REAL);
sub count { scalar grep { -l "/proc/self/fd/$_" } 0 .. 500 }
my $before = count();
my $action = POSIX::SigAction->new(sub { $signals++ }, POSIX::SigSet->new(), SA_RESTART);
$action->safe(1); # or perl runs it in the middle of its own allocations, and dies
sigaction(SIGALRM, $action);
setitimer(ITIMER_REAL, 0.0002, 0.0002);
until ($signals > 500) { sysopen(my $own, "/proc/self/status", 0) or die "interrupted: $!\n" }
setitimer(ITIMER_REAL, 0, 0);
print count() - $before, " more\n";
END
cp interrupted.pl bin/
with "${own[@]}" "read_file $PWD/bin" >signals.ini
profile=signals.ini confined sh -c 'perl "$0"; :' "$PWD/bin/interrupted.pl"
is "signals interrupt none of its opens, and lose no descriptor" "$out$err" "0 more"
if [ "$TL_USER" = root ]; then # the kernel lets only root hold up the supervisor
  sed 's/^allow = namespaces/&\nallow = userfaultfd/' p.ini >slow.ini
  profile=slow.ini confined "$FIXTURES/slow_path"
  is "one that is being served is not interrupted, whatever its handler asks for" "$out$err" "opened, signalled"
fi

# What procfs forgets.
with "read_file /proc/meminfo" "read_file /proc/sys/kernel/ostype" "${own[@]}" >p.ini
sed '/meminfo/d' p.ini >without.ini
if [ "$TL_USER" = root ] && [ -w /proc/sys/vm/drop_caches ]; then
  rm -f go
  # shellcheck disable=SC2094 # one end waits for the other
  "$TRACE_RUN" -p p.ini -- sh -c 'echo >&3; read x <&4; cat /proc/meminfo /proc/sys/kernel/ostype /proc/self/status' \
    3>ready 4< <(wait_for test -s ready; echo 2 >/proc/sys/vm/drop_caches; echo) >out 2>err
  is "granted after the caches were dropped" "$? $(grep -c . err)" "0 0"
  profile=without.ini confined cat /proc/meminfo
  is "control: it is not without the line" "$status" 1
else
  skip "granted after the caches were dropped" "only root can drop them"
fi

run "$TRACE_RUN" -p p.ini --print
like "--print tells of the supervisor" "$out" $'\nsupervise opens, for each process'
printf '[profile]\nformat = 1\n[normal]\nallow = read_file /proc/meminfo\n' >held.ini
run "$TRACE_RUN" -p held.ini --print
like "or that it only holds" "$out" $'\nsupervise nothing, but hold entries of /proc'
printf '[profile]\nformat = 1\n[normal]\nallow = read_file /etc/hosts\n' >held.ini
run "$TRACE_RUN" -p held.ini --print
unlike "or that there is none" "$out" 'supervise'

# Woken on the caller's processor where the kernel can, and served all the same where it cannot.
with "${own[@]}" >sync.ini
wake=0x40082104 # SECCOMP_IOCTL_NOTIF_SET_FLAGS
if command -v strace >/dev/null; then
  run strace -f -X raw -e trace=ioctl -o calls "$TRACE_RUN" -p sync.ini -- cat /proc/self/status
  is "traced it is served" "$status $(grep -c ^Name: <<<"$out")" "0 1"
  like "its supervisor asks to be woken at once" "$(grep "$wake" calls)" ", $wake, 0x1(\\)| <unfinished)"
fi
run "$FIXTURES/refuse_call" ioctl::$wake EINVAL "$TRACE_RUN" -p sync.ini -- cat /proc/self/status
is "a kernel that cannot is enough" "$status $(grep -c ^Name: <<<"$out")" "0 1"

# No supervisor where none is needed; and none is left.
with "read_file /etc/hostname" >plain.ini
"$TRACE_RUN" -p plain.ini -- sleep 50 2>/dev/null &
ours=$!
check "without such lines the program takes our place" wait_for grep -qx sleep /proc/$ours/comm
is "with nothing below it" "$(children $ours)" ""
kill $ours
wait $ours 2>/dev/null
unlike "a program has no descriptor more" "$(confined ls -l /proc/self/fd; echo "$out")" 'seccomp|socket'
is "and the same environment" "$(A=1 confined env; echo "$out" | grep -v '^_=')" "$(A=1 run env; echo "$out" | grep -v '^_=')"

# Ends as the program ends.
end_of() {
  run perl -e 'system(@ARGV); printf "%d %d\n", $? & 127, $? >> 8' "$@"
}
confined sh -c 'echo out; echo err >&2; exit 7'
is "status and output" "$status $out" "7 out"
for signal in KILL TERM SEGV INT HUP; do
  end_of "$TRACE_RUN" -p p.ini -- sh -c "kill -$signal \$\$; sleep 20"
  is "dies of SIG$signal as the program did" "$out" "$(kill -l $signal) 0"
done
exits "not found" 127 "$TRACE_RUN" -p p.ini -- no-such-program
exits "not allowed" 126 "$TRACE_RUN" -p p.ini -- ./p.ini
exits "the time is over" 124 "$TRACE_RUN" --timeout=1 -p p.ini -- sh -c 'sleep 50 & sleep 50'
exits "and nobody listens" 124 "$TRACE_RUN" --timeout=1 -p p.ini -- sh -c 'trap "" TERM; while :; do sleep 0.1; done'
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  bash -c "exec \"\$0\" -p p.ini -- sh -c 'sh -c \"test -r /proc/self/status && read x </proc/self/status\"; exit \$?' $closed" \
    "$TRACE_RUN" 2>/dev/null
  is "with closed standard streams: $closed" "$?" 0
done
with "${own[@]}" "make_reg,read_dir,write_file $PWD/work" >p.ini
confined sh -c '(sleep 0.5; cat /proc/self/status >work/later) >/dev/null 2>&1 & exit 0'
check "which has its entries afterwards" wait_for grep -q Name: work/later

# Signals and stops.
passes_signals "$TRACE_RUN" -p p.ini --
"$TRACE_RUN" -p p.ini -- sh -c 'echo $$ >&3; kill -STOP $$; exit 8' 3>inner 2>/dev/null &
ours=$!
check "when the program stops, so do we" wait_for is_stopped $ours
check "and it is" is_stopped "$(cat inner)"
kill -CONT $ours
wait $ours
is "and go on with it" "$?" 8
setsid "$TRACE_RUN" -p p.ini -- sh -c 'setsid sh -c "while sleep 0.05; do cat /proc/self/status >work/beat; done" & until test -s work/beat; do sleep 0.05; done; kill -STOP $$; kill $!; exit 8' \
  2>/dev/null &
ours=$!
wait_for is_stopped $ours
kill -STOP -- -$ours
rm -f work/beat
check "who is not stopped is served while we are" wait_for grep -q Name: work/beat
kill -CONT -- -$ours
wait $ours
# Each stop interrupts the supervisor, wherever it is.
"$TRACE_RUN" -p p.ini -- sh -c '"$0" many 40' "$FIXTURES/own_entries" >told 2>/dev/null &
ours=$!
wait_for eval 'supervisor=$(children $ours) && [ -n "$supervisor" ]'
while kill -STOP "$supervisor" && kill -CONT "$supervisor"; do :; done 2>/dev/null
wait $ours
is "a supervisor that is stopped and goes on hands over what it opened" "$? $(cat told)" "0 bad=0"
session() {
  run python3 "$TL_SRC/tests/live/terminal_session.py" "$@"
}
line="$TRACE_RUN -p p.ini --"
with "${own[@]}" "read_file $PWD" 'read_file,write_file ${TTY}' >p.ini
session "type $line $FIXTURES/waits_for go" 'wait ready' 'key z' 'wait Stopped' 'type echo between' 'wait between' \
  'run : >go' 'type fg; echo status=$?' 'wait status=6'
is "^Z, and fg" "$status $err" "0 "
session "type $line $FIXTURES/waits_for never" 'wait ready' 'key c' 'wait $ ' 'type echo status=$?' 'wait status=130'
is "^C" "$status $err" "0 "

# What the program closes is closed.
mkfifo end
"$TRACE_RUN" -p p.ini -- sh -c 'exec 4>&-; exec sleep 5000' 4>end 2>/dev/null &
ours=$!
exits "who waits for the end of its output sees it" 0 cat end
kill $ours
wait $ours 2>/dev/null

# Death.
"$TRACE_RUN" -p p.ini -- sh -c 'echo $$ >&3; sh -c "echo \$\$ >&3; sleep 50; :" & sleep 50; :' 3>two 2>err &
ours=$!
wait_for sh -c 'test "$(wc -l <two)" = 2'
supervisor=$(children $ours)
kill -KILL "$supervisor"
check "when the supervisor is killed we end" wait_for is_gone $ours
wait $ours
is "with a failure of ours" "$?" 125
like "it is said" "$(cat err)" 'supervisor was killed'
check "the program is gone" wait_for is_gone "$(sed -n 1p two)"
check "and what came of it" wait_for is_gone "$(sed -n 2p two)"
"$TRACE_RUN" -p p.ini -- sh -c 'echo $$ >&3; exec sleep 5000' 3>other 2>/dev/null &
ours=$!
wait_for test -s other
supervisor=$(children $ours)
like "the supervisor may do little itself" "$(cat "/proc/$supervisor/status")" $'NoNewPrivs:\t1\nSeccomp:\t2'
is "and shows its memory to nobody" "$(stat -c %U "/proc/$supervisor/environ")" root
if [ "$TL_USER" = user ]; then
  fails "not even to its own user" cat "/proc/$supervisor/environ"
fi
kill -KILL $ours
wait $ours 2>/dev/null
check "killing us kills the program" wait_for is_gone "$(cat other)"
check "and the supervisor ends" wait_for is_gone "$supervisor"
"$TRACE_RUN" -p p.ini -- sh -c 'echo $$ >&3; exec sleep 5000' 3>third 2>/dev/null &
ours=$!
wait_for test -s third
supervisor=$(children $ours)
kill -STOP $ours # so that it is the kernel that does it
wait_for is_stopped $ours
kill -KILL "$supervisor"
check "killing the supervisor kills the program, also when we cannot" wait_for is_gone "$(cat third)"
kill -KILL $ours
wait $ours 2>/dev/null

# Another supervisor around us.
run "$FIXTURES/supervises_call" openat "$TRACE_RUN" -p p.ini -- true
is "inside another supervisor: refused" "$status" 125
like "with the cause" "$err" 'trace-run: the profile has lines below /proc/self, .* there is one around this process already'
run "$FIXTURES/supervises_call" openat "$TRACE_RUN" -p plain.ini -- true
is "control: not where none is needed" "$status" 0
with "read_file /proc/meminfo" >p.ini
run "$FIXTURES/supervises_call" openat "$TRACE_RUN" -p p.ini -- cat /proc/meminfo
is "nor where it only holds" "$status" 0
finish
