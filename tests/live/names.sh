#!/usr/bin/env bash
# What an access is called in the profile, and what it is worth: never wider than what the kernel asked for.
. "$TL_SRC/tests/lib.sh"

fresh
learn sh -c 'cat /etc/hostname; ls /'
is "reading a file and listing /" "$status" 0
grants "the file" /etc/hostname read_file
grants "the directory, and no more on it" / read_dir
confined sh -c 'cat /etc/hostname; ls /'
is "works under the profile" "$status" 0
confined cat /etc/passwd
is "another file does not" "$status" 1
like "for the reason the kernel gives" "$err" 'Permission denied'

mkdir -p a/b
learn mkdir -p "$PWD/a/b"
ungranted "mkdir of what is there: nothing to make" make_dir
learn mkdir -p "$PWD/a/b/c/d"
grants "mkdir of what is not there, and going there" "$PWD/a/b" make_dir,read_dir
rm -r a

if [ "$TL_USER" = root ]; then
  learn python3 -c 'import os; os.makedirs("/root", exist_ok=True)'
  ungranted "makedirs of /root: no make_dir" make_dir
  ungranted "and nothing on /" ' /$'
fi

learn sh -c 'cat /proc/self/maps /proc/thread-self/status'
is "entries of its own in /proc" "$status" 0
cp p.ini first.ini
grants "have no number" /proc/self/maps read_file
grants "by its thread's name too" /proc/self/status read_file
ungranted "and nothing wider" '/proc/self/task|/proc/thread-self'
hasnt "anywhere" '/proc/[0-9]'
learn sh -c 'cat /proc/self/maps /proc/thread-self/status'
same "twice the same" first.ini p.ini
script='cat /proc/self/status >/dev/null; sh -c "cat /proc/self/maps" | head -1'
learn sh -c "$script"
is "learned in a child too" "$status" 0
ungranted "without a grant on all of /proc" ' /proc$'
learn cat /proc/self/maps /proc/thread-self/status
confined cat /proc/self/maps /proc/thread-self/status
is "readable under the profile" "$status" 0
learn cat /proc/net/dev /proc/self/net/route
like "of /proc/net it is said" "$err" '/proc/self/net is granted as a whole'
grants "that it is granted as a whole" /proc/self/net read_file
confined cat /proc/net/dev /proc/self/net/route
is "since a grant on one of its files is lost at the next look" "$status" 0

learn "$FIXTURES/deleted_directory" "$PWD/gone"
is "a directory that is no more" "$status $out" "0 create: No such file or directory, open: worked"
hasnt "leaves no name behind" '\(deleted\)'
mkdir 'x (deleted)'
echo text >'x (deleted)/f'
learn cat 'x (deleted)/f'
grants "but a directory may really be called so" "$PWD/x (deleted)/f" read_file

script='import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
socket.create_connection(server.getsockname()).close()
print("connected")'
learn python3 -c "$script"
is "a port that the kernel chose" "$out" connected
has "is any to those who connect to it" 'allow = connect_tcp any'
has "and chosen by the kernel for who listens" 'allow = bind_tcp 0'
like "it is said" "$err" 'every port is granted'
confined python3 -c "$script"
is "so it is found under the profile" "$status $out" "0 connected"
script='import socket
chosen = socket.socket()
chosen.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
chosen.bind(("127.0.0.1", 0))
again = socket.socket()
again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
again.bind(chosen.getsockname())
print("bound")'
learn python3 -c "$script"
cp p.ini first.ini
learn python3 -c "$script"
same "one that is bound to again has no number either" first.ini p.ini
confined python3 -c "$script"
is "and is bound to under the profile" "$status $out" "0 bound"

mkfifo pipe
learn sh -c '(sleep 0.3; echo hi >pipe) & cat pipe; wait'
is "a pipe in the file system" "$status $out" "0 hi"
confined sh -c '(sleep 0.3; echo hi >pipe) & cat pipe; wait'
is "and under the profile" "$status $out" "0 hi"

script='f=$(mktemp); echo x >$f; cat $f; rm $f'
learn sh -c "$script"
cp p.ini first.ini
hasnt "a name that is different each time is not kept" 'tmp\.'
grants "its directory is" "$TMPDIR" make_reg,read_file,remove_file,truncate,write_file
learn sh -c "$script"
same "two learns are equal" first.ini p.ini
confined sh -c "$script"
is "it works with another name" "$status $out" "0 x"

cp /bin/cat blind && chmod 111 blind
echo text >f
learn ./blind f
is "a program that may be executed and not read" "$status $out" "0 text"
grants "has its right name" "$PWD/blind" execute,read_file
if [ "$TL_USER" = root ]; then
  grants "and so has its file" "$PWD/f" read_file
else
  # Its memory may not be read by another process of the user: no name is better than a wrong one.
  has "and the profile says what it does not know" 'complete = no'
  ungranted "instead of a wrong name" " $PWD/[^b]"
fi

# A loader whose name the kernel writes with an escape, and one whose name looks like that.
loader=$(ldd /bin/cat | grep -oE '/[^ ]*/ld-[^ ]*' | head -n 1)
if [ -n "$loader" ] && type gcc >/dev/null 2>&1; then
  echo 'int main(void) { return 7; }' >main.c
  for written in 'new\nline' 'back\\012slash' 'esc\x1b[31m'; do
    printf -v name %b "$written"
    cp "$loader" "$name"
    gcc -o odd main.c "-Wl,--dynamic-linker,$PWD/$name"
    learn ./odd
    is "a loader called $written" "$status" 7
    has "is granted by its name" "allow = execute,read_file $PWD/$written"
    confined ./odd
    is "and serves" "$status" 7
  done
else
  skip "loaders of odd names" "gcc or the loader's name is missing"
fi

if [ "$TL_USER" = root ]; then
  new=/etc/tl-new-$$
  learn sh -c ": >$new; rm $new"
  is "a new file in /etc" "$status" 0
  grants "is a right on all of it" /etc make_reg,remove_file,write_file
  check "which is protected" sh -c 'sed -n "/^\[protected\]/,/^\[held\]/p" "$1" | grep -q " /etc$"' sh "$profile"
  like "and said, with what else it reaches" "$err" '/etc.*shadow|shadow.*/etc'
  new=/tl-root-$$
  learn touch "$new"
  rm -f "$new"
  check "what would need rights on / is held" sh -c 'sed -n "/^\[held\]/,/^\[absent\]/p" "$1" | grep -q " /$"' sh "$profile"
  has "and the profile incomplete" 'complete = no'
  ungranted "and not granted" ' /$'
  confined touch "$new"
  like "so it is refused" "$status $err" '^1 .*Permission denied'
  like "and the tool says so" "$err" 'trace-run: .*held'
  check "nothing was made" test ! -e "$new"
fi
finish
