#!/usr/bin/env bash
# trace-learn and trace-run inside trace-run: nothing becomes wider, and what cannot work is refused with its cause.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir bin work
cp "$TRACE_LEARN" "$TRACE_RUN" bin/
echo given >given
echo kept >kept
# outer WORD…: enough for trace-learn and trace-run to work inside, with `given` and without `kept`.
outer() {
  printf '[profile]\nformat = 1\nlandlock = 1\n[guarded]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 "$PWD/bin"
  printf 'allow = read_file %s\n' /etc/ld.so.cache "$PWD/given" "$PWD/wide.ini" "$PWD/own.ini"
  printf 'allow = read_file,write_file %s\n' /dev/null
  printf 'allow = read_dir %s\n' "$PWD"
  printf 'allow = make_dir,make_reg,read_dir,read_file,refer,remove_file,truncate,write_file %s\n' "$PWD/work"
  printf '[protected]\nallow = read_dir,read_file /proc\n'
  [ $# = 0 ] || printf '[seccomp]\n'
  [ $# = 0 ] || printf 'allow = %s\n' "$@"
}
outer >outer.ini
{
  outer metadata namespaces | sed '/^\[protected\]/,/^allow/d'
  printf '[protected]\nallow = execute,read_dir,read_file /\n'
} >wide.ini
profile=outer.ini
inner=("$PWD/bin/trace-learn" --no-log -f -o "$PWD/work/inner.ini" --)

run "${inner[@]}" sh -c 'cat given kept'
is "control: alone it reads both" "$status $out" $'0 given\nkept'
confined "${inner[@]}" sh -c 'cat given kept; chmod 600 work'
is "a confined learner: one file is read" "$out" given
like "the other one is refused" "$err" 'cat: kept: Permission denied'
like "and what the outer filter refuses" "$err" 'chmod: .*Operation not permitted'
profile=work/inner.ini
grants "the first one is learned" "$PWD/given" read_file
ungranted "the other one is not" "$PWD/kept"
hasnt "and no word" '^allow = metadata'

profile=outer.ini
exits "control: the wide profile alone lets it read" 0 "$TRACE_RUN" -p wide.ini -- cat kept
exits "control: and change modes" 0 "$TRACE_RUN" -p wide.ini -- chmod 700 work
confined "$PWD/bin/trace-run" -p "$PWD/wide.ini" -- cat given
is "trace-run inside trace-run works" "$status $out" "0 given"
confined "$PWD/bin/trace-run" -p "$PWD/wide.ini" -- cat kept
like "and gives no file back" "$status $err" '^1 .*cat: kept: Permission denied'
confined "$PWD/bin/trace-run" -p "$PWD/wide.ini" -- chmod 700 work
like "nor a system call" "$status $err" '^1 .*chmod: .*Operation not permitted'
outer metadata >outer.ini
confined "$PWD/bin/trace-run" -p "$PWD/wide.ini" -- chmod 700 work
is "control: both allow it" "$status" 0

# Two supervisors, of which the kernel allows one.
{
  outer
  printf '[guarded]\nallow = read_file /proc/self/status\n'
} >own.ini
profile=own.ini
confined "$PWD/bin/trace-run" -p "$PWD/wide.ini" -- cat given
is "without lines below /proc beneath a supervisor" "$status $out" "0 given"
confined "$PWD/bin/trace-run" -p "$PWD/own.ini" -- cat given
like "two supervisors" "$status $err" '^125 .*there is one around this process already .*the kernel allows only one'

# As many domains as there can be.
cat >nest.sh <<'END'
[ "$1" -gt 0 ] || { shift 3; exec "$@"; }
levels=$(($1 - 1)) && shift
exec "$1/trace-run" -p "$2" -- sh "$2.sh" $levels "$@"
END
outer >deep.ini
sed -i "s|^allow = read_file /etc/ld.so.cache|allow = read_file $PWD/deep.ini\nallow = read_file $PWD/deep.ini.sh\n&|" deep.ini
cp nest.sh deep.ini.sh
run sh nest.sh 15 "$PWD/bin" "$PWD/deep.ini" "${inner[@]}" cat given
is "a learner in the sixteenth domain" "$status $out" "0 given"
run sh nest.sh 16 "$PWD/bin" "$PWD/deep.ini" cat given
is "sixteen profiles" "$status $out" "0 given"
run sh nest.sh 16 "$PWD/bin" "$PWD/deep.ini" "${inner[@]}" cat given
like "a learner in one more" "$status $err" '^125 .*trace-learn: as many Landlock domains as the kernel allows'
run sh nest.sh 17 "$PWD/bin" "$PWD/deep.ini" cat given
like "one more profile" "$status $err" '^125 .*trace-run: as many Landlock domains as the kernel allows'
finish
