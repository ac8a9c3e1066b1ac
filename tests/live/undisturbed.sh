#!/usr/bin/env bash
# What few programs do, and none may do otherwise under trace-learn: deaths of parents, traps, waits that are stopped or
# interrupted; terminals, mounts and namespaces of the program's own.
. "$TL_SRC/tests/lib.sh"

# as_natively NAME CMD…: status and output of CMD are the same while learning.
as_natively() {
  local name=$1 native
  shift
  run "$@"
  native="$status $out"
  learn "$@"
  is "$name" "$status $out" "$native"
}

fresh
as_natively "deaths, traps, and calls that wait" "$FIXTURES/interrupts"
like "really" "$out" 'the parent died: signal 10 .*trap 5 code 1 .*epoll_wait, stopped: EINTR.*waitpid, handler that restarts: ok'

as_natively "signals of each kind, sent in each way" "$FIXTURES/says_siginfo"
like "really" "$out" 'kill: signal 1 code 0 from itself.*a child: signal 64 code 0 from its child.*the child: signal 17 code 5 status 19'

if [ -x /usr/bin/python3 ]; then
  cat >state.py <<'END'
import ctypes, os, signal, time
prctl = ctypes.CDLL(None).prctl
def get(option):
    number = ctypes.c_int(-1)
    prctl(option, ctypes.byref(number), 0, 0, 0)
    return number.value
print("death signal", prctl(1, 10, 0, 0, 0), get(2))
for value in 0, 1:
    print("dumpable", prctl(4, value, 0, 0, 0), prctl(3, 0, 0, 0, 0))
print("kept capabilities", prctl(8, 1, 0, 0, 0), prctl(7, 0, 0, 0, 0))
print("slack", prctl(29, 12345, 0, 0, 0), prctl(30, 0, 0, 0, 0))
print("takes orphans", prctl(36, 1, 0, 0, 0), get(37))
def child(run):
    pid = os.fork()
    if not pid:
        os._exit(run())
    return pid
pid = child(signal.pause)
os.setpgid(pid, pid)
print("group", os.getpgid(pid) == pid, os.getsid(pid) == os.getsid(0), os.getpgrp() == os.getpgid(0))
os.killpg(pid, signal.SIGTERM)
print("its end", os.waitpid(pid, 0)[1])
leads = lambda: 7 if os.setsid() is None and os.getsid(0) == os.getpgrp() == os.getpid() else 8
print("session", os.waitpid(child(leads), 0)[1] >> 8)
top = os.getpid()
def orphan(parent):
    while os.getppid() == parent:
        time.sleep(0.01)
    return 9 if os.getppid() == top else 8
def leaves():
    parent = os.getpid()
    child(lambda: orphan(parent))
    return 3
child(leaves)
print("orphans", sorted(os.wait()[1] >> 8 for _ in range(2)))
END
  as_natively "its own state: prctl(2), groups, sessions, orphans" /usr/bin/python3 -u state.py
  like "really" "$out" $'death signal 0 10\ndumpable 0 0\ndumpable 0 1\n.*group True True True\nits end 15\nsession 7\norphans \\[3, 9\\]'
else
  skip "its own state: prctl(2), groups, sessions, orphans" 'python3 is not installed'
fi

# A pty of the program's own, with a shell that does job control on it.
if [ -x /usr/bin/python3 ]; then
  as_natively "a program with a pty of its own" /usr/bin/python3 -c '
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execlp("sh", "sh", "-mc", "sleep 0.2 & stty size; tty >/dev/null && echo terminal; wait; echo over; read answer")
said = b""
while not said.endswith(b"over\r\n"): # the shell lives on: what it said last can be lost when it ends meanwhile
    said += os.read(fd, 1000)
os.write(fd, b"\n")
print(said.replace(b"\r", b"").decode(), os.waitpid(pid, 0)[1])'
  like "which has a terminal there" "$out" 'terminal.*over.* 0$'
  grants "it has no number" /dev/pts ioctl_dev,read_file,write_file
  hasnt "anywhere" '/dev/pts/[0-9]'
else
  skip "a program with a pty of its own" 'python3 is not installed'
fi

# A program that tells its parent that it is ready, beside what it sends to all of its group, which its parent gets itself.
if [ -x /usr/bin/python3 ] && [ -x /bin/kill ]; then
  cat >parent.py <<'END'
import signal, subprocess, sys
signals = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGRTMIN + 3]
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
status = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
while got := signal.sigtimedwait(signals, 1 if status == 0 else 0):
    print("got", got.si_signo, got.si_code)
print("status", status)
END
  cat >ready.sh <<'END'
trap '' USR2
kill -0 $PPID
kill -USR2 0
kill -USR1 $PPID
for i in 1 2 3; do
  /bin/kill -q $i -37 $PPID
done
END
  parent=(setsid -w python3 parent.py)
  told=$'got 10 0\ngot 12 0\ngot 37 -1\ngot 37 -1\ngot 37 -1\nstatus 0'
  run "${parent[@]}" sh ready.sh
  is "control: signals to a program's parent arrive there" "$out" "$told"
  run "${parent[@]}" "$TRACE_LEARN" -f -o "$profile" -- sh ready.sh
  is "while learning, ours gets them" "$out" "$told"
  run "${parent[@]}" "$TRACE_RUN" -e -p "$profile" -- sh ready.sh
  is "and under -e" "$out" "$told"
  has "the profile lets signals out" "allow = signal"

  # Another thread's call with the same number fails, while one to the parent is on its way; and one by a descriptor.
  cat >threads.py <<'END'
import ctypes, os, signal, threading
kill = ctypes.CDLL(None).kill # without Python's one lock for all threads
over = False
def to_nobody():
    while not over:
        kill(2 ** 30, 37)
thread = threading.Thread(target=to_nobody)
thread.start()
for _ in range(100):
    kill(os.getppid(), 37)
over = True
thread.join()
signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGUSR1)
END
  run "${parent[@]}" python3 threads.py
  told=$(sort <<<"$out" | uniq -c)
  like "control: by a descriptor, and beside calls that fail" "$told" '1 got 10 0.* 100 got 37 0.* status 0'
  run "${parent[@]}" "$TRACE_LEARN" -f -o "$profile" -- python3 threads.py
  is "while learning, as many" "$(sort <<<"$out" | uniq -c)" "$told"
else
  skip "signals to the parent" 'python3 or kill(1) is not installed'
fi

# Two names of one tree: each is told as it is called, by the mount that it was reached through.
mkdir tree copy
echo text >tree/file
if [ "$TL_USER" = root ] && mount --bind tree copy 2>/dev/null; then
  learn cat copy/file
  is "a bind mount" "$status $out" "0 text"
  grants "is called as it was used" "$PWD/copy/file" read_file
  grants "and its other name is not" "$PWD/tree/file" ''
  confined cat copy/file
  is "which works under the profile" "$status $out" "0 text"
  umount copy
  confined cat copy/file
  is "control: without the mount there is no such file" "$status" 1
else
  skip "a bind mount" 'this user may not mount'
fi

# A user namespace of the program's own, and one that it enters.
if unshare -Ur true 2>/dev/null; then
  as_natively "a user namespace of its own" unshare -Ur sh -c 'id -u; cat tree/file'
  like "in which it is root" "$out" '^0'
  grants "and its files are seen" "$PWD/tree/file" read_file
  mkfifo hold ready
  # shellcheck disable=SC2016 # for the shells within
  as_natively "one that it enters" sh -c 'unshare -Ur sh -c "echo >ready; read -r line <hold" & read -r line <ready
    nsenter -U --preserve-credentials -t $! id -u; echo "$?"; echo >hold; wait'
  is "in which it is root too" "$out" $'0\n0'
else
  skip "a user namespace of its own" 'unshare(1) is not allowed to make one'
fi
finish
