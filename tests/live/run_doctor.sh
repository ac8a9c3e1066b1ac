#!/usr/bin/env bash
# trace-run doctor: what this kernel, container and user can do, with cause and remedy for each "no".
. "$TL_SRC/tests/lib.sh"

with_abi() {
  run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI="$1" \
    ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" "$TRACE_RUN" doctor
}

fresh
run "$TRACE_RUN" doctor
is "here everything that is needed is there" "$status $err" "0 "
like "the kernel" "$out" "kernel +Linux $(uname -r | sed 's/[+.]/\\&/g')"
like "its Landlock" "$out" $'\nlandlock +yes, ABI [0-9]+'
like "rights by name" "$out" $'\nenforced +execute,make_block,'
if [ "$TL_USER" = root ]; then
  like "the user" "$out" $'\nuser +root'
  like "who sees all processes" "$out" $'\nother processes +seen in /proc'
else
  like "the user" "$out" $'\nuser +'"$(id -u)"
fi

with_abi 2
is "an old Landlock is no failure: profiles say what they need" "$status" 0
like "but each right that is missing is named" "$out" $'\nnot enforced +truncate: needs Landlock ABI 3 \(Linux 6.2\)'
like "all of them" "$out" $'\nnot enforced +bind_udp,connect_send_udp: needs Landlock ABI 10'
with_abi 1
like "refer is refused where it is not known, so nothing is lost" "$out" $'\nalways refused +refer, whatever a profile grants: needs Landlock ABI 2'
with_abi 10
unlike "a new one enforces all" "$out" 'not enforced'
like "and says so" "$out" $'\nenforced +bind_udp,connect_send_udp'

run "$TRACE_RUN" doctor --help
like "doctor --help helps" "$status $out" '^0 .*trace-run doctor'
exits "a mistyped doctor" 125 "$TRACE_RUN" doctr
like "may have been meant" "$err" '^trace-run: no profile to run doctr under: .*"trace-run doctor" meant'
run "$TRACE_RUN" 'my p.ini' -- cat
is "a profile without its option is no program" "$status $err" \
  "125 trace-run: no profile: name one with -p FILE; was \"-p 'my p.ini'\" meant? (see trace-run --help)"
exits "a program without a profile" 125 "$TRACE_RUN" cat
unlike "is no doctor" "$err" doctor
exits "doctor stands alone" 125 "$TRACE_RUN" doctor -p p.ini
is "and says so" "$err" "trace-run: -p: doctor takes nothing else (see trace-run --help)"

exits "no Landlock" 1 "$FIXTURES/refuse_call" landlock_create_ruleset EOPNOTSUPP "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nlandlock +no: Landlock is not enabled in this kernel: add it to the lsm='
exits "hidden Landlock" 1 "$FIXTURES/refuse_call" landlock_create_ruleset ENOSYS "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nlandlock +no: this kernel has no Landlock, or a filter hides it'
like "the filter is seen" "$out" $'\nseccomp filters +[1-9][0-9]* around this process'
exits "no openat2" 1 "$FIXTURES/refuse_call" openat2 EPERM "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nsafe path lookup +no: openat2\(2\).*seccomp profile'

like "the groups of system calls" "$out" $'\nsystem calls +filtered; groups that a profile opens: bpf,chroot,'
exits "no filters" 1 "$FIXTURES/refuse_call" seccomp EPERM "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nsystem calls +no: seccomp\(2\) is not there, or a filter around this process refuses it'

# Lines below /proc/self.
run "$TRACE_RUN" doctor
like "the supervisor" "$out" $'\nlines in /proc/self +yes, by a supervisor'
exits "another supervisor around us" 1 "$FIXTURES/supervises_call" openat "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nlines in /proc/self +no: they need a supervisor .* there is one around .*: start outside'
exits "a listener that is refused" 1 "$FIXTURES/refuse_call" seccomp:1:40 EPERM "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nlines in /proc/self +no: seccomp\(2\) gives no listener .*container'
exits "the memory of children" 1 "$FIXTURES/refuse_call" process_vm_readv EPERM "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nlines in /proc/self +no: their supervisor may not read .* process_vm_readv'
exits "no synchronous wake-up" 0 "$FIXTURES/refuse_call" ioctl::0x40082104 EINVAL "$TRACE_RUN" doctor
like "is said" "$out" $'\nlines in /proc/self +yes, by a supervisor that this kernel wakes slowly'

# What only programs need.
exits "user namespaces are nothing of ours" 0 "$FIXTURES/refuse_call" unshare EPERM "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nuser namespaces +cannot be made \\(Operation not permitted\\), .*: [^\n]*(let it pass unshare|sysctl)'
exits "none is left" 0 "$FIXTURES/refuse_call" unshare ENOSPC "$TRACE_RUN" doctor
like "cause and remedy" "$out" $'\nuser namespaces +cannot be made .*raise user.max_user_namespaces'
if [ "$TL_USER" = root ] && unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc' 2>/dev/null; then
  exits "hidden processes" 0 unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc && exec "$0" doctor' "$TRACE_RUN"
  like "are said, with the remedy" "$out" $'\nother processes +hidden .*hidepid=(2|invisible).*hidepid=0'
  run unshare -m sh -c 'mount -t proc -o subset=pid proc /proc && exec "$0" doctor' "$TRACE_RUN"
  like "and where /proc has nothing but processes" "$out" $'\nsystem files in /proc +none'
fi

# in_place_of DIRECTORY FILE TEXT CMD…: CMD sees nothing in DIRECTORY but FILE with TEXT.
cat >in_place_of <<'END'
#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs none "$1" && mkdir -p "$1/${2%/*}" && echo "$3" >"$1/$2" && shift 3 && exec "$@"' - "$@"
END
chmod 755 in_place_of
if [ "$TL_USER" = root ] && ./in_place_of /proc/sys/kernel yama/ptrace_scope 1 true 2>/dev/null; then
  exits "Yama forbids tracing" 1 ./in_place_of /proc/sys/kernel yama/ptrace_scope 3 "$TRACE_RUN" doctor
  like "cause and remedy" "$out" "tracing .* no: Yama's ptrace_scope is 3, .*sysctl.conf"
  exits "Yama lets root trace" 0 ./in_place_of /proc/sys/kernel yama/ptrace_scope 2 "$TRACE_RUN" doctor
  exits "but nobody else" 1 ./in_place_of /proc/sys/kernel yama/ptrace_scope 2 \
    setpriv --reuid=65534 --regid=65534 --clear-groups "$TRACE_RUN" doctor
  like "cause and remedy" "$out" "tracing .* no: Yama's ptrace_scope is 2, .*or sysctl kernel.yama.ptrace_scope=1"
  exits "Yama lets everyone trace what they start" 0 ./in_place_of /proc/sys/kernel yama/ptrace_scope 1 \
    setpriv --reuid=65534 --regid=65534 --clear-groups "$TRACE_RUN" doctor
  exits "a terminal that takes no pushed input" 0 ./in_place_of /proc/sys/dev tty/legacy_tiocsti 0 "$TRACE_RUN" doctor
  like "is said" "$out" $'\nterminal input +cannot be pushed'
  exits "one that does" 0 ./in_place_of /proc/sys/dev tty/legacy_tiocsti 1 "$TRACE_RUN" doctor
  like "is closed by trace-run" "$out" $'\nterminal input +programs can push it .TIOCSTI., but none that trace-run starts'
  exits "the list of security modules" 0 ./in_place_of /sys/kernel/security ./lsm capability,landlock "$TRACE_RUN" doctor
  like "is shown" "$out" $'\nsecurity modules +capability,landlock'
fi
in_terminal strace -o /dev/null "$TRACE_RUN" doctor
like "a tracer is seen" "$status $out" "^1 .*tracing .* no: process [0-9]+ traces this one"

printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_dir,read_file /\n' >p.ini
run "$TRACE_RUN" -p p.ini -- "$TRACE_RUN" doctor
like "inside a domain there is room for one less" "$out" $'\nmore domains +yes, [0-9]+ fit'
sed -i 's/^allow = .*/allow = execute,read_dir,read_file \/usr/' p.ini
printf 'allow = %s\n' 'execute,read_dir,read_file /lib' 'execute,read_dir,read_file /lib64' 'read_file /etc/ld.so.cache' \
  "execute,read_dir,read_file $TL_BUILD" >>p.ini
run "$TRACE_RUN" -p p.ini -- "$TRACE_RUN" doctor
like "inside a narrow one: what may not be read is said to be so" "$out" $'\nother processes +unknown: /proc/self/mountinfo cannot be read \\(Permission denied\\)'
like "filters are known without" "$out" $'\nseccomp filters +some around this process .*trace-run'
like "and that no_new_privs is set" "$out" $'\nno_new_privs +set already'
like "whose filter it may be" "$out" $'\nuser namespaces +cannot be made .*or that of a trace-run around this one'
if [ "$TL_USER" = root ] && unshare -m true 2>/dev/null; then
  mkdir -p jail/usr jail/bin jail/lib jail/lib64
  cp "$TRACE_RUN" jail/trace-run
  # shellcheck disable=SC2016 # sh's
  run unshare -m sh -c 'for d in usr bin lib lib64; do mount --bind /$d jail/$d; done && exec chroot jail /trace-run doctor'
  if [[ $out == *kernel* ]]; then
    like "in a chroot without /proc" "$status $out" $'^1 .*\n/proc +no: /proc/self/status cannot be read; mount /proc'
    [ "$(awk '/^Seccomp:/ { print $2 }' /proc/self/status)" != 0 ] ||
      like "it is the cause for there being no user namespaces" "$out" $'\nuser namespaces +cannot be made .*this is a chroot\\(2\\), most likely'
  else
    skip "in a chroot without /proc" "no program runs there: $err"
  fi
fi
exits "doctor takes nothing more" 125 "$TRACE_RUN" doctor more
if [ -w /dev/full ]; then
  exits "a full disk is noticed" 125 bash -c '"$0" doctor >/dev/full' "$TRACE_RUN"
else
  skip "a full disk is noticed" "/dev/full cannot be written"
fi
finish
