#!/usr/bin/env bash
# System calls that Landlock does not reach: each group is refused without its word and works with it, for programs of 64
# and 32 bits. Controls: the same calls without trace-run.
. "$TL_SRC/tests/lib.sh"

groups='bpf chroot io_uring keyring metadata namespaces other_socket perf udp unix_socket userfaultfd'

# with LINE…: a profile with these words, for programs of the system and of fixtures/.
with() {
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 /lib32 "$FIXTURES"
  printf 'allow = read_file,write_file %s\n' /dev/null /dev/tty
  printf 'allow = read_dir,read_file %s\n' "$PWD"
  printf '[network]\nallow = connect_tcp 1\n'
  [ $# = 0 ] || printf '[seccomp]\n'
  [ $# = 0 ] || printf 'allow = %s\n' "$@"
}

# What a call gets when its group is closed.
closed_error() {
  case $1:$2 in
    io_uring:* | *:clone3) echo ENOSYS ;;
    *:fast_open) echo EOPNOTSUPP ;;
    *socket:* | udp:*) echo EACCES ;;
    *) echo EPERM ;;
  esac
}

# expected OPEN…: the native results with those of all closed groups replaced.
expected() {
  local group call result opens
  while read -r group call result; do
    opens=$group
    # What socketcall(2) sends no filter sees.
    [ "$by_socketcall" ] && [ "$call" = fast_open ] && opens=other_socket
    [ "$group" = - ] || [[ " $* " == *" $opens "* ]] || result=$(closed_error "$group" "$call")
    echo "$group $call $result"
  done <native
}

for bits in 64 32; do
  program=$FIXTURES/seccomp_calls$bits
  if [ ! -x "$program" ]; then
    skip "programs of $bits bits" "this compiler makes none"
    continue
  fi
  fresh
  touch f
  run "$program"
  cp "$TL_DIR/out" native
  for group in $groups; do
    [ "$TL_USER" = user ] && [[ " bpf chroot " == *" $group "* ]] && continue # not for users, natively
    like "$bits: control: natively a call of $group works" "$out" "(^|"$'\n'")$group [a-z0-9_]* fine"
  done
  for call in reboot settimeofday push_input mount_setattr open_tree_attr limit_other fast_open set_file_flags set_extended_flags \
    syslog sethostname setdomainname quotactl quotactl_fd fanotify_init freeze thaw shut_down ext4_resize swap_boot \
    set_generation ext4_generation seal_by_hashes set_encryption btrfs_snapshot btrfs_remove btrfs_send \
    encryption_key encryption_lock encryption_locks ext4_extend ext4_migrate set_uuid fat_attributes ocfs2_reflink \
    xfs_grow xfs_reserve xfs_free xfs_attributes trim f2fs_collect bcachefs_subvolume; do
    for_root=" reboot settimeofday mount_setattr syslog sethostname setdomainname fanotify_init "
    [ "$TL_USER" = user ] && [[ "$for_root" == *" $call "* ]] && continue
    unlike "$bits: control: and $call is not refused for the same reason" "$out" "always $call (EPERM|EOPNOTSUPP)"
  done

  with >p.ini
  confined "$program"
  if [ $bits = 32 ] && grep -q '^- tcp EACCES' <<<"$out"; then
    # Its C library makes sockets by socketcall(2).
    sed -i -E 's/^(- (tcp6?|packet_pair|stream_pair)) fine/\1 EACCES/' native
    by_socketcall=yes
  else
    by_socketcall=
  fi
  is "$bits: without words" "$out" "$(expected)"
  for group in $groups; do
    [ "$by_socketcall" ] && [[ $group == udp || $group == *_socket ]] && continue
    with "$group" >p.ini
    confined "$program"
    is "$bits: with $group" "$out" "$(expected "$group")"
  done
  if [ "$by_socketcall" ]; then
    sed -i -E 's/^(- .*) EACCES/\1 fine/' native
    with udp unix_socket other_socket >p.ini
    confined "$program"
    is "$bits: sockets by socketcall, with all their words" "$out" "$(expected udp unix_socket other_socket)"
  fi

  # Learned, and run again: what succeeded works, and all fails as it did.
  learn_options=(--calls=enforced)
  learn "$program"
  learned=$out
  is "$bits: learning leaves alone what can be learned" "$(grep -vE '^(always|io_uring)|clone3' <<<"$learned")" \
    "$(grep -vE '^(always|io_uring)|clone3' native)"
  is "$bits: and refuses what is refused always" "$(grep -E '^(always|io_uring)|clone3' <<<"$learned")" \
    "$(expected other_socket | grep -E '^(always|io_uring)|clone3')"
  words=$(awk '$1 != "-" && $1 != "always" && $3 == "fine" { print "allow = " $1 }' <<<"$learned" | sort -u)
  is "$bits: a word for each group of which a call succeeded" "$(sed -n '/^\[seccomp\]/,/^$/p' p.ini | grep allow)" "$words"
  confined "$program"
  is "$bits: and the same under the profile" "$(grep -vE 'clone3' <<<"$out")" "$(grep -vE 'clone3' <<<"$learned")"
done

# What only failed opens nothing; where it will fail otherwise, the profile says so.
fresh
learn_options=()
learn unshare --fork true
has "unshare without a namespace is fine" 'complete = yes'
hasnt "and needs no word" 'namespaces'
learn touch -c nowhere
hasnt "a call that failed opens nothing" '^allow = metadata'
has "but under the profile it fails otherwise" \
  'incomplete = utimensat failed with ENOENT, and fails with EPERM without metadata in [seccomp]'
confined touch -c nowhere
like "as was said" "$err" 'Operation not permitted'
if [ "$TL_USER" = user ]; then
  learn chmod 600 /etc/passwd
  hasnt "what fails as it will fail" 'metadata|incomplete'
fi

# A ring opens what no filter sees, and Landlock all the same.
mkdir closed
echo secret >closed/f
with >p.ini
sed -i "s|^allow = read_dir,read_file $PWD\$|allow = read_dir $PWD|" p.ini
sed 's/^\[network\]/[seccomp]\nallow = io_uring\n&/' p.ini >ring.ini
run "$FIXTURES/uses_ring" closed/f
is "control: a ring opens the file" "$out" "open: works"
confined "$FIXTURES/uses_ring" closed/f
is "there is no ring without the word" "$out" "setup: ENOSYS"
profile=ring.ini confined "$FIXTURES/uses_ring" closed/f
is "with it there is, and the kernel asks Landlock" "$out" "open: EACCES"

# A descriptor of a pair, too, can send to whom it likes, if it is a datagram socket.
python_in() {
  timeout 20 python3 -c "$@"
}
cat >listen.py <<'END'
import os, socket, sys
unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
unix.bind("mailbox")
tcp = socket.socket()
tcp.bind(("127.0.0.1", 0))
tcp.listen()
unix.setblocking(False)
tcp.setblocking(False)
print(tcp.getsockname()[1], flush=True)
for line in sys.stdin:
    try:
        got = unix.recv(100) if line == "unix\n" else tcp.accept()[0].recv(100)
        print(got.decode(), flush=True)
    except BlockingIOError:
        print("nothing", flush=True)
END
coproc listener { exec python3 listen.py; }
listener_pid=$!
ask() {
  echo "$1" >&"${listener[1]}"
  read -r answer <&"${listener[0]}"
  echo "$answer"
}
# What has come at last: a connection that the one side has may not have reached the other one yet.
something() {
  local answer tries
  for ((tries = 0; tries < limit * 20; tries++)); do
    answer=$(ask "$1")
    [ "$answer" = nothing ] || break
    sleep 0.05
  done
  echo "$answer"
}
read -r port <&"${listener[0]}"
cat >pair.py <<'END'
import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.sendto(b"from a pair", "mailbox")
END
cat >fast.py <<'END'
import socket, sys
s = socket.socket()
s.sendto(b"without connect", 0x20000000, ("127.0.0.1", int(sys.argv[1])))
END
python_in "$(cat pair.py)"
is "control: a pair reaches a mailbox" "$(something unix)" "from a pair"
python_in "$(cat fast.py)" "$port"
is "control: MSG_FASTOPEN reaches a port" "$(something tcp)" "without connect"
with >p.ini
confined python3 "$PWD/pair.py"
like "a pair of datagram sockets is refused" "$status $err" '^1 .*PermissionError: \[Errno 13\]'
is "and nothing was sent" "$(ask unix)" nothing
confined python3 "$PWD/fast.py" "$port"
like "MSG_FASTOPEN is refused, as where it is switched off" "$status $err" '^1 .*OSError: \[Errno 95\]'
is "and nothing came" "$(ask tcp)" nothing
with unix_socket >p.ini
confined python3 "$PWD/pair.py"
is "with the word" "$status $(ask unix)" "0 from a pair"
eval "exec ${listener[1]}>&-"
wait $listener_pid

# The terminal.
if [ "$(cat /proc/sys/dev/tty/legacy_tiocsti 2>/dev/null || echo 1)" != 1 ] && [ "$TL_USER" = user ]; then
  skip "pushed input" "this kernel takes none (dev.tty.legacy_tiocsti)"
else
  cat >push.py <<'END'
import fcntl, termios
for request in termios.TIOCSTI, termios.TIOCSTI | 1 << 32:
    try:
        for c in "pushed\n":
            fcntl.ioctl(0, request, c.encode())
    except OverflowError:
        pass
END
  # read_after COMMAND: what a shell on a terminal of its own reads after it: what was pushed, else what is typed
  read_after() {
    run python3 "$TL_SRC/tests/live/terminal_session.py" "type $*; echo o''ver; read line; echo \"got: \$line\"; echo e''nd" \
      'wait over' 'type typed' 'wait end'
  }
  # shellcheck disable=SC2086 # words
  with $groups >p.ini
  read_after python3 "$PWD/push.py"
  like "control: input can be pushed" "$out" 'got: pushed'
  read_after "$TRACE_RUN" -p p.ini -- python3 "$PWD/push.py"
  like "under no profile it can, whatever words it has" "$out" 'got: typed'
  like "and the program is told" "$out" 'PermissionError: \[Errno 1\]'
  read_after "$TRACE_LEARN" -f -o q.ini -- python3 "$PWD/push.py"
  like "nor while learning" "$out" 'got: typed'
fi
finish
