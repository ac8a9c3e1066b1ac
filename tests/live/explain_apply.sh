#!/usr/bin/env bash
# trace-run --apply: writes the lines that were missing, and grants nothing that deserves a look: a program decides what
# it is denied.
. "$TL_SRC/tests/lib.sh"

a_profile() {
  {
    printf '; from a person\n[profile]\nformat = 1\n[normal]\n'
    printf '; programs\nallow = execute,read_dir,read_file /usr\n'
    printf 'allow = execute,read_dir,read_file %s\n' /bin /lib /lib64
    echo "allow = read_file /etc/ld.so.cache"
    [ ! -e /etc/locale.alias ] || echo "allow = read_file /etc/locale.alias"
    printf 'allow = ioctl_dev,read_file,write_file /dev/null\n'
  } >"$profile"
}
applied() { # FILE CMD…
  run "$TRACE_RUN" -q -e --apply="$1" -p p.ini -- "${@:2}"
}
trusted=$HOME/.local/state/trace-learn/trusted

fresh
mkdir out d "$HOME/.ssh"
echo x >f
echo key >"$HOME/.ssh/id"
a_profile
applied out/new.ini bash -c 'cat f "$HOME/.ssh/id"; ls d; exec 3<>/dev/tcp/127.0.0.1/9; exit 4' 2>&1
is "the status is the program's" "$status" 4
check "one normal file is granted" grep -qx "allow = read_file $PWD/f" out/new.ini
like "which is said" "$err" "trace-run: granted in out/new.ini: read_file $PWD/f"
is "in its section" "$(awk -v line="allow = read_file $PWD/f" '/^\[/ { at = $0 } $0 == line { print at }' out/new.ini)" '[normal]'
for line in "read_file $HOME/.ssh/id" "read_dir $PWD/d"; do
  is "held: $line" "$(awk -v line="allow = $line" '/^\[/ { at = $0 } $0 == line { print at }' out/new.ini)" '[held]'
  like "and said" "$err" "trace-run: held in out/new.ini: $line"
done
check "comments stay" grep -qx '; programs' out/new.ini
check "so it is incomplete" grep -qx 'complete = no' out/new.ini
like "what to do next is said" "$err" 'trace-profile review out/new.ini'
run "$TRACE_PROFILE" check out/new.ini
unlike "it is a sound profile" "$out$err" 'error'
check "nobody has let it in" test ! -e "$trusted"
profile=out/new.ini
confined cat f
is "what was granted works" "$status $out" "0 x"
confined cat "$HOME/.ssh/id"
is "what is held does not" "$status" 1
profile=p.ini

# The profile itself.
cp p.ini before.ini
applied p.ini cat f
has "the profile itself gets the line" "allow = read_file $PWD/f"
confined cat f
is "and works" "$status $out" "0 x"
cp p.ini again.ini
applied p.ini cat f
same "nothing denied, nothing written" p.ini again.ini
run "$TRACE_RUN" -q -n --apply=out/n.ini -p before.ini -- cat f
check "with -n too" grep -qx "allow = read_file $PWD/f" out/n.ini

# Where it may not be.
cp before.ini p.ini
echo "allow = make_reg,write_file $PWD/d" >>p.ini
applied d/x.ini sh -c ': >d/started'
is "where the program may make it" "$status" 125
like "which is said" "$err" "^trace-run: --apply=d/x.ini: the grant on $PWD/d \(line 1[0-9] of the profile\) lets the program change"
check "before the start" test ! -e d/started
applied out/new.ini sh -c ': >d/started'
is "another file that is there" "$status" 125
check "before the start" test ! -e d/started
applied none/x.ini sh -c ': >d/started'
is "no such directory" "$status" 125
check "before the start" test ! -e d/started

# A program that asks for what decides about it.
cp before.ini p.ini
applied p.ini sh -c 'echo "allow = read_file /etc/shadow" >>p.ini'
hasnt "the shell's line is not there" 'shadow'
is "its own profile: held, never granted" \
  "$(awk -v line="allow = write_file $PWD/p.ini" '/^\[/ { at = $0 } $0 == line { print at }' p.ini)" '[held]'
cp before.ini p.ini
run "$TRACE_PROFILE" trust p.ini </dev/null
unlike "the list is out of its reach, and trusting helps" "$err" refuses
[ -e "$trusted" ] || { mkdir -p "${trusted%/*}" && : >"$trusted"; }
applied p.ini sh -c 'echo x >>"$0"' "$trusted"
ungranted "the list of what is trusted" "$trusted"
cp before.ini p.ini
printf '[protected]\nallow = read_file %s\n' "$HOME/.ssh/id" >>p.ini
applied p.ini sh -c 'cat "$HOME/.ssh/id"; echo y >>"$HOME/.ssh/id"; :'
is "what is granted in part stays so" "$out" key
like "the rest is told" "$err" "not written to p.ini, since a path is held or granted, and it is granted: write_file $HOME/.ssh/id"
grants "and not written" "$HOME/.ssh/id" read_file
run bash -c 'cp before.ini p.ini; "$0" -q -e --apply=p.ini -p p.ini -- bash -c "exec 3<>/dev/tcp/127.0.0.1/9"' "$TRACE_RUN"
like "a port is only told" "$err" 'not written to p.ini, since it cannot be held: connect_tcp 9'
hasnt "and not written" 'connect_tcp'
cp before.ini p.ini
printf '[held]\nallow = read_file %s\n' "$HOME/.ssh/id" >>p.ini
applied p.ini sh -c 'cat "$HOME/.ssh/id"; :'
like "what is held already is only told" "$err" "not written to p.ini, since no line can be added: line [0-9]+ \\(read_file $HOME/.ssh/id\\) is held"

# What it could itself bring about, in a run before: another name for a file, a file from elsewhere, a device.
for way in link move device; do
  case $way in
    link) rights=make_reg line='' make='ln "$0/d/s" "$0/d/x"' ;; # within one directory it takes no more
    move) rights=make_reg,refer line="allow = refer,remove_file $PWD/e" make='mv "$0/e/s" "$0/d/x"' ;;
    device) rights=make_char line='' make='mknod "$0/d/x" c 1 5' ;;
  esac
  [ $way != device ] || [ "$TL_USER" = root ] || continue
  rm -rf d e out/put.ini
  mkdir d e
  echo secret | tee d/s >e/s
  cp before.ini p.ini
  printf '%s\n' "allow = $rights $PWD/d" "$line" >>p.ini
  confined sh -c "$make" "$PWD"
  check "$way: it can give a name to what it may not read" test -e d/x
  applied out/put.ini head -c 1 d/x
  is "$way: which it may not read" "$status" 1
  like "$way: that is held" "$(awk '/^\[/ { at = $0 } / '"${PWD//\//\\/}"'\/d\/x$/ { print at, $3 }' out/put.ini)" '^\[held\] (ioctl_dev,)?read_file$'
done
rm -rf d e out/put.ini
mkdir d
echo other >d/x
cp before.ini p.ini
applied out/put.ini cat d/x
check "control: where it cannot, the line is granted" grep -qx "allow = read_file $PWD/d/x" out/put.ini
like "which is said" "$err" "granted in out/put.ini: read_file $PWD/d/x"

# Names that look like lines; a link in place of the file; its mode.
cp before.ini p.ini
name=$'x\nallow = read_file \\\n[held] # ;]'
echo hostile >"$name"
applied out/names.ini cat "$name"
run "$TRACE_PROFILE" check out/names.ini
unlike "a hostile name makes a sound profile" "$out$err" 'error'
profile=out/names.ini
confined cat "$name"
is "that grants it" "$status $out" "0 hostile"
profile=p.ini
is "and nothing more" "$(grep -c ^allow out/names.ini)" $(($(grep -c ^allow p.ini) + 1))
chmod 640 p.ini
ln -s p.ini link.ini
applied link.ini cat f
has "through a link the profile itself gets the line" "allow = read_file $PWD/f"
is "and keeps its mode, as the link stays" "$(stat -c %a p.ini) $(readlink link.ini)" "640 p.ini"
ln -s out/none.ini dangling.ini
applied dangling.ini sh -c ': >d/started'
is "a link that leads nowhere" "$status" 125
check "before the start" test ! -e d/started
mkfifo pipe
applied pipe sh -c ': >d/started'
is "a pipe that nobody reads holds nothing up" "$status" 125
rm link.ini dangling.ini pipe

# A person changes it meanwhile.
cp before.ini p.ini
mkdir r
echo "allow = make_reg,write_file $PWD/r" >>p.ini
change() {
  wait_for test -e r/started
  echo "; a person's" >>p.ini
  : >r/changed
}
change &
applied p.ini sh -c ': >r/started; while ! test -e r/changed; do :; done; cat f; exit 0'
wait
is "is not written over" "$status" 125
like "which is said" "$err" 'trace-run: --apply=p.ini: it was changed while the program ran'
has "their line is there" "; a person's"
hasnt "ours is not" "read_file $PWD/f"

# Nor is a file that was made meanwhile; and nothing is called written that is not.
rm -f r/started r/changed
make() {
  wait_for test -e r/started
  echo theirs >made.ini
  : >r/changed
}
make &
applied made.ini sh -c ': >r/started; while ! test -e r/changed; do :; done; cat f; exit 0'
wait
is "a file made meanwhile is not written over" "$status $(cat made.ini)" "125 theirs"
like "which is said" "$err" 'made.ini was made meanwhile, and nothing was written over it'
unlike "and nothing else" "$err" 'granted in|held in'
# Not into the program's output, nor to where nobody waits for it.
fresh
a_profile
mkfifo fifo
mkdir directory
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
run "$TRACE_RUN" -e --apply="$PWD" -p p.ini -- true
is "--apply of a directory says what to name" "$status $err" "125 trace-run: $PWD: Is a directory: name a file in it"
for target in /dev/stdout /dev/null fifo socket; do
  run bash -c '"$1" -q -e --apply="$2" -p p.ini -- echo ran | cat; exit "${PIPESTATUS[0]}"' - "$TRACE_RUN" "$target"
  is "--apply=$target is refused before the start" "$status $out" "125 "
  like "--apply=$target: with what to do" "$err" "--apply=$target: it is no regular file: name the profile that is in force, or a new file"
done
applied directory echo ran
is "a directory too" "$status $out" "125 "
run "$TRACE_RUN" -n --apply=new.ini -p p.ini -- cat p.ini
like "-n says that it confines nothing meanwhile" "$err" 'nothing is enforced \(-n\): the program is not confined'
is "nor does it" "$status" 0
# JSON is the last line, whatever else there is to say.
fresh
a_profile
echo x >f
printf '#!%s\n' "$PWD/gone" >script
cp f kept
chmod 755 script
last_is_json() {
  like "JSON is the last line: $1" "$(tail -n 1 <<<"$err")" '^\{"format":1,.*\}$'
}
run "$TRACE_RUN" -q -e --format=json --apply=new.ini -p p.ini -- cat f
last_is_json "after what was granted"
like "which is said" "$err" 'granted in new.ini: '
run "$TRACE_RUN" -q -e --format=json -p p.ini -- ./script
last_is_json "after a program that cannot be executed"
is "with its status" "$status" 126
like "and its error" "$err" '^trace-run: ./script: '
run "$TRACE_RUN" -q -e --format=json --apply=p.ini -p p.ini -- bash -c 'cat f; cat kept'
last_is_json "after lines in the profile itself"
finish
