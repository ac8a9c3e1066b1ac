#!/usr/bin/env bash
# Where no procfs is mounted, and where a status there is long: what can be done is, and the rest is said.
. "$TL_SRC/tests/lib.sh"

system_lines() {
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
  printf '[normal]\n'
}

fresh
echo hello >f
{
  system_lines
  echo "allow = read_file $PWD/f"
} >p.ini
{
  cat p.ini
  echo "allow = read_file /proc/self/maps"
} >own.ini

if [ "$TL_USER" = user ] || ! unshare -m umount -l /proc 2>why; then
  skip "no /proc" "it cannot be unmounted here"
else
  without_proc() {
    run unshare -m sh -c 'umount -l /proc && exec "$@"' sh "$@"
  }
  without_proc "$TRACE_RUN" -q -p p.ini -- cat f
  is "a profile without lines below /proc" "$status $out" "0 hello"
  without_proc "$TRACE_RUN" -q -p own.ini -- cat f
  like "with lines there nothing starts" "$status $err" '^125 trace-run: our own place cannot be found in /proc'
  without_proc "$TRACE_RUN" --verify -p p.ini
  is "what cannot be read back is not proven, and no difference" "$status $(grep -c '^differs' <<<"$out")" "0 0"
  like "and named" "$out" 'not provable +NoNewPrivs .*/proc/self/status does not tell it'
  without_proc "$TRACE_RUN" doctor
  like "doctor" "$status $out" $'^1 .*\nlines in /proc/self +no: no procfs is mounted'
  without_proc "$TRACE_LEARN" -q --no-log -o learned.ini -- cat f
  check "what was learned is not lost" grep -q '^program = /usr/bin/cat' learned.ini

  # Between a start's look at the profile and the open, where strace stops it.
  held_by=(unshare -m sh -c 'umount -l /proc && exec "$@"' sh)
  if type strace >/dev/null 2>&1; then
    cp p.ini name.ini
    cp p.ini new.ini
    held=("$TRACE_RUN" -q -p name.ini -- cat f)
    at_open name.ini true
    is "control: between look and open nothing happens" "$status $out" "0 hello"
    at_open name.ini mv new.ini name.ini
    is "a profile that is replaced there is not taken" "$status $out" "125 "
    like "which is said" "$err" 'name.ini: the profile was replaced while it was read$'
    held=("$TRACE_PROFILE" show name.ini)
    cp p.ini new.ini
    at_open name.ini mv new.ini name.ini
    is "nor by those that only read it" "$status $out" "2 "
    like "which is said" "$err" 'name.ini: the profile was replaced while it was read$'
  else
    skip "a profile that is replaced" "strace is not installed"
  fi
fi

# Groups stand before what is looked for.
many='import os, sys; os.setgroups(range(1000000000, 1000003000)); os.execvp(sys.argv[1], sys.argv[1:])'
if [ "$TL_USER" = user ] || ! python3 -c "$many" true 2>why; then
  skip "many groups" "they cannot be set here"
else
  run python3 -c "$many" "$TRACE_RUN" --verify -p p.ini
  is "many groups: --verify" "$status $(grep -cE '^ok +(NoNewPrivs|CapEff)' <<<"$out")" "0 2"
  run "$TRACE_RUN" doctor
  native=$out
  run python3 -c "$many" "$TRACE_RUN" doctor
  is "many groups: doctor" "$out" "$native"
fi
finish
