#!/usr/bin/env bash
# What the tracer cannot see is said: incomplete where a confined run may differ for it, else a notice.
. "$TL_SRC/tests/lib.sh"

# incomplete NAME ERE: the profile says so, in a reason that matches.
incomplete() {
  like "$1" "$(grep '^incomplete = ' "$profile")" "$2"
}

fresh
echo text >f

# Rings of io_uring.
run "$FIXTURES/uses_ring" f
native="$status $out"
if [[ $out == setup:* ]]; then
  skip "rings" "there is no io_uring here: $out"
else
  learn "$FIXTURES/uses_ring" f
  is "a ring is refused" "$status $out" "1 setup: ENOSYS"
  incomplete "and a reason" '= io_uring was refused while learning$'
  like "which is said" "$err" 'warning: incomplete, a confined run may differ: io_uring was refused while learning'
  hasnt "without a word of it in [seccomp]" '^allow = io_uring$'
  learn_options=(--allow-io-uring)
  learn "$FIXTURES/uses_ring" f
  is "--allow-io-uring: as natively" "$status $out" "$native"
  incomplete "and a reason all the same" '= io_uring was allowed while learning, and what went through it was not seen$'
  has "with its word in [seccomp]" 'allow = io_uring'
  ungranted "what went through it is really not seen" " $PWD/f\$"
  learn sh -c 'cat f'
  has "no reason where there was no ring" 'complete = yes'
  learn_options=()
fi

# Filters of the program's own.
learn "$FIXTURES/own_filter"
has "a filter that answers by itself is no reason: it answers the same in the run" 'complete = yes'
learn cat f
grants "control: an open is seen" "$PWD/f" read_file
learn "$FIXTURES/supervises_call" openat cat f
is "a listener of its own keeps working" "$status $out" "0 text"
ungranted "what it lets go on is not seen" " $PWD/f\$"
incomplete "and that is a reason" '= a seccomp listener of the program'"'"'s own can let calls go on'
learn python3 -c 'import ctypes; print(ctypes.CDLL(None).prctl(22, 1, 0, 0, 0))'
is "strict mode is refused, as where there is a filter" "$out" "-1"
like "which is said" "$err" 'python3[.0-9]* wants seccomp'"'"'s strict mode'
has "and no reason" 'complete = yes'

# A listener around the tool that leaves the opens alone.
run "$FIXTURES/supervises_call" mkdir "$TRACE_LEARN" -f -o p.ini -- mkdir made
is "a supervisor around the tool is asked first" "$status" 0
ungranted "so the call is not seen" make_dir
incomplete "and that is a reason" '= a supervisor around the session can let calls go on'
run "$FIXTURES/refuse_call" mkdir EPERM "$TRACE_LEARN" -f -o p.ini -- cat f
has "a filter around the tool without one is none" 'complete = yes'

# Descriptors from before the session.
mkfifo fifo
learn cat f
unlike "nothing inherited: no notice" "$err" 'inherits'
exec 7<f 8<>fifo
learn cat f
like "what is inherited is named" "$err" "the program inherits descriptors that no profile limits: 7 \($PWD/f\), 8 \($PWD/fifo\); a shell leaves them out with 7>&- 8>&- behind the command"
has "and no reason" 'complete = yes'
exec 8<&- 12<f
learn cat f
like "only bash closes those of two digits" "$err" "7 \($PWD/f\), 12 \($PWD/f\); bash leaves them out with 7>&- 12>&- behind"
exec 12<&- 8<>fifo
# An escape of terminals, a character that turns text around, a control of C1, and a byte that is no UTF-8.
name=$'x\e[31m\xe2\x80\xae\xc2\x9b\xff'
escaped='x\x1b[31m\xe2\x80\xae\xc2\x9b\xff'
echo >"$name"
exec 7<"$name" 8<&-
# tame NAME FILE [ESCAPED]: the file has the name, in these escapes, and nothing of it as it is.
tame() {
  check "a hostile name in $1: is there" grep -qF -e "${3-$escaped}" "$2"
  LC_ALL=C fails "a hostile name in $1: not as it is" grep -qaE $'\e|\xe2\x80\xae|\xc2\x9b|\xff' "$2"
}
learn_options=(-l hostile.jsonl)
learn sh -c 'cat ./x*'
learn_options=()
tame "messages" "$TL_DIR/err"
tame "the profile" p.ini
tame "the log" hostile.jsonl "${escaped//\\/\\\\}"
run "$TRACE_PROFILE" show p.ini
tame "what is shown of the profile" "$TL_DIR/out"
run "$TRACE_PROFILE" why --log=hostile.jsonl "read_file $PWD/$escaped"
tame "what tells why" "$TL_DIR/out"
exec 7<&-

# Descriptors in messages.
cat >passes.py <<'END'
import array, os, socket, sys
def pair_or_path(how):
    if how == "inside":
        return socket.socketpair()
    server = socket.socket(socket.AF_UNIX)
    if how == "serve":
        server.bind("s"); server.listen(); print("ready", flush=True)
        return server.accept()[0], None
    server.connect("s")
    return None, server
sender, receiver = pair_or_path(sys.argv[1])
if sender:
    socket.send_fds(sender, [b"x"], [os.open("f", os.O_RDONLY), os.pipe()[0]])
if receiver:
    _, fds, _, _ = socket.recv_fds(receiver, 10, 4)
    print(os.read(fds[0], 10))
END
learn python3 passes.py inside
is "passed within the session" "$out" "b'text\\n'"
unlike "is nothing new" "$err" 'received'
python3 passes.py serve >ready &
job=$!
wait_for grep -q ready ready
learn python3 passes.py connect
is "received from outside" "$out" "b'text\\n'"
like "is said" "$err" "python3[.0-9]* received a descriptor from outside, which no profile limits: $PWD/f"
like "of a pipe too" "$err" 'received a descriptor from outside, which no profile limits: a pipe'
has "and no reason" 'complete = yes'
wait "$job"

# Taken from a process outside, instead of received.
cat >takes.py <<'END'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
PIDFD_OPEN, PIDFD_GETFD = 434, 438
process = libc.syscall(PIDFD_OPEN, int(sys.argv[1]), 0)
fd = libc.syscall(PIDFD_GETFD, process, 0, 0)
print("taken" if fd >= 0 else os.strerror(ctypes.get_errno()))
END
sleep 1000 &
job=$!
run python3 takes.py "$job"
if [ "$out" != taken ]; then
  skip "a descriptor of another process" "it cannot be taken natively: $out"
else
  learn python3 takes.py "$job"
  is "a descriptor of another process is refused while learning, as it will be" "$out" "Operation not permitted"
  confined python3 takes.py "$job"
  is "and under the profile" "$out" "Operation not permitted"
fi
kill "$job"

# A core is opened by the kernel, as the process that died: where it goes is no access that a call shows.
fresh
cat >dies.py <<'END'
import os
child = os.fork()
if not child:
    os.abort()
print("core dumped:", os.WCOREDUMP(os.waitpid(child, 0)[1]))
END
dies=(sh -c 'ulimit -c unlimited && exec python3 dies.py')
run "${dies[@]}"
if [ "$out" != "core dumped: True" ] || grep -q '^[|@/]' /proc/sys/kernel/core_pattern; then
  skip "a core that is dumped" "none comes into the present directory: $out $err $(cat /proc/sys/kernel/core_pattern)"
else
  learn "${dies[@]}"
  is "a process dumps core while learning, as natively" "$out" "core dumped: True"
  incomplete "which is a reason" '= .*/python3[.0-9]* dumped core to a file, which its profile does not grant'
  hasnt "and no grant" '^allow = .*make_reg'
  rm -f core*
  confined "${dies[@]}"
  is "since it does not under the profile" "$out $(echo core*)" "core dumped: False core*"
  run "$TRACE_RUN" -e -p p.ini -- "${dies[@]}"
  like "-e tells of it, with the line" "$err" "trace-run:   \[[a-z]*\] allow = make_reg,write_file $PWD
trace-run:     core dump to make $PWD/core by /.*/python3[.0-9]*: needs make_reg,write_file"
  run "$TRACE_RUN" -e -p p.ini -- python3 dies.py
  unlike "but not where no core is due" "$err" 'core dump'
  printf '[normal]\nallow = make_reg,write_file %s\n' "$PWD" >>p.ini
  run "$TRACE_RUN" --allow-writable-profile -e -p p.ini -- "${dies[@]}"
  unlike "nor where there is one" "$err" 'core dump'
  rm -f core*
  run "$TRACE_RUN" -e -p p.ini -- sh -c 'ulimit -c 1 && exec python3 dies.py'
  unlike "nor where the limit is too small for one" "$err" 'core dump'
  if [ "$(cat /proc/sys/kernel/core_pattern) $(cat /proc/sys/kernel/core_uses_pid)" = "core 0" ]; then
    mkdir core
    run "$TRACE_RUN" --allow-writable-profile -e -p p.ini -- "${dies[@]}"
    unlike "where the line is there it is not told" "$err" 'allow = make_reg,write_file'
    like "but that there is another cause" "$err" "refused, but not by p.ini:
trace-run:     core dump to make $PWD/core by .*; no line is missing for it: core\(5\) says what else"
    rmdir core
  fi
  rm -f core*
  run "$TRACE_RUN" --allow-writable-profile -p p.ini -- "${dies[@]}"
  is "but with the line that the reason tells" "$out" "core dumped: True"
fi
finish
