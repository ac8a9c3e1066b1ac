#!/usr/bin/env bash
# Own entries of /proc under a profile, opened with all flags, singly and in pairs: the same files and the same errors as natively.
. "$TL_SRC/tests/lib.sh"

fresh
{
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 "$FIXTURES" "$PWD"
  printf 'allow = read_file %s\n' /etc/ld.so.cache
  printf 'allow = read_file,truncate,write_file %s\n' /proc/self/{comm,mounts,status}
  printf 'allow = read_dir /proc/self/fd\n'
} >granted.ini
sed /proc/d granted.ini >without.ini
programs=("$FIXTURES/own_flags")
mkdir bin
if gcc -m32 -D_GNU_SOURCE -isystem "/usr/include/$(gcc -print-multiarch)" -o bin/own_flags_32 \
  "$TL_SRC/fixtures/own_flags.c" 2>why && bin/own_flags_32 open >/dev/null; then
  programs+=("$PWD/bin/own_flags_32")
else
  skip "an i386 program" "gcc -m32 makes no program that runs here"
fi
for program in "${programs[@]}"; do
  for call in open openat openat2; do
    name="${program##*/} $call"
    run "$program" $call
    cp "$TL_DIR/out" native
    is "$name: natively there is a bit of everything" \
      "$(grep -oE ': file|Invalid argument|Not a directory|Is a directory|No such file|exists' native | sort -u | wc -l)" 6
    profile=granted.ini confined "$program" $call
    same "$name: under a profile that grants it" native "$TL_DIR/out"
    profile=without.ini confined "$program" $call
    fails "$name: control: the entries are not there without their lines" cmp -s native "$TL_DIR/out"
  done
done
# What only fails is learned as well.
for call in open openat2; do
  profile=learned.ini learn "$FIXTURES/own_flags" $call
  run "$FIXTURES/own_flags" $call
  cp "$TL_DIR/out" native
  profile=learned.ini confined "$FIXTURES/own_flags" $call
  same "$call: under a profile that was learned" native "$TL_DIR/out"
done
learn python3 -c 'import os
try: os.open("/proc/self/status", os.O_RDONLY | os.O_DIRECT)
except OSError as error: print(error.errno)'
is "one that fails natively fails the same" "$out" 22
confined python3 -c 'import os
try: os.open("/proc/self/status", os.O_RDONLY | os.O_DIRECT)
except OSError as error: print(error.errno)'
is "and under what was learned of it" "$out" 22
finish
