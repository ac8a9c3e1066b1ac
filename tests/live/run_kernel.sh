#!/usr/bin/env bash
# trace-run on other kernels: without Landlock, with an older one, with a newer one. Nothing starts with less than the
# profile demands, and every loss is named.
. "$TL_SRC/tests/lib.sh"

profile_for() {
  printf '[profile]\nformat = 1\nlandlock = %s\n[protected]\n' "$1"
  printf 'allow = read_dir,read_file /proc\n[normal]\n' # for sanitizers
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
  printf 'allow = read_file %s\n' /etc/ld.so.cache /dev/null
  printf 'allow = make_reg,read_file,truncate,write_file %s\n' "$PWD/open"
}

fresh
mkdir open closed
echo secret >closed/f
profile_for 7 >p.ini
[ -r /etc/shadow ] || chmod 644 closed/f
exits "control: the program reads the file" 0 cat closed/f

for errno in ENOSYS EOPNOTSUPP EPERM; do
  exits "no Landlock ($errno)" 125 "$FIXTURES/refuse_call" landlock_create_ruleset $errno \
    "$TRACE_RUN" -p p.ini -- touch open/started
  says_line "is said in one line"
  like "with what to do" "$err" 'lsm=|CONFIG_SECURITY_LANDLOCK|seccomp profile'
  exits "and --best-effort does not help" 125 "$FIXTURES/refuse_call" landlock_create_ruleset $errno \
    "$TRACE_RUN" --best-effort -p p.ini -- touch open/started
  exits "nor can a ruleset be printed" 125 "$FIXTURES/refuse_call" landlock_create_ruleset $errno \
    "$TRACE_RUN" -p p.ini --print
done
for call in landlock_add_rule landlock_restrict_self openat2 prctl; do
  exits "a container that refuses $call" 125 "$FIXTURES/refuse_call" $call EPERM \
    "$TRACE_RUN" -p p.ini -- touch open/started
  like "is said" "$err" $'(^|\n)trace-run: [^\n]*(rule|ruleset|openat2|no_new_privs)[^\n]*$'
done
exits "openat2 again, where the profile comes from a pipe" 125 bash -c \
  'cat p.ini | "$0" openat2 ENOSYS "$1" -p /dev/stdin -- touch open/started' "$FIXTURES/refuse_call" "$TRACE_RUN"
like "is said" "$err" 'openat2\(2\), which finds paths safely, is refused here'
fails "nothing was started" test -e open/started

# Each older ABI: refused, or with --best-effort enforced as far as it goes.
lost=('' 'truncate' 'truncate' 'bind_tcp' 'ioctl_dev' 'signal')
for abi in 1 2 3 4 5 6; do
  as_abi $abi "$TRACE_RUN" -p p.ini -- touch open/started
  is "ABI $abi below the profile's" "$status" 125
  says_line "is refused in one line"
  like "with both numbers" "$err" "asks for Landlock ABI 7, and this kernel has $abi"
  [ $abi = 6 ] || like "and what would be lost" "$err" 'does not enforce [a-z_,]+:'
  as_abi $abi "$TRACE_RUN" -p p.ini --best-effort -- cat closed/f
  is "ABI $abi with --best-effort enforces the rest" "$status" 1
  like "the kernel refuses" "$err" 'cat: closed/f: Permission denied'
  like "and what is lost is said" "$err" "warning: p.ini: it asks for Landlock ABI 7 and runs with $abi"
  profile_for $abi >same.ini
  as_abi $abi "$TRACE_RUN" -p same.ini -- sh -c 'echo x >open/f; cat open/f closed/f'
  is "ABI $abi, and a profile for it" "$status $out" "1 x"
  unlike "nothing is lost of what it counts on" "$err" 'warning'
done
fails "nothing was started below" test -e open/started
as_abi 2 "$TRACE_RUN" -p p.ini --best-effort -- true
like "the rights that are lost, by name" "$err" \
  'not enforced: abstract_unix_socket,bind_tcp,connect_tcp,ioctl_dev,signal,truncate$'

# What is really not enforced: truncate at ABI 2, and it is at 3.
echo text >closed/t
profile_for 2 >two.ini
run truncate -s 2 closed/t
is "control: the file can be cut" "$status $(cat closed/t)" "0 te"
as_abi 2 "$TRACE_RUN" -p two.ini -- truncate -s 1 closed/t
is "truncate(1) opens for writing, which is refused" "$status" 1
as_abi 2 "$TRACE_RUN" -p two.ini -- perl -e 'truncate("closed/t", 1) or die'
is "truncate(2) is not refused at ABI 2" "$status $(cat closed/t)" "0 t"
as_abi 3 "$TRACE_RUN" -p two.ini -- perl -e 'truncate("closed/t", 0) or die'
isnt "but at ABI 3, also for a profile of ABI 2" "$status $(cat closed/t)" "0 "

# Newer kernels: all that the table knows is handled; the rest is theirs.
for abi in 8 9 10 12; do
  as_abi $abi "$TRACE_RUN" -p p.ini -- cat closed/f
  is "ABI $abi" "$status" 1
  as_abi $abi "$TRACE_RUN" -p p.ini --print
  is "is printed" "$status $(sed -n 1p <<<"$out")" "0 landlock $abi"
done
like "at ABI 10 everything of the table is handled" "$out" 'handle bind_tcp,bind_udp,connect_send_udp,connect_tcp'
unlike "and nothing is missing" "$out" 'not enforced'
as_abi 7 "$TRACE_RUN" -p p.ini --print
unlike "at ABI 7 sockets that it cannot limit are not made at all, so nothing is missing" "$out" 'not enforced'
like "and that is shown" "$out" $'\nrefuse always,.*,udp,unix_socket,'
cp p.ini words.ini
printf '[seccomp]\nallow = udp\nallow = unix_socket\n' >>words.ini
as_abi 7 "$TRACE_RUN" -p words.ini --print
like "where they are allowed, what is newer is named" "$out" 'not enforced by this kernel: bind_udp,connect_send_udp,resolve_unix'
as_abi 7 "$TRACE_RUN" -p words.ini -- true
is "and said in one line, with the words" "$status $err" "0 trace-run: Landlock ABI 7 of this kernel does not enforce \
bind_udp,connect_send_udp,resolve_unix, so that every path or port is open to what [seccomp] allows: udp,unix_socket"
as_abi 10 "$TRACE_RUN" -p words.ini --print
like "at ABI 10 the words open nothing that Landlock limits" "$out" $'\nrefuse always,bpf,chroot,io_uring,keyring,metadata,namespaces,other_socket,perf,userfaultfd\n'
as_abi 7 "$TRACE_RUN" -p p.ini -- true
is "with neither word there is nothing to say" "$status $err" "0 "
as_abi 10 "$TRACE_RUN" -p p.ini -- true
is "then there is nothing to say" "$status $err" "0 "
profile_for 10 >ten.ini
exits "a profile of ABI 10 on an older kernel" 125 "$TRACE_RUN" -p ten.ini -- true

# --print shows, and starts nothing.
exits "--print" 0 "$TRACE_RUN" -p p.ini --print -- touch open/started
fails "starts nothing" test -e open/started
like "shows each rule" "$out" "allow make_reg,read_file,truncate,write_file $PWD/open"
printf '[profile]\nformat = 1\n[normal]\nallow = read_file %s\n' "$PWD/missing" >missing.ini
run "$TRACE_RUN" -p missing.ini --print
like "and says what a start would say" "$status $err" "^0 .*missing.ini:4: $PWD/missing is not there"
if [ -w /dev/full ]; then
  exits "a full disk is noticed" 125 bash -c '"$0" -p p.ini --print >/dev/full' "$TRACE_RUN"
else
  skip "a full disk is noticed" "/dev/full cannot be written"
fi

# Domains in domains.
cat >nest.sh <<'END'
[ "$1" -gt 0 ] || exit 0
exec "$TRACE_RUN" -p "$2" -- sh "$3" $(($1 - 1)) "$2" "$3"
END
cp "$TRACE_RUN" open/trace-run
printf 'allow = execute,read_file %s\n' "$PWD" >>p.ini
run env TRACE_RUN="$PWD/open/trace-run" sh nest.sh 3 "$PWD/p.ini" "$PWD/nest.sh"
is "three starts inside each other" "$status" 0
run env TRACE_RUN="$PWD/open/trace-run" sh nest.sh 70 "$PWD/p.ini" "$PWD/nest.sh"
is "as many as the kernel takes, then it is refused" "$status" 125
like "in clear words" "$err" 'trace-run: as many Landlock domains as the kernel allows'
printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_dir,read_file /\n' >wide.ini
run "$TRACE_RUN" -p p.ini -- "$PWD/open/trace-run" -p "$PWD/wide.ini" -- cat /etc/hostname
is "an inner profile cannot give back what the outer one took" "$status" 1
exits "control: alone it gives it" 0 "$TRACE_RUN" -p wide.ini -- cat /etc/hostname
finish
