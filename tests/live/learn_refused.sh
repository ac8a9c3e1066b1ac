#!/usr/bin/env bash
# What no profile allows is refused while learning with the errno of a run, and that is said: in profile, log and summary.
# Nothing lets it pass: threads, filters of the program's own, the end of the tool. (tests/live/seccomp.sh has each
# call's errno.)
. "$TL_SRC/tests/lib.sh"

# limits.py COUNT: sets a limit of a child from COUNT threads, and says with what it failed, and what became of it.
fresh
cat >limits.py <<'END'
import errno, resource, subprocess, sys, threading
child = subprocess.Popen(["/bin/sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
def limits():
    return open(f"/proc/{child.pid}/limits").read()
before = limits()
results = []
def limit():
    for _ in range(50):
        try:
            resource.prlimit(child.pid, resource.RLIMIT_NOFILE, (17, 17))
            results.append("done")
        except OSError as e:
            results.append(errno.errorcode[e.errno])
threads = [threading.Thread(target=limit) for _ in range(int(sys.argv[1]))]
for each in threads: each.start()
for each in threads: each.join()
print(*sorted(set(results)), len(results), "kept" if limits() == before else "changed")
child.kill()
END
limits=(/usr/bin/python3 limits.py)
python=$(realpath /usr/bin/python3)
reason='incomplete = prlimit64 was refused while learning, as it is under every profile'
learn_options=(--proc=all)

run "${limits[@]}" 1
is "control: natively a child's limit can be set" "$status $out" "0 done 50 changed"
learn "${limits[@]}" 1
is "learning refuses it" "$status $out" "0 EPERM 50 kept"
has "which makes the profile incomplete" 'complete = no'
has "with its reason" "$reason"
is "and is told once" "$(grep -c 'prlimit64 by ' <<<"$err")" 1
like "by whom, and what it means" "$err" \
  "trace-learn: prlimit64 by $python: EPERM; it is refused to every confined program, and no line allows it: what depends on it"
confined "${limits[@]}" 1
is "and the same under the profile" "$status $out" "0 EPERM 50 kept"
learn_options=(--proc=all --calls=enforced --no-log)
learn "${limits[@]}" 8
is "from threads at once, to each of them" "$status $out" "0 EPERM 400 kept"
has "and without a log" "$reason"
run "$FIXTURES/refuse_call" ptrace:0x4212 EIO "$TRACE_LEARN" --proc=all -f -o p.ini -- "${limits[@]}" 1
is "and on a kernel before PTRACE_SET_SYSCALL_INFO (6.16)" "$status $out" "0 EPERM 50 kept"
run "$FIXTURES/refuse_call" ptrace:0x4212 EPERM "$TRACE_LEARN" --proc=all -f -o p.ini -- "${limits[@]}" 1
is "where it could not be refused, the program is ended" "$status $out" "137 "
has "which is said" 'incomplete = a process was ended, since a call that no profile allows could not be refused'
learn_options=(-l log.jsonl)
learn "${limits[@]}" 1
is "in the log it has its errno" "$(grep -c '"event":"access".*"kind":"call".*"syscall":"prlimit64","group":"always".*"error":"EPERM"' log.jsonl)" 1
like "and its reason" "$(grep '"event":"notice"' log.jsonl)" 'prlimit64 was refused while learning'
learn_options=()
learn sh -c 'ulimit -S -n 17; ulimit -S -n'
is "a limit of its own can be set" "$out" 17
has "which is no reason" 'complete = yes'
unlike "and nothing is said" "$err" 'refused'

# Each kind of call, for programs of both sizes.
for bits in 64 32; do
  if [ ! -x "$FIXTURES/seccomp_calls$bits" ]; then
    skip "programs of $bits bits" "this compiler makes none"
    continue
  fi
  : >f
  learn "$FIXTURES/seccomp_calls$bits"
  for call in ioctl reboot swapoff delete_module settimeofday adjtimex mount_setattr open_tree_attr syslog sethostname \
    setdomainname quotactl quotactl_fd fanotify_init prlimit64; do
    has "$bits: $call is a reason" "incomplete = $call was refused while learning, as it is under every profile"
  done
  unlike "$bits: and none of them has another one" "$(cat p.ini)" 'mount_setattr was called'
  [ $bits = 64 ] || continue # its C library may send by socketcall(2)
  has "$bits: MSG_FASTOPEN is a reason" "incomplete = sendto was refused while learning, as it is under every profile"
  like "$bits: and has an errno of its own" "$err" ": sendto by .*: EOPNOTSUPP; it is refused"
done

# The numbers of x32, which the filter of a run takes for the same calls.
if [ "$(uname -m)" = x86_64 ]; then
  x32=(perl -e 'my $n = ""; $! = 0; syscall(0x40000000 | 170, $n, -1); print $!{EPERM} ? "EPERM" : $!{ENOSYS} ? "ENOSYS" : "$!"')
  learn "${x32[@]}"
  has "a number of x32 is a reason" 'incomplete = sethostname was refused while learning, as it is under every profile'
  learned=$out
  confined "${x32[@]}"
  is "and fails as under the profile" "$learned" "$out"
fi

# Filters of the program's own.
learn_options=(--proc=all)
run "$FIXTURES/refuse_call" prlimit64::7 TRACE "${limits[@]}" 1
is "control: a filter that leaves it to a tracer, without one" "$out" "ENOSYS 50 kept"
learn "$FIXTURES/refuse_call" prlimit64::7 TRACE "${limits[@]}" 1
is "one that leaves it to a tracer does not hide it" "$out" "EPERM 50 kept"
has "nor that it was refused" "$reason"
confined "$FIXTURES/refuse_call" prlimit64::7 TRACE "${limits[@]}" 1
is "and the same under the profile" "$out" "EPERM 50 kept"
learn "$FIXTURES/refuse_call" prlimit64::7 EXDEV "${limits[@]}" 1
is "one that answers by itself goes first" "$out" "EXDEV 50 kept"
has "as under the profile, so that is no reason" 'complete = yes'
confined "$FIXTURES/refuse_call" prlimit64::7 EXDEV "${limits[@]}" 1
is "really" "$out" "EXDEV 50 kept"
learn "$FIXTURES/supervises_call" prlimit64 "${limits[@]}" 1
has "a listener of its own is asked before, which is said" \
  "incomplete = a seccomp listener of the program's own can let calls go on that are not seen"

# With -b the kernel alone keeps the limits: no listener gets round them, and nothing is told of what they refuse.
learn true
mv p.ini base.ini
learn_options=(--proc=all -b base.ini)
learn "$FIXTURES/supervises_call" prlimit64 "${limits[@]}" 1
is "with -b no listener lets it go on either" "$out" "EPERM 50 kept"

# When the tool is killed, what was stopped ends with it and does not happen.
cat >tries.py <<'END'
import resource, subprocess
child = subprocess.Popen(["/bin/sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
while True:
    try:
        resource.prlimit(child.pid, resource.RLIMIT_NOFILE, (17, 17))
        open("passed", "w").close()
        break
    except PermissionError:
        pass
    except OSError:
        open("other", "w").close()
END
gone() { ! kill -0 "$(cat started)" 2>/dev/null; }
ended=0
for _ in 1 2 3 4 5 6; do
  : >started
  "$TRACE_LEARN" -q --no-log -f -o p.ini -- /usr/bin/python3 tries.py >started 2>/dev/null &
  wait_for test -s started
  kill -KILL $!
  wait $! 2>/dev/null
  wait_for gone && ended=$((ended + 1))
done
is "killed in the middle, it leaves nothing behind" "$ended" 6
fails "and lets nothing pass" test -e passed
fails "and gives no other errno" test -e other

finish
