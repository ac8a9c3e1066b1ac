#!/usr/bin/env bash
# Time: 1200 s
# trace-run -e: a denial of each kind, made by hand. Each is told with its evidence, and the lines that are told mend it;
# where no line can, that is said, and why.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/explain-lib.sh"

# mended NAME ROUNDS USE CMD…: natively CMD has some outcome; under the profile another one, which is told with a use that
# matches; with the lines that are told, in at most so many rounds, it is the native one. $before is run before each.
before=:
# as_json NAME CMD…: what the text of the report in $TL_DIR/told has, its JSON has too, in the form of its schema.
as_json() {
  local name=$1
  shift
  eval "$before"
  explained --format=json -- "$@"
  tail -n 1 "$TL_DIR/err" >"$TL_DIR/told.json"
  check "$name: its JSON has its form" python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/trace-run-explain.schema.json" <"$TL_DIR/told.json"
  check "$name: and tells the same" python3 "$TL_SRC/tests/explain_same.py" "$TL_DIR/told" "$TL_DIR/told.json"
}
mended() {
  local name=$1 rounds=$2 use=$3 native round
  shift 3
  eval "$before"
  run "$@"
  native="$status $out"
  eval "$before"
  explained -- "$@"
  isnt "$name: it is another outcome" "$status $out" "$native"
  like "$name: the evidence" "$err" "^trace-run:     $use"$'|\ntrace-run:     '"$use"
  cp "$TL_DIR/err" "$TL_DIR/told"
  as_json "$name" "$@"
  cp "$TL_DIR/told" "$TL_DIR/err"
  for ((round = 0; round < rounds; round++)); do
    sed -nE '/ \\$/d; s/^trace-run:   (\[[a-z]*\]) /\1\n/p' "$TL_DIR/err" >>"$profile"
    eval "$before"
    explained -- "$@"
  done
  is "$name: mended" "$status $out" "$native"
  like "$name: and nothing more is denied" "$(tail -n 1 <<<"$err")" ' denied nothing$'
}
perl=(perl -MSocket -MFcntl -e)
# call NUMBER ARGUMENT…, in perl: syscall(2), with its errno as status
call='sub call { my ($number, @rest) = @_; syscall($number, @rest) >= 0 or exit $! + 0 }'

# Names in directories.
fresh
mkdir w
cd w || exit 1
profile=../p.ini
before='chmod -R u+rwX . && rm -rf d e && mkdir d e && echo x >d/f && echo y >d/g && echo z >e/g'
system_and
mended "a directory that is full" 1 'rmdir to remove .*/w/d by .*: EACCES, for want of remove_dir' "${perl[@]}" 'rmdir("d"); exit $!'
system_and
mended "a rename" 1 'rename to move .*: EACCES, for want of make_reg,remove_file' "${perl[@]}" 'rename("d/f", "d/h") or exit 1'
system_and
mended "a rename that replaces, across directories" 2 'rename to move .*: E(XDEV|ACCES), for want of ' "${perl[@]}" 'rename("d/f", "e/g") or exit 1'
system_and
mended "a directory that moves" 3 'mkdir to make ' "${perl[@]}" 'mkdir("d/s") && rename("d/s", "e/s") or exit 1'
system_and
mended "a link across directories" 2 'link to link .*: E(XDEV|ACCES), for want of ' "${perl[@]}" 'link("d/f", "e/l") or exit 1'
if [ "$(uname -m)" = x86_64 ]; then
  system_and
  mended "an exchange across directories" 2 'renameat2 to exchange .*d/f and .*: E(XDEV|ACCES), for want of ' \
    "${perl[@]}" "$call"' call(316, -100, "d/f", -100, "e/g", 2)'
  system_and
  mended "truncate(2)" 1 'truncate of .*/d/f by .*: EACCES, for want of truncate' "${perl[@]}" "$call"' call(76, "d/f", 1)'
fi
system_and
mended "a directory that is not there" 3 'mkdir to make ' sh -c 'mkdir -p d/a/b && echo t >d/a/b/f && cat d/a/b/f'
system_and "allow = make_reg,write_file $PWD/d/a"
mended "a line on one that is not there" 3 'mkdir to make ' sh -c 'mkdir d/a && echo t >d/a/f && cat d/a/f'
like "which is said before the start" "$err" "^trace-run: warning: ../p.ini:[0-9]+: $PWD/d/a is not there, so nothing is granted on it"
before='rm -f d/s'
words=(unix_socket)
system_and
mended "a socket" 1 'bind to make .*/d/s by .*: EACCES, for want of make_sock' \
  "${perl[@]}" 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("d/s")) or exit 1'
words=()
if [ "$TL_USER" = root ]; then
  before='rm -f d/c'
  system_and
  mended "a device" 2 'mknod(at)? to make .*/d/c by .*: EACCES, for want of make_char' mknod d/c c 1 3
fi
before='rm -f d/new'
system_and "allow = write_file $PWD/d/new" '[absent]' "allow = make_reg $PWD/d"
explained -- sh -c ': >d/new'
like "what is under [absent] is quoted" "$err" \
  "openat to make $PWD/d/new by .*: EACCES, for want of make_reg,write_file; line [0-9]+ \(make_reg $PWD/d\) under \[absent\] says so"
mended "and added" 1 'openat to make ' sh -c ': >d/new'
before=:

# Programs.
fresh
profile=p.ini
mkdir x
cp /bin/true x/t
printf '#!%s\n' "$PWD/x/t" >x/script
printf '#!%s\n' "$PWD/none" >x/gone
chmod 755 x/*
system_and "allow = execute,read_file $PWD/x/script"
mended "the interpreter of a script" 1 'exec of .*/x/t by .*: EACCES, for want of execute,read_file' x/script
system_and
mended "all of it, in a child" 1 'exec of .*/x/t by .*: EACCES' sh -c 'x/script; echo $?'
loader=$(realpath "$(ldd /bin/true | grep -o '/lib[^ ]*/ld-linux[^ ]*')")
printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_file %s\nallow = read_dir,read_file /usr\n' "$PWD/x/t" >p.ini
mended "the loader" 2 "exec of $loader by .*: EACCES, for want of execute" x/t
system_and
mended "one whose interpreter is missing" 1 "execve of .*/x/gone by .*: EACCES, for want of execute" \
  sh -c 'x/gone 2>/dev/null; echo $?'
if [ "$TL_USER" = root ]; then
  cp /usr/bin/id x/id
  chown nobody x/id
  chmod 4755 x/id
  chmod 755 .
  isnt "control: natively it is another user's" "$(x/id -u)" "$(id -u)"
  system_and "allow = execute,read_file $PWD/x/id"
  explained -- x/id -u
  is "a set-user-id bit has no effect" "$out" "$(id -u)"
  like "which is said" "$err" "trace-run:   $PWD/x/id runs without the privileges that its file would give it"
  learn x/id -u
  like "while learning, too" "$err" "$PWD/x/id runs without the privileges that its file would give it"
  chown root x/id
  chmod 4755 x/id
  explained -- x/id -u
  unlike "one that would change nothing is nothing" "$err" 'without the privileges'
fi

# Own entries in /proc, and others'.
fresh
for entry in maps comm; do
  system_and
  mended "/proc/self/$entry" 1 "openat of /proc/self/$entry by .*: EACCES, for want of read_file" \
    sh -c "cat /proc/self/$entry >/dev/null && cat /proc/thread-self/$entry >/dev/null"
done
system_and
mended "a list of own entries" 1 'openat of /proc/self/task by .*: EACCES, for want of read_dir' \
  "${perl[@]}" 'opendir(D, "/proc/$$/task") or exit 1'
system_and
mended "/proc/net" 1 'openat of /proc/self/net by .*: EACCES, for want of read_file' sh -c 'cat /proc/net/dev >/dev/null'
system_and
mended "one that is everybody's" 1 'openat of /proc/meminfo by .*: EACCES, for want of read_file' sh -c 'cat /proc/meminfo >/dev/null'
for option in -e -n; do
  system_and
  run "$TRACE_RUN" -q $option -p p.ini -- sh -c 'cat /proc/1/status; cat /proc/$PPID/status /proc/$PPID/stat; :'
  like "$option: another process's" "$err" $'trace-run: p.ini .*denied what no line can be added for:
trace-run:   an entry of another process in /proc: .*
trace-run:     openat of /proc/1/status by /usr/bin/cat'
  is "$option: said once for all" "$(grep -c 'an entry of another process' <<<"$err")" 1
  unlike "$option: and not called nothing" "$err" 'denied nothing'
done
printf '[protected]\nallow = read_dir,read_file /proc\n' >>p.ini
explained -- sh -c 'cat /proc/1/status >/dev/null'
is "with the line that is named there" "$status $err" "0 trace-run: p.ini denied nothing"

# A terminal.
printf '%s\n' 'stty -a </dev/tty >/dev/null && echo shown >"$(tty)"' >writes.sh
system_and "allow = read_file $PWD/writes.sh"
for round in 1 2 3; do
  in_terminal "$TRACE_RUN" -q -e -p p.ini -- sh "$PWD/writes.sh"
  case $round in
    1) like "a terminal" "$out" 'openat of /dev/tty by .*: EACCES, for want of ' ;;
    3) like "a terminal: mended" "$status $out" $'^0 shown\ntrace-run: p.ini denied nothing$' ;;
  esac
  sed -nE 's/^trace-run:   (\[[a-z]*\]) /\1\n/p' <<<"$out" >>p.ini
done
like "a terminal has no number" "$(cat p.ini)" $'\nallow = ioctl_dev,[a-z_,]*write_file \\$\\{TTY\\}'
system_and
mended "a terminal that it makes itself" 3 'openat of /dev/ptmx by .*: EACCES, for want of ioctl_dev,read_file,write_file' \
  python3 -c 'import os; main, other = os.openpty(); print(os.isatty(other))'

# Ports, signals, abstract sockets: each call that there is for it.
fresh
port=$(own_ports 1)
system_and
mended "a port of one's own" 1 "bind of port $port by .*: EACCES, for want of bind_tcp" \
  "${perl[@]}" 'socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) or exit 1' "$port"
"${perl[@]}" 'socket(S, AF_INET6, SOCK_STREAM, 0); bind(S, sockaddr_in6(0, IN6ADDR_LOOPBACK)) && listen(S, 9);
  socket(A, AF_UNIX, SOCK_DGRAM, 0); bind(A, pack("Sa*", AF_UNIX, "\0$ARGV[0]"));
  open(F, ">", "port.new"); print F (sockaddr_in6(getsockname(S)))[0]; close F; rename "port.new", "port"; sleep 600' "$TL_DIR" &
outside=$!
check "somebody outside is there" wait_for test -s port
if [ "$(cat port)" != 0 ]; then
  system_and
  mended "a port by IPv6" 1 "connect of port $(cat port) by .*: EACCES, for want of connect_tcp" \
    "${perl[@]}" 'socket(S, AF_INET6, SOCK_STREAM, 0); connect(S, sockaddr_in6($ARGV[0], IN6ADDR_LOOPBACK)) or exit 1' "$(cat port)"
else
  skip "a port by IPv6" "::1 cannot be bound here"
fi
words=(unix_socket)
system_and
mended "a message to an abstract name" 1 "sendto by .*: EPERM, for want of abstract_unix_socket" \
  "${perl[@]}" 'socket(S, AF_UNIX, SOCK_DGRAM, 0); send(S, "x", 0, pack("Sa*", AF_UNIX, "\0$ARGV[0]")) or exit 1' "$TL_DIR"
words=()
if [ "$(uname -m)" = x86_64 ]; then
  system_and
  mended "a signal by its queue" 1 "rt_sigqueueinfo by .*: EPERM, for want of signal" \
    "${perl[@]}" "$call"' call(129, $ARGV[0] + 0, 0, pack("iiix116", 0, 0, -1))' "$outside"
  system_and
  mended "to a thread" 1 "tgkill by .*: EPERM, for want of signal" "${perl[@]}" "$call"' call(234, $ARGV[0] + 0, $ARGV[0] + 0, 0)' "$outside"
  system_and
  mended "by a descriptor" 1 "pidfd_send_signal by .*: EPERM, for want of signal" \
    "${perl[@]}" "$call"' my $fd = syscall(434, $ARGV[0] + 0, 0); call(424, $fd, 0, 0, 0)' "$outside"
fi
kill $outside
wait $outside 2>/dev/null

# System calls: each group, of 64 and 32 bits.
fresh
: >f
for bits in 64 32; do
  program=$FIXTURES/seccomp_calls$bits
  if [ ! -x "$program" ]; then
    skip "programs of $bits bits" "this compiler makes none"
    continue
  fi
  system_and "allow = execute,read_file $program"
  run "$program"
  native=$(grep -v ^always <<<"$out")
  groups=$(awk '$1 != "-" && $1 != "always" && $3 == "fine" { print $1 }' <<<"$native" | sort -u)
  for round in 1 2 3; do
    explained -- "$program"
    [ $round != 1 ] || for group in $groups; do
      like "$bits bits: $group" "$err" $'\ntrace-run:   \\[seccomp\\] allow = '"$group"$'\ntrace-run:     [a-z0-9_]+ by '"$program"'[^:]*: E[A-Z]+, for want of '"$group"
    done
    sed -nE 's/^trace-run:   (\[[a-z]*\]) /\1\n/p' <<<"$err" >>p.ini
  done
  is "$bits bits: mended" "$(grep -v ^always <<<"$out")" "$native"
  like "$bits bits: rings are said not to be seen" "$err" $'\ntrace-run: not seen, so more may have been denied:\n(.*\n)*.*uses io_uring'
done

# A file without a name.
if [ "$TL_USER" = root ] && [ "$(uname -m)" = x86_64 ]; then
  cat >handle.pl <<'END'
my $handle = pack("IIx128", 128, 0);
my $id = pack("I", 0);
my $name = "f";
syscall(303, -100, $name, $handle, $id, 0) == 0 or exit 9;
opendir(my $here, ".") or exit 8;
syscall(304, fileno($here), $handle, 0) >= 0 or exit 1;
END
  run perl handle.pl
  if [ "$status" = 0 ]; then
    system_and "allow = read_file $PWD/handle.pl" "allow = read_dir $PWD"
    explained -- perl handle.pl
    is "a file by its handle is refused" "$status" 1
    like "it has no name that could be told, which is said" "$err" 'p.ini denied nothing that was seen
trace-run: not seen, so more may have been denied:
trace-run:   open_by_handle_at was refused with EACCES to /usr/bin/perl'
    run "$TRACE_RUN" -q -e --format=json -p p.ini -- perl handle.pl
    like "as JSON, too" "$err" '"complete":false'
    run "$TRACE_RUN" -q -e --format=json -p p.ini -- true
    like "and not elsewhere" "$err" '"complete":true'
  else
    skip "a file by its handle" "natively it cannot be opened: $status $err"
  fi
fi
finish
