#!/usr/bin/env bash
# The whole job on each Landlock ABI: learned there, and run there under the profile, with what natively comes of it. What
# that ABI knows is enforced, and what it does not know is said, never lost in silence.
. "$TL_SRC/tests/lib.sh"

# Reads, makes, writes, cuts, renames in one directory and across two, links, removes, lists, and opens a device.
cat >"$TL_DIR/job.pl" <<'END'
use Socket;
sub note { printf "%s %s\n", $_[0], $_[1] ? "fine" : $!{EXDEV} ? "EXDEV" : "$!" }
sub write_to { my $f; open($f, $_[0], $_[1]) && (print $f "text\n") && close $f }
note read => open(F, "<", "old");
note make => write_to(">", "one/new");
note append => write_to(">>", "old");
note cut => truncate("old", 2);
note rename => rename("one/new", "one/newer");
note across => rename("one/newer", "two/newer");
note link => link("two/newer", "two/link");
note symlink => symlink("link", "two/symlink");
note remove => unlink("two/link");
note mkdir => mkdir("one/d");
note rmdir => rmdir("one/d");
note list => opendir(D, "two");
note device => open(N, ">", "/dev/null");
note socket => socket(S, AF_INET, SOCK_STREAM, 0);
bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 1);
note connect => socket(C, AF_INET, SOCK_STREAM, 0) && connect(C, getsockname(S));
note signal => kill(0, getppid());
END

prepare() {
  rm -rf work
  mkdir -p work/one work/two
  echo old text >work/old
}

# What a program that is given nothing gets: one right of each ABI, as far as it can be tried without the others.
cat >"$TL_DIR/refused.pl" <<'END'
use Socket;
sub note { printf "%s %s\n", $_[0], $_[1] ? "done" : "refused" }
note 1, open(F, "<", "secret");
note 3, truncate("short", 1);
socket(C, AF_INET, SOCK_STREAM, 0);
connect(C, sockaddr_in(1, INADDR_LOOPBACK));
note 4, !$!{EACCES};
note 6, kill(0, getppid());
END

fresh
cp "$TL_DIR/job.pl" "$TL_DIR/refused.pl" .
prepare
run env -C work perl ../job.pl
native=$out
is "control: natively all of it works" "$status $(grep -c ' fine$' <<<"$native")" "0 16"
echo secret >secret
echo text >short
run perl refused.pl
is "control: natively nothing is refused" "$out" $'1 done\n3 done\n4 done\n6 done'

for abi in 1 2 3 4 5 6 7 8 9 10; do
  prepare
  run env -C work LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=$abi ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
    "$TRACE_LEARN" -q -f -o ../p.ini -- perl ../job.pl
  # Before ABI 2 nothing is moved across directories.
  want=$native
  [ $abi = 1 ] && want=$(sed -e 's/^across fine/across EXDEV/; s/^\(link\|remove\) fine/\1 No such file or directory/' <<<"$native")
  is "ABI $abi: learning" "$status $out" "0 $want"
  has "ABI $abi: is what the profile asks for" "landlock = $abi"
  has "ABI $abi: the profile is whole" 'complete = yes'
  prepare
  run env -C work LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=$abi ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
    "$TRACE_RUN" -p ../p.ini -- perl ../job.pl
  is "ABI $abi: and the same under the profile" "$status $out" "0 $want"
  unlike "ABI $abi: nothing is lost of what it counts on" "$err" 'asks for Landlock'

  # The same program under that profile reaches nothing else, as far as this ABI goes.
  sed -i '/^allow = .*\/work/d; /_tcp/d; /^allow = signal/d' p.ini
  printf '[normal]\nallow = read_file %s\n' "$PWD/refused.pl" >>p.ini
  echo text >short
  as_abi $abi "$TRACE_RUN" -p p.ini -- perl refused.pl
  want=$(for first in 1 3 4 6; do [ $abi -ge $first ] && echo "$first refused" || echo "$first done"; done)
  is "ABI $abi: and nothing else" "$out" "$want"
  for right in truncate:3 connect_tcp:4 ioctl_dev:5 signal:6; do
    if [ "$abi" -lt "${right#*:}" ]; then
      like "ABI $abi: ${right%:*} is not enforced, which is said" "$err" "does not enforce [a-z_,]*${right%:*}"
    else
      unlike "ABI $abi: ${right%:*} is enforced" "$err" "does not enforce [a-z_,]*${right%:*}"
    fi
  done
done

# Refusals to the program go to the kernel's audit log, where it has one; ours do not. Kernels before take no flags.
printf '[profile]\nformat = 1\n[normal]\n' >log.ini
printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 >>log.ini
for abi in 6 7 10; do
  run strace -f -e trace=landlock_restrict_self -o calls -E LD_PRELOAD="$FIXTURES/force_abi.so" -E FORCE_ABI=$abi \
    -E ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0:detect_leaks=0" "$TRACE_RUN" -p log.ini -- true
  is "ABI $abi: it starts" "$status" 0
  flags='(0x3|LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF\|LANDLOCK_RESTRICT_SELF_LOG_NEW_EXEC_ON)'
  [ $abi -ge 7 ] || flags=0
  is "ABI $abi: one domain holds it all" "$(grep -c landlock_restrict_self calls)" 1
  like "ABI $abi: with the flags that it knows" "$(grep landlock_restrict_self calls)" "landlock_restrict_self\([0-9]+, $flags\) += 0"
done

# A profile that counts on more than there is.
printf '[profile]\nformat = 1\nlandlock = 2\n[normal]\n' >two.ini
printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 >>two.ini
printf 'allow = make_reg,refer,remove_file %s\n' "$PWD/work" >>two.ini
as_abi 1 "$TRACE_RUN" -p two.ini -- true
is "below ABI 2 a profile of ABI 2 is refused" "$status" 125
as_abi 1 "$TRACE_RUN" --best-effort -p two.ini -- true
is "and runs with --best-effort" "$status" 0
like "refer is not lost but refused, which is said" "$err" 'two.ini:9: refer is granted, but Landlock ABI 1 of this kernel refuses each rename'
unlike "and not called lost" "$err" 'enforce[a-z:]* [a-z_,]*refer'
finish
