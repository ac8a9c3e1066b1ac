#!/usr/bin/env bash
# Files that only another mount namespace has: said, incomplete, and never called by a name that means another file here.
. "$TL_SRC/tests/lib.sh"

# A namespace with mounts of its own: m with a file, and one that is there for us too, in another version. It lasts until
# its input ends.
fresh
mkdir m d
echo ours >m/both
cp /bin/cat m/ls
echo text >f
own=(unshare -m)
[ "$TL_USER" = root ] || own=(unshare -Urm)
run "${own[@]}" mount -t tmpfs none m
[ "$status" = 0 ] || skip_all "this user cannot mount in a namespace of its own: $err"
cat >furnish <<'END'
mount -t tmpfs none m && cd m || exit
mkdir sub
echo private >only
echo theirs >both
cp /bin/cat cat
cp /bin/ls ls
printf '#!/bin/sh\necho ran\n' >script
chmod 755 script
ln -s both link
echo ready
read -r line <../hold
END
mkfifo hold
"${own[@]}" sh furnish >ready 2>said &
job=$!
wait_for grep -q ready ready
inside=$(pgrep -P "$job" | head -n 1)
[ -n "$inside" ] || inside=$job

# not_here NAME: the profile has no line on m, and says why.
not_here() {
  ungranted "$1: nothing of it is granted" " $PWD/m(/|\$)"
  like "$1: that is said, with a name" "$err" "$PWD/m/[a-z]* is a file of another mount namespace"
  like "$1: and a reason" "$(cat p.ini)" $'\nincomplete = files were used that only another mount namespace has'
}

# looks_elsewhere NAME NAMES COMMAND…: what is only looked at there is in no log by a name that means another file here;
# NAMES (an ERE of absolute ones) would. Our own file of one part, looked at first from here, is there.
looks_elsewhere() {
  local name=$1 names=$2
  shift 2
  rm -f log
  run "$TRACE_LEARN" -l log -f -o p.ini -- sh -c 'test -e f && exec "$@"' sh "$@"
  is "$name: it looks" "$status" 0
  like "$name: a look at what is ours is told" "$(cat log)" "\"kind\":\"look\"[^}]*\"path\":\"$PWD/f\""
  unlike "$name: others are not" "$(grep '"kind":"look"' log)" "\"path\":\"($names)\""
}
theirs="$PWD/m/(only|cat)"
looks_elsewhere "control" "/none" sh -c 'cd m && test -e both'
like "control: a name that is looked at from there is told" "$(cat log)" "\"kind\":\"look\"[^}]*\"path\":\"$PWD/m/both\""

# Through a directory that is inherited, or comes in a message.
exec 8<"/proc/$inside/root$PWD/m"
looks_elsewhere "an inherited directory" "$theirs" sh -c 'cd -P /dev/fd/8 && test -e only && test -e cat'
exec 7<&8 8<&-
if [ -x /usr/bin/python3 ]; then
  /usr/bin/python3 -c 'import os, socket
server = socket.socket(socket.AF_UNIX)
server.bind("new")
server.listen()
os.rename("new", "gives")
taker = server.accept()[0]
socket.send_fds(taker, [b"x"], [7])
taker.recv(1)' 7<&7 &
  giver=$!
  exec 7<&-
  wait_for test -e gives
  taking=(/usr/bin/python3 -c 'import os, socket
giver = socket.socket(socket.AF_UNIX)
giver.connect("gives")
fd = socket.recv_fds(giver, 1, 1)[1][0]
os.stat("only", dir_fd=fd)
os.fchdir(fd)
os.stat("cat")')
  looks_elsewhere "a directory in a message" "$theirs" "${taking[@]}"
  wait "$giver"
else
  exec 7<&-
  skip "a directory in a message" 'python3 is not installed'
fi
exec 8<"/proc/$inside/root$PWD/m"
learn cat /dev/fd/8/only /dev/fd/8/both
is "an inherited directory of another namespace" "$status $out" $'0 private\ntheirs'
not_here "an inherited directory"
learn sh -c 'cd -P /dev/fd/8 && : >new && mkdir made && mv new made/ && rm -r made && ./cat link && ./ls -d .'
is "names made and removed in it" "$status $out" $'0 theirs\n.'
not_here "names made and removed in it"
run cmp -s m/ls /bin/cat
is "control: another program has the name of one of theirs" "$status" 0
like "what does not lie there is granted" "$(cat p.ini)" "read_file(,[a-z_]*)* /"
learn sh -c 'cd -P /dev/fd/8 && test ! -e nothing; cat m/nothing 2>/dev/null; cat "$1"' sh "$PWD/f"
grants "our own file is granted meanwhile" "$PWD/f" read_file
exec 8<&-

# By entering it.
exec 9<"/proc/$inside/ns/mnt"
entering=("$FIXTURES/enters_mounts" 9)
run "${entering[@]}" cat m/only
if [ "$status" = 77 ]; then
  skip "entering another namespace" "this user cannot: $err"
else
  learn "${entering[@]}" cat m/only m/both f
  is "entering another namespace" "$status $out" $'0 private\ntheirs\ntext'
  not_here "entering another namespace"
  grants "entering another namespace: what is the same there is granted" "$PWD/f" read_file
  learn "${entering[@]}" sh -c 'cd /; echo x >"$0/m/new"; mkdir "$0/m/made"; mv "$0/m/new" "$0/m/made/"; echo x >"$0/d/new"' "$PWD"
  is "names made there" "$status $out" "0 "
  not_here "names made there"
  like "names made there: what is the same there is granted" "$(cat p.ini)" "make_reg[a-z_,]* $PWD/d"
  looks_elsewhere "entering another namespace" "$theirs" "${entering[@]}" sh -c 'cd m && test -e only && test -e cat'
  learn "${entering[@]}" m/cat f
  is "a program of its own" "$status $out" "0 text"
  not_here "a program of its own"
  learn "${entering[@]}" m/script
  is "a script of its own" "$status $out" "0 ran"
  not_here "a script of its own"
fi
exec 9<&-

# A copy of our own namespace has the same files on other mounts.
learn "${own[@]}" --propagation unchanged sh -c 'cat f; cat m/both'
is "a copy of our namespace" "$status $out" $'0 text\nours'
grants "a copy of our namespace: is granted" "$PWD/f" read_file
unlike "a copy of our namespace: no reason" "$(cat p.ini)" 'mount namespace'

# … but its processes' own entries in /proc are not served there under a profile.
unserved='incomplete = a process with mounts or a root of its own used its entries in /proc, which does not work under a profile'
learn "${own[@]}" --propagation unchanged cat /proc/self/stat
is "own entries in /proc, in a copy of our namespace" "$status" 0
has "own entries in /proc, in a copy of our namespace: are a reason" "$unserved"
confined "${own[@]}" --propagation unchanged cat /proc/self/stat
isnt "own entries in /proc, in a copy of our namespace: refused under the profile" "$status" 0
learn unshare -Ur cat /proc/self/stat
is "own entries in /proc, in our own" "$status" 0
unlike "own entries in /proc, in our own: no reason" "$(cat p.ini)" incomplete
confined unshare -Ur cat /proc/self/stat
is "own entries in /proc, in our own: the same under the profile" "$status" 0

# … nor those that a process finds by another procfs: a line on them is a rule for the first process alone.
elsewhere='incomplete = a process used its entries in a procfs that is not on /proc, which does not work under a profile'
binding='mount --rbind /proc m && exec "$@"'
run "${own[@]}" sh -c "$binding" sh "$TRACE_LEARN" -f -o p.ini -- sh -c 'cat m/self/stat; :'
is "own entries in another procfs" "$status" 0
has "own entries in another procfs: are a reason" "$elsewhere"
as_ours=("${own[@]}")
[ "$TL_USER" = root ] || as_ours=(unshare -Um --map-current-user --keep-caps) # whose root would not take our profile
run "${as_ours[@]}" sh -c "$binding" sh "$TRACE_RUN" -p p.ini -- sh -c 'cat m/self/stat; :'
like "own entries in another procfs: refused under the profile" "$err" 'stat: Permission denied'
run "${own[@]}" sh -c "$binding" sh "$TRACE_LEARN" -f -o p.ini -- cat m/meminfo /proc/self/stat
is "what is no process's in another procfs" "$status" 0
unlike "what is no process's in another procfs: no reason" "$(cat p.ini)" incomplete

# Without Landlock a mount works while learning.
run "$FIXTURES/refuse_call" landlock_create_ruleset ENOSYS "$TRACE_LEARN" -f -o p.ini -- \
  "${own[@]}" sh -c 'mount -t tmpfs none m && echo x >m/both && cat m/both && mkdir m/sub'
is "a mount in the session, without Landlock" "$status $out" "0 x"
not_here "a mount in the session, without Landlock"

# The tool within a namespace: its paths are those that a run there has.
run "${own[@]}" sh -c 'mount -t tmpfs none m && echo x >m/only && exec "$0" -q -f -o p.ini -- cat m/only' "$TRACE_LEARN"
is "the tool within a namespace" "$status $out" "0 x"
has "learns its names" "allow = read_file $PWD/m/only"
unlike "and has no reason" "$(cat p.ini)" 'mount namespace'

# What runs a file is told by the system alone, where a format is registered (binfmt_misc); in a user namespace of our own.
cp "$(type -P head)" reader
printf 'TLMAGIC\nrest\n' >document
chmod 755 document
registering='mount -t binfmt_misc none m && echo ":tl:M::TLMAGIC::$PWD/reader:" >m/register && exec "$@"'
run unshare -Urm sh -c "$registering" sh ./document
if [ "$status $out" != $'0 TLMAGIC\nrest' ]; then
  skip "a registered format" "binfmt_misc cannot be used in a user namespace here: $err"
else
  run unshare -Urm sh -c "$registering" sh "$TRACE_LEARN" -f -o p.ini -- ./document
  is "a registered format" "$status $out" $'0 TLMAGIC\nrest'
  grants "a registered format: what runs it" "$PWD/reader" execute,read_file
  grants "a registered format: the file" "$PWD/document" execute,read_file
  like "a registered format: which is said" "$err" "$PWD/document is run by $PWD/reader, which nothing in it names"
fi
echo >hold
wait "$job"

# A mount that is attached nowhere (open_tree): Landlock never meets the rule on / there, so all is refused while learning.
# Under a profile that has a file for another reason it is not.
fresh
mkdir d
echo text >d/f
cp /bin/true d/true
detached=("$FIXTURES/detached_mount" d)
[ "$TL_USER" = root ] || detached=("${own[@]}" --propagation unchanged "${detached[@]}")
refused='incomplete = files were refused while learning that lie on a mount no path leads to'
run "${detached[@]}" cat f
if [ "$status" = 77 ]; then
  skip "a mount that is attached nowhere" "this kernel does not make one: $err"
else
  is "a mount that is attached nowhere: control" "$status $out" "0 text"
  learn sh -c 'cat d/f; exec "$@"' sh "${detached[@]}" cat f
  is "a mount that is attached nowhere: refused while learning" "$status $out" "1 text"
  like "a mount that is attached nowhere: by Landlock" "$err" 'cat: f: Permission denied'
  has "a mount that is attached nowhere: which is a reason" "$refused"
  like "a mount that is attached nowhere: and said with the name" "$err" \
    'trace-learn: /f is a file of another mount namespace, or of a mount that is attached nowhere'
  if [ "$TL_USER" = root ]; then
    confined sh -c 'cat d/f; exec "$@"' sh "${detached[@]}" cat f
    is "a mount that is attached nowhere: not under a profile with that file" "$status $out" $'0 text\ntext'
  fi

  # refuses NAME UNDO COMMAND…: works natively, and UNDO takes it back; refused while learning, which is a reason.
  refuses() {
    local name="a mount that is attached nowhere: $1" undo=$2
    shift 2
    run "${detached[@]}" "$@"
    is "$name: control" "$status" 0
    eval "$undo"
    learn "${detached[@]}" "$@"
    isnt "$name: refused" "$status" 0
    has "$name: is a reason" "$refused"
  }
  refuses "to make a file" 'rm d/new' cp /bin/true new
  refuses "to make a directory" 'rmdir d/new' mkdir new
  refuses "to remove" 'cp /bin/true d' rm true
  refuses "to move" 'mv d/g d/f' mv f g
  refuses "to link" 'rm d/g' ln f g
  refuses "to execute" '' ./true
  refuses "to cut off" '' python3 -c 'import os; os.truncate("f", 4)'
  ln d/f f
  looks_elsewhere "a mount that is attached nowhere" "/f|/none" "${detached[@]}" sh -c 'test -e f && ! test -e none'
  learn "${detached[@]}" stat f
  unlike "a mount that is attached nowhere: to look at it is none" "$(cat p.ini)" "$refused"
fi

# What mount(2) does with MS_REMOUNT, by fspick(2) and fsconfig(2): Landlock refuses it too, and that is said.
mkdir m
remount='import ctypes, os, sys
call = ctypes.CDLL(None, use_errno=True).syscall
fs = call(433, -100, b"m", 0)  # fspick
fs >= 0 or sys.exit(77)
call(431, fs, 7, None, None, 0) == 0 or sys.exit(os.strerror(ctypes.get_errno()))  # fsconfig: reconfigure'
mounted=("${own[@]}" sh -c 'mount -t tmpfs none m && exec "$@"' sh)
run "${mounted[@]}" python3 -c "$remount"
if [ "$status" = 77 ]; then
  skip "a mount that is configured anew" "this kernel has no fspick"
else
  is "a mount that is configured anew: control" "$status $err" "0 "
  run "${mounted[@]}" "$TRACE_LEARN" --no-log -f -o p.ini -- python3 -c "$remount"
  is "a mount that is configured anew: refused" "$status" 1
  has "a mount that is configured anew: is a reason" "incomplete = fsconfig was called, which does not work under Landlock"
fi

# A bind mount, seen by the tool too: a file has the name by which it was used, and the rule on it holds by that name.
fresh
mkdir there here
echo text >there/f
echo other >there/g
cat >bound <<'END'
# Through a pipe: in a user namespace of our own the file lies beneath what is not ours.
confined() { cat p.ini | "$TRACE_RUN" -q -p /dev/stdin -- "$@"; }
mount --bind there here || exit 99
"$TRACE_LEARN" -q --no-log -f -o p.ini -- cat here/f || exit 98
confined cat here/f || exit 97
confined cat there/f && echo same
confined cat here/g || echo refused
cat here/g
END
run "${own[@]}" env TRACE_LEARN="$TRACE_LEARN" TRACE_RUN="$TRACE_RUN" sh bound
is "a bind mount: learned, run, and nothing else by it" "$out" $'text\ntext\ntext\nsame\nrefused\nother'
grants "a bind mount: the file by the name that was used" "$PWD/here/f" read_file
grants "a bind mount: and not by the other" "$PWD/there/f" ''
confined cat there/f
isnt "a bind mount: gone at the next start" "$status" 0
like "a bind mount: which is said" "$err" "warning: .*$PWD/here/f is not there"
finish
