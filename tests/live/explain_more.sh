#!/usr/bin/env bash
# trace-run -e and -n: ports, scopes, devices, held lines, beside the supervisor; nothing enforced with -n; signals, time.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/explain-lib.sh"
words=(unix_socket)

fresh
perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 9);
  socket(A, AF_UNIX, SOCK_STREAM, 0); bind(A, pack("Sa*", AF_UNIX, "\0$ARGV[0]")); listen(A, 9);
  open(F, ">", "port.new"); print F (sockaddr_in(getsockname(S)))[0]; close F; rename "port.new", "port"; sleep 600' "$TL_DIR" &
outside=$!
check "there is a server" wait_for test -e port
port=$(cat port)
system_and
mends "connecting" "[network] allow = connect_tcp $port" "connect of port $port by .*: EACCES" \
  perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) or exit 1' "$port"
mends "binding" "[network] allow = bind_tcp 0" "bind of port 0 by .*: EACCES" \
  perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)) or exit 1'
mends "a signal" "[scope] allow = signal" "kill by .*: EPERM" sh -c "kill -0 $outside"
mends "an abstract socket" "[scope] allow = abstract_unix_socket" "connect by .*: EPERM" \
  perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("Sa*", AF_UNIX, "\0$ARGV[0]")) or exit 1' "$TL_DIR"
echo x >f
mends "a call of a seccomp group" "[seccomp] allow = metadata" "fchmodat by .*: EPERM, for want of metadata" chmod 600 f
run "$TRACE_RUN" -q -n -p p.ini -- perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0) or exit 1'
is "with -n it works" "$status" 0
told "and would not" "[seccomp] allow = udp" "socket by .*: needs udp"
explained -- perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0) or exit $!'
is "the control: with -e it is refused" "$status" 13
told "by the filter" "[seccomp] allow = udp" "socket by .*: EACCES, for want of udp"
run "$FIXTURES/uses_ring" f
if [[ $out == setup:* ]]; then
  skip "a ring" "there is no io_uring here: $out"
else
  words=(io_uring)
  system_and "allow = execute,read_file $FIXTURES/uses_ring"
  explained -- "$FIXTURES/uses_ring" f
  is "an open through a ring is refused" "$out" 'open: EACCES'
  like "unseen, which is said" "$err" "uses_ring uses io_uring: what is refused through it is not seen"
  words=(unix_socket)
  system_and
fi
explained -- sh -c 'kill -0 1'
if [ "$TL_USER" = user ]; then
  unlike "a signal that ordinary permissions refuse" "$err" 'kill by'
fi
kill "$outside"
wait "$outside" 2>/dev/null

fresh
system_and
sed -i 's|ioctl_dev,read_file,write_file /dev/null|read_file,write_file /dev/null|' p.ini
explained -- sh -c 'stty </dev/null; :'
told "a device that was opened" "[normal] allow = ioctl_dev /dev/null" "ioctl of /dev/null by /usr/bin/stty.*: EACCES, for want of ioctl_dev"
echo x >held
system_and '[held]' "allow = read_file $PWD/held"
explained -- cat held
like "a held line" "$err" "trace-run:   line [0-9]+ \(read_file $PWD/held\) is held: a person has to move it under \[normal\]
trace-run:     openat of $PWD/held"
echo x >"$HOME/.profile"
system_and '[held]' "allow = read_file,write_file $HOME/.profile"
explained -- cat "$HOME/.profile"
like "one of a higher tier than what is missing of it" "$err" \
  "line [0-9]+ \(read_file,write_file $HOME/.profile\) is held: a person has to move it under \[protected\]"

# One on a directory above is told beside the line: it may be what a person wants to move.
mkdir -p above/b
echo x >above/b/f
system_and '[held]' "allow = make_reg,read_file,write_file $PWD/above"
explained -- cat above/b/f
like "a held line above is told, with the line that can be added" "$err" "\[normal\] allow = read_file $PWD/above/b/f
trace-run:     openat of $PWD/above/b/f .*; line [0-9]+ \(make_reg,read_file,write_file $PWD/above\) would give it too, and is held"
system_and '[held]' "allow = make_reg,write_file $PWD/above"
explained -- cat above/b/f
like "control: the line that can be added" "$err" "\[normal\] allow = read_file $PWD/above/b/f"
unlike "one that would not give it is no matter" "$err" 'would give it too'

# [absent] is quoted for what was there while learning, and not for what is new: no session has seen that.
fresh
mkdir d
system_and "allow = write_file $PWD/d/old" '[absent]' "allow = make_reg,write_file $PWD/d"
explained -- sh -c 'echo x >d/old'
like "what lay there is gone, says [absent]" "$err" \
  "openat to make $PWD/d/old .*; line [0-9]+ \(make_reg,write_file $PWD/d\) under \[absent\] says so: what lay there"
explained -- sh -c 'echo x >d/new'
told "what is new" "[normal] allow = make_reg,write_file $PWD/d" "openat to make $PWD/d/new"
unlike "and [absent] has nothing to say of it" "$err" 'under \[absent\]'
system_and '[held]' "allow = make_reg,read_file,write_file $PWD/d" '[absent]' "allow = make_reg,write_file $PWD/d"
explained -- sh -c 'echo x >d/new'
like "a held line that it is for" "$err" "line [0-9]+ \(make_reg,read_file,write_file $PWD/d\) is held"
unlike "and [absent] has nothing to say of that" "$err" 'under \[absent\]'

# What is refused always. (Each of these fails by itself here, with another errno.)
fresh
: >f
system_and "allow = read_file $PWD/f" "allow = execute,read_file $FIXTURES/seccomp_calls64"
explained -- "$FIXTURES/seccomp_calls64"
for call in ioctl reboot swapoff delete_module settimeofday mount_setattr open_tree_attr prlimit64 syslog sethostname quotactl \
  quotactl_fd fanotify_init; do
  like "$call is told as refused always" "$err" \
    "refused, but not by p.ini:.*:     $call by $FIXTURES/seccomp_calls64(, [0-9]+ times)?: EPERM; it is refused to every confined program, and no line"
done
like "with the errno that the filter gives" "$err" "sendto by $FIXTURES/seccomp_calls64: EOPNOTSUPP; it is refused to every"
unlike "and no word is told for it" "$err" 'allow = always'
run "$TRACE_RUN" -n -p p.ini -- "$FIXTURES/seccomp_calls64"
for call in ioctl reboot mount_setattr; do
  like "-n tells of $call as well" "$err" "     $call by $FIXTURES/seccomp_calls64(, [0-9]+ times)?: EPERM; it is refused to every"
done
explained -- perl -e 'ioctl(STDIN, 0x5413, my $size = ""); exit 0'
unlike "another ioctl is none" "$err" 'refused to every'

# Beside the supervisor, whose answers hide the calls from a filter.
system_and "allow = read_file /proc/self/status"
echo x >f
explained -- sh -c 'grep -c ^Name: /proc/self/status; cat /proc/self/maps; cat f; exit 6'
is "what the supervisor opens works" "$status $out" "6 1"
told "what it does not open" "[normal] allow = read_file /proc/self/maps" "openat of /proc/self/maps by /usr/bin/cat: EACCES"
told "and everything else" "[normal] allow = read_file $PWD/f" 'for want of read_file'
sed -i '$aallow = read_file /proc/self/maps' p.ini
explained -- sh -c 'cat /proc/self/maps | grep -c vdso'
is "and with its line" "$status $out" "0 1"
explained -- sh -c 'kill -9 $$'
is "a signal there too" "$status" 137
run "$TRACE_RUN" -q -e --timeout=1 -p p.ini -- sleep 50
is "and out of time" "$status" 124
like "which is said" "$err" 'ended after 1 second \(--timeout\)'
rm -f out
"$TRACE_RUN" -q -e -p p.ini -- sh -c 'echo $PPID; exec sleep 50' >out 2>said &
pid=$!
check "the program is the supervisor's child" wait_for test -s out
kill -9 "$(cat out)"
wait "$pid"
is "a killed supervisor takes it along" "$?" 125
check "which is said" grep -q 'its supervisor was killed' said

# -n
system_and
mkdir d
run "$TRACE_RUN" -n -p p.ini -- sh -c 'cat f; echo y >d/new; cat d/new; rm d/new; exit 3'
is "-n lets everything through, and keeps the status" "$status $out" $'3 x\ny'
is "which it says first" "$(head -n 1 <<<"$err")" \
  "trace-run: nothing is enforced (-n): the program is not confined, but traced, to tell what p.ini would deny"
told "all at once" "[normal] allow = make_reg,read_file,remove_file,write_file $PWD/d" 'unlinkat to remove .*: needs remove_file'
like "would have" "$err" 'p.ini would have denied what 2 lines would allow:'
cp /bin/true t
run "$TRACE_RUN" -q -n -p p.ini -- sh -c './t; exit 0'
told "a program is not told to have executed itself" "[normal] allow = execute,read_file $PWD/t" "exec[a-z]* of $PWD/t: needs execute,read_file"
explained -- sh -c './t; exit 0'
told "the control: where it was refused, who tried is told" "[normal] allow = execute,read_file $PWD/t" "exec[a-z]* of $PWD/t by /usr/bin/[a-z]*: EACCES.*"
explained -- sh -c 'cat f; echo y >d/new; exit 3'
is "the control: with -e it is denied" "$status $out" "3 "
printf '[environment]\nkeep = PATH\n' >>p.ini
run env A=b "$TRACE_RUN" -q -n -p p.ini -- sh -c 'echo $A'
is "the environment too" "$out" b
A=b explained -- sh -c 'echo $A'
is "the control: with -e it is the profile's" "$out" ""
sed -i 's/^format = 1/format = 1\nlandlock = 99/' p.ini
run "$TRACE_RUN" -q -n -p p.ini -- true
like "what would not start is told" "$status $err" '^0 .*warning: without -n this would not start: p.ini: the profile asks for Landlock ABI 99'
explained -- true
is "the control: with -e it does not start" "$status" 125

# Signals to us alone.
system_and
for option in -e -n; do
  rm -f out
  "$TRACE_RUN" -q $option -p p.ini -- sh -c 'trap "echo got" USR1; : >&3; echo $$; while :; do sleep 0.05; done' \
    3<>/dev/null >out 2>said &
  pid=$!
  check "$option: it runs" wait_for test -s out
  kill -USR1 $pid
  check "$option: a signal is passed on" wait_for grep -q got out
  kill -TERM $pid
  wait $pid
  is "$option: TERM ends it, as without" "$?" 143
  check "$option: and it is explained all the same" grep -q 'denied' said
done

# What cannot be.
exits "-e with -n" 125 "$TRACE_RUN" -e -n -p p.ini -- true
says_line "in one line"
exits "--apply alone" 125 "$TRACE_RUN" --apply=x -p p.ini -- true
exits "--format=json alone" 125 "$TRACE_RUN" --format=json -p p.ini -- true
exits "an unknown form" 125 "$TRACE_RUN" -e --format=xml -p p.ini -- true
exits "not found" 127 "$TRACE_RUN" -q -e -p p.ini -- no-such-program
if command -v strace >/dev/null; then
  run strace -f -o /dev/null "$TRACE_RUN" -q -e -p p.ini -- true
  like "under another tracer" "$status $err" '^125 trace-run: .*another tracer|^125 trace-run: tracing is not possible'
else
  skip "under another tracer" 'strace is not installed'
fi
finish
