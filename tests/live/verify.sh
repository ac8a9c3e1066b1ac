#!/usr/bin/env bash
# trace-run --verify: every control is proven from inside, what is not in force is found, and what cannot be proven is
# never called ok. And what each start reads back.
. "$TL_SRC/tests/lib.sh"

sanitizers="${ASAN_OPTIONS-}:verify_asan_link_order=0"

# pretending CONTROL CMD…: run, with a kernel that takes this control and does nothing about it.
pretending() {
  local control=$1
  shift
  run env LD_PRELOAD="$FIXTURES/pretend_call.so" PRETEND="$control" ASAN_OPTIONS="$sanitizers" "$@"
}

# verdict RESULT: the controls with this result, on one line.
verdict() {
  sed -n "s/^$1  *//p" <<<"$out" | sed 's/ *declared .*//' | paste -sd,
}

fresh
printf '[profile]\nformat = 1\n[normal]\n' >p.ini
printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 >>p.ini
cp p.ini own.ini
printf 'allow = read_file /proc/self/maps\n' >>own.ini
abi=$("$TRACE_RUN" doctor | sed -n 's/^landlock *yes, ABI \([0-9]*\).*/\1/p')

# All is as declared. Some kernels refuse a plain user BPF altogether, so there the filter proves nothing.
unprovable='^$'
[ "$TL_USER" = root ] || unprovable='^(\[seccomp\] bpf)?$'
for file in p.ini own.ini; do
  exits "$file" 0 "$TRACE_RUN" -p $file --verify
  is "$file: nothing differs" "$(verdict differs)" ''
  like "$file: and nothing is unproven" "$(verdict 'not provable')" "$unprovable"
  is "$file: nor said" "$err" ''
  for right in $("$TRACE_RUN" -p $file --print | sed -n 's/^\(handle\|scope\) //p' | tr , ' '); do
    like "$file: $right" "$out" "(^|"$'\n'")ok +$right +declared E[A-Z]+, observed E"
  done
  for group in always bpf chroot io_uring keyring metadata namespaces other_socket perf userfaultfd; do
    like "$file: group $group" "$out" "(ok|not provable) +\[seccomp\] $group +declared E(PERM|ACCES|NOSYS), observed E"
  done
  like "$file: no_new_privs" "$out" $'(^|\n)ok +NoNewPrivs +declared 1, observed 1\n'
  like "$file: the mode of seccomp" "$out" $'\nok +Seccomp +declared 2, observed 2\n'
  like "$file: capabilities are kept" "$out" $'\nok +CapEff +declared ([0-9a-f]+), observed [0-9a-f]+\n'
  is "$file: no scratch tree is left" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'trace-run-verify.*')" ''
done
like "entries below /proc/self" "$out" $'\nok +entries in /proc/self +declared EACCES, observed EACCES, granted success'
exits "--drop-caps" 0 "$TRACE_RUN" -p p.ini --verify --drop-caps
like "none is left" "$out" $'\nok +CapEff +declared 0{16}, observed 0{16}\n'
if [ "$TL_USER" = root ]; then
  like "nor may any be had" "$out" $'\nok +CapBnd +declared 0{16}, observed 0{16}\n'
fi

# What is not in force.
pretending landlock "$TRACE_RUN" -p p.ini --verify
is "a domain that is none" "$status" 1
like "every right differs" "$(verdict differs)" '^execute,ioctl_dev,make_block,.*,write_file,bind_tcp,connect_tcp,abstract_unix_socket,signal$'
unlike "but nothing else" "$(verdict differs)" 'seccomp|Cap|NoNew'
pretending seccomp "$TRACE_RUN" -p p.ini --verify
is "a filter that is none" "$status" 1
like "is found in /proc" "$out" $'\ndiffers +Seccomp +declared 2, observed 0\n'
like "and by each group" "$(verdict differs)" '^Seccomp,Seccomp_filters,\[seccomp\] always,'
pretending seccomp "$TRACE_RUN" -p own.ini --verify
like "so do the entries of others that the supervisor keeps" "$status $(verdict differs)" '^1 .*seccomp. always'
pretending seccomp "$TRACE_RUN" -p own.ini -- sh -c 'echo started'
is "and nothing is started without the filter of opens" "$status $out" "125 "
if [ "$TL_USER" = root ]; then
  pretending no_new_privs "$TRACE_RUN" -p p.ini --verify
  is "no_new_privs that is not set" "$status $(verdict differs)" "1 NoNewPrivs"
  pretending bounding "$TRACE_RUN" -p p.ini --verify --drop-caps
  is "a bounding set that is not emptied" "$status $(verdict differs)" "1 CapBnd"
  pretending capabilities_told "$TRACE_RUN" -p p.ini --verify --drop-caps
  is "capabilities that are not given up" "$status $(verdict differs)" "1 CapPrm,CapEff"
  pretending capabilities "$TRACE_RUN" -p p.ini --drop-caps -- sh -c 'echo started'
  is "those that are left are read back before the start" "$status $out" "125 "
fi
if [ "$abi" -lt 10 ]; then
  run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=10 ASAN_OPTIONS="$sanitizers" "$TRACE_RUN" -p p.ini --verify
  is "a kernel that knows less than it says" "$status" 1
  like "each right that it does not enforce" "$(verdict differs)" 'bind_udp,connect_send_udp$'
else
  skip "a kernel that knows less than it says" "this kernel knows all"
fi
for forced in 8 9; do
  [ "$abi" -lt $forced ] || continue
  run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=$forced ASAN_OPTIONS="$sanitizers" "$TRACE_RUN" -p p.ini --verify
  [ $forced = 8 ] && want="0 " || want="1 resolve_unix"
  is "one that says ABI $forced and has $abi" "$status $(verdict differs)" "$want"
done
for forced in 1 2 3 4 5 6 7; do
  run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=$forced ASAN_OPTIONS="$sanitizers" "$TRACE_RUN" -p p.ini --verify
  is "at ABI $forced all that is declared is in force" "$status $(verdict differs)" "0 "
done

# What cannot be tried is not called ok.
printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_dir,read_file,make_sym /\n[network]\nallow = connect_tcp any\n' >wide.ini
printf '[scope]\nallow = signal\n[seccomp]\nallow = metadata\n' >>wide.ini
exits "a wide profile" 0 "$TRACE_RUN" --allow-writable-profile -p wide.ini --verify
like "what it grants everywhere cannot be refused" "$(verdict 'not provable')" 'execute,make_sym,read_dir,read_file'
unlike "what it leaves open is no control" "$out" $'\n(ok|differs|not provable) +(connect_tcp|signal) '
like "an open group is tried: it has the outcome of outside" "$out" $'\nok +\[seccomp\] metadata +declared ENOENT, observed ENOENT\n'
run "$FIXTURES/refuse_call" setns EPERM "$TRACE_RUN" -p p.ini --verify
like "where a filter around it refuses the same" "$(verdict 'not provable')" 'seccomp. namespaces'

# It touches nothing but its scratch tree, and the two devices that it opens.
if command -v strace >/dev/null; then
  mkdir scratch
  run env TMPDIR="$PWD/scratch" strace -f -y -o calls -e trace=%file,ftruncate "$TRACE_RUN" -p p.ini --verify
  is "traced it proves the same" "$status" 0
  grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)|(mkdir|mknod|unlink|rmdir|rename|symlink|link|truncate|chmod|chown|utimens|setxattr)(at|at2)?\(' \
    calls | grep -v readlink >changing
  like "the control: changes are seen" "$(cat changing)" "\"$PWD/scratch/trace-run-verify\."
  is "what it changes by a whole name is in the scratch tree" "$(grep '"/' changing | grep -vF -e "\"$PWD/scratch/trace-run-verify." -e '"/dev/null"' -e '"/dev/zero"')" ''
  is "and what by another one, too" "$(grep -E '[^f]chdir\(' calls | grep -vF "\"$PWD/scratch/trace-run-verify.")" ''
  is "which is gone" "$(ls scratch)" ''
else
  skip "it touches nothing but its scratch tree" 'strace is not installed'
fi

# As JSON.
run "$TRACE_RUN" -p p.ini --verify --format=json
is "JSON" "$status" 0
check "has its form" python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/trace-run-verify.schema.json" <"$TL_DIR/out"
pretending landlock "$TRACE_RUN" -p p.ini --verify --format=json
check "also with differences" python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/trace-run-verify.schema.json" <"$TL_DIR/out"
like "which are told" "$status $out" '^1 .*"different": true'

# What goes with it.
exits "no program" 125 "$TRACE_RUN" -p p.ini --verify -- true
says_line "is said"
exits "nor -e" 125 "$TRACE_RUN" -p p.ini -e --verify
exits "a profile that is none" 125 "$TRACE_RUN" -p none.ini --verify
if [ -w /dev/full ]; then
  exits "a full disk is noticed" 125 bash -c '"$0" -p p.ini --verify >/dev/full' "$TRACE_RUN"
else
  skip "a full disk is noticed" "/dev/full cannot be written"
fi

# Each start.
exits "control: it starts" 0 "$TRACE_RUN" -p p.ini -- sh -c 'exit 0'
for control in landlock seccomp; do
  pretending $control "$TRACE_RUN" -p p.ini -- sh -c 'echo started'
  is "$control is read back before the start" "$status $out" "125 "
  like "and what is not in force is said" "$err" 'is not in force, though the kernel had taken it; nothing is started'
done
if [ "$TL_USER" = root ]; then
  pretending no_new_privs "$TRACE_RUN" -p p.ini -- sh -c 'echo started'
  is "no_new_privs is read back before the start" "$status $out" "125 "
fi
finish
