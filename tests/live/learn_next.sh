#!/usr/bin/env bash
# What is otherwise at the next start: a file that was made is there then, and emptying or replacing it asks for more; a
# directory that was made is there, and can have a grant of its own. Both are said, and what is said helps.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir "$HOME/place" "$HOME/work"
echo 'echo x >"$HOME/place/log"; echo y >"$HOME/work/new"; mv "$HOME/work/new" "$HOME/place/old"; echo z >"$HOME/work/gone"; rm "$HOME/work/gone"' >job
learn sh job
like "two files were made, and are there at the next start" "$err" \
  "2 files were made that are there at the next start \($HOME/place/log …\): should the program empty or replace one then, that takes remove_file,truncate, which is not granted; learn once more now, with -m p.ini"
confined sh job
like "the kernel asks for more then" "$err" "cannot create $HOME/place/log: Permission denied"
learn_options=(-m p.ini)
learn sh job
learn_options=()
unlike "a second session knows it" "$err" 'at the next start'
confined sh job
is "and it runs" "$status $(grep denied <<<"$err")" '0 '

learn sh -c 'echo x >"$HOME/place/log"; cat "$HOME/place/log"'
unlike "what was there before is emptied as it was" "$err" 'at the next start'
learn sh -c 'set -C; echo x >"$HOME/place/once"'
unlike "nor is what may not be there at all" "$err" 'at the next start'
learn sh -c 'echo x >>"$HOME/place/grows"'
unlike "nor what is only added to" "$err" 'at the next start'
learn sh -c 'mkdir "$HOME/place/d"; echo x >"$HOME/place/d/f"; rm -r "$HOME/place/d"'
unlike "nor what went with its directory" "$err" 'at the next start|in this session'

# A program that reads what an earlier session saved.
echo 'cat "$HOME/place/saved" 2>missing || :; echo x >>"$HOME/place/saved"' >job
: >missing
learn sh job
like "what was looked for and then made is read at the next start" "$err" \
  "1 file was made that is there at the next start \($HOME/place/saved\): should the program empty, replace or use it then, that takes read_file, which is not granted; learn once more now"
confined sh job
like "which the kernel refuses" "$(cat missing)" 'Permission denied'
learn_options=(-m p.ini)
learn sh job
learn_options=()
unlike "a second session knows that too" "$err" 'at the next start'
confined sh job
is "and it is read" "$status $out" "$(printf '0 x\nx\nx')"

learn sh -c 'mkdir -p "$HOME/.cache/job"; echo x >>"$HOME/.cache/job/f"'
check "a directory was made: the one above has the rights" grep -q "^allow = make_dir,make_reg,.*write_file $HOME\$" p.ini
like "and it is said which" "$err" "$HOME/.cache was made in this session, so what was done in it is granted on all of the directory above it; it is there now: learn anew, with -f, for a grant on it alone"
learn sh -c 'mkdir -p "$HOME/.cache/job"; echo x >>"$HOME/.cache/job/f"'
unlike "once it is there, nothing is" "$err" 'in this session'
ungranted "and the one above is not granted" " $HOME\$"

learn sh -c 'mkdir "$HOME/work/out"; echo x >"$HOME/work/out/f"; rm "$HOME/work/out/f"; mkdir "$HOME/lib" "$HOME/none"; echo x >"$HOME/lib/f"'
like "of several, the one whose grant reaches secrets is named" "$err" \
  "2 directories were made in this session \($HOME/lib …\), so what was done in them is granted on all of the directories above; they are there now: learn anew, with -f, for grants on them alone"

# A file that is made where a grant on the directory reaches secrets: with it there, the grant is on it alone.
fresh
learn sh -c 'echo x >>"$HOME/.made"'
check "a file was made: a protected grant on the directory" grep -q "^allow = make_reg,write_file $HOME\$" p.ini
like "and it is said what helps" "$err" \
  "$HOME/.made was made in this session, and to make it is a right on all of the directory above it; it is there now: learn anew, with -f, for a grant on it alone"
learn sh -c 'echo x >>"$HOME/.made"'
unlike "once it is there, nothing is" "$err" 'in this session'
ungranted "and the directory is not granted" " $HOME\$"
grants "but the file alone" "$HOME/.made" write_file
confined sh -c 'echo x >>"$HOME/.made"'
is "under which it runs" "$status $(wc -l <"$HOME/.made")" "0 3"
learn sh -c 'echo x >>guarded.by.its.place && echo x >"$HOME/.gone" && rm "$HOME/.gone"'
unlike "of what is gone there is nothing to say" "$err" 'in this session, and'

# A server that was learned with one client serves another one as far as it can, and the rest is said.
fresh
mkdir w
cat >server.py <<'END'
import os, signal, socket, struct, sys
def attempt(what, how):
    try:
        print(what, how() is not None, flush=True)
    except OSError as error:
        print(what, error.strerror, flush=True)
def answer(box):
    text, address = box.recvfrom(10)
    return box.sendto(text, address)
stream = socket.socket(socket.AF_UNIX)
stream.bind("w/stream")
stream.listen()
boxes = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
boxes[0].bind("\0" + os.path.realpath("w"))
boxes[1].bind("w/box")
open("w/ready", "w").close()
client = stream.accept()[0]
peer = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
client.recv(1)
attempt("signal", lambda: os.kill(peer, 0) or "")
attempt("entry", lambda: open("/proc/%d/comm" % peer).read())
attempt("abstract", lambda: answer(boxes[0]))
attempt("path", lambda: answer(boxes[1]))
for name in "stream", "box", "ready":
    os.unlink("w/" + name)
client.send(b"x")
END
cat >client.py <<'END'
import os, socket, time
while not os.path.exists("w/ready"):
    time.sleep(0.02)
stream = socket.socket(socket.AF_UNIX)
stream.connect("w/stream")
boxes = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
boxes[0].bind("\0client%d" % os.getpid())
boxes[0].sendto(b"a", "\0" + os.path.realpath("w"))
name = "w/client%d" % os.getpid()
boxes[1].bind(name)
boxes[1].sendto(b"b", "w/box")
stream.send(b"y")
stream.recv(1)
os.unlink(name)
END
# served CMD…: run, with a client outside.
served() {
  timeout "$limit" python3 client.py &
  run "$@"
  wait $!
}
served "$TRACE_LEARN" -q -f -o p.ini -- python3 server.py
all=$'signal True\nentry True\nabstract True\npath True'
is "a server, learned with one client" "$status $out" "0 $all"
has "signals to it are learned" 'allow = signal'
has "and answers to its abstract name" 'allow = abstract_unix_socket'
has "its entry in /proc is said not to be" 'incomplete = entries of other processes in /proc were used'
served "$TRACE_RUN" -p p.ini -- python3 server.py
want=${all/entry True/entry Permission denied}
abi=$("$TRACE_RUN" doctor | sed -n 's/^landlock *yes, ABI \([0-9]*\).*/\1/p')
[ "$abi" -lt 9 ] || want=${want/path True/path Permission denied} # as its socket has another name
is "another client is served, but for that" "$status $out" "0 $want"
like "the start says so" "$err" 'incomplete: entries of other processes'
run env LD_PRELOAD="$FIXTURES/force_abi.so" FORCE_ABI=10 ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
  "$TRACE_RUN" -p p.ini --print
like "and where paths of sockets are limited, that the client's was another one" "$err" "$PWD/w/client[0-9]+ is not there, so nothing is granted on it"
run "$TRACE_LEARN" -q -f -o q.ini -- sh -c 'python3 client.py & python3 server.py; wait'
is "learned with a client of its own" "$status $out" "0 $all"
profile=q.ini hasnt "it needs none of that" '^allow = (signal|abstract_unix_socket)'
served "$TRACE_RUN" -q -e -p q.ini -- python3 server.py
like "with one outside it does, and -e tells of it" "$err" $'\\[scope\\] allow = abstract_unix_socket\n.*\n.*\\[scope\\] allow = signal'
finish
