#!/usr/bin/env bash
# trace-run --drop-caps: the program has no capability, nor what it starts, as root and as another user.
. "$TL_SRC/tests/lib.sh"

fresh
echo secret >closed
chmod 000 closed
profile_with() {
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
  printf 'allow = read_file %s\n' /etc/ld.so.cache "$PWD/closed"
  [ $# = 0 ] || printf 'allow = %s\n' "$@"
}
# As the kernel tells them, without opening anything: bounding and ambient capabilities; then the sets of capget(2).
cat >tell.py <<'END'
import ctypes, struct, sys
libc = ctypes.CDLL(None)
print("bounding", sum(libc.prctl(23, n, 0, 0, 0) == 1 for n in range(64)))
print("ambient", sum(libc.prctl(47, 1, n, 0, 0) == 1 for n in range(64)))
header, sets = struct.pack("=Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
libc.capget(header, sets)
print("others", "none" if sets.raw == bytes(24) else "some")
END
profile_with "read_file $PWD/tell.py" >p.ini
bounding=$(python3 tell.py | sed -n 1p)
isnt "control: there is a bounding set" "$bounding" "bounding 0"
if [ "$TL_USER" = root ]; then
  confined python3 "$PWD/tell.py"
  like "control: without the option root keeps its capabilities" "$out" $'others some$'
  confined cat closed
  is "control: and opens what its mode forbids" "$status $out" "0 secret"
  bounding='bounding 0'
fi
run_options=(--drop-caps)
confined python3 "$PWD/tell.py"
is "no capability is left" "$status $out" "0 $bounding"$'\nambient 0\nothers none'
confined cat closed
is "modes hold for root too" "$status" 1
confined sh -c "python3 $PWD/tell.py; exit 7"
is "nor has what it starts any" "$status $out" "7 $bounding"$'\nambient 0\nothers none'
if [ "$TL_USER" = root ] && command -v setpriv >/dev/null; then
  run setpriv --ambient-caps=+net_raw --inh-caps=+net_raw "$TRACE_RUN" --drop-caps -p p.ini -- python3 "$PWD/tell.py"
  is "ambient and inheritable ones too" "$status $out" "0 bounding 0"$'\nambient 0\nothers none'
  run setpriv --ambient-caps=+net_raw --inh-caps=+net_raw --reuid=65534 --regid=65534 --clear-groups \
    "$TRACE_RUN" -p p.ini -- python3 "$PWD/tell.py"
  like "control: without the option they pass" "$out" $'ambient 1\nothers some'
fi

# Beneath a supervisor, from the kernel's own record.
profile_with "read_file /proc/self/status" >p.ini
confined cat /proc/self/status
for set in CapInh CapPrm CapEff CapAmb; do
  like "$set in /proc/self/status" "$out" "$set:"$'\t'"0000000000000000"
done
like "no_new_privs, so that what is left in a bounding set cannot be had" "$out" $'NoNewPrivs:\t1'
run_options=(--drop-caps --print)
confined
like "--print shows it" "$out" $'\ndrop every capability'
finish
