#!/usr/bin/env bash
# trace-run: paths that are missing, that became links, or have hostile names. A line is never wider than it reads.
. "$TL_SRC/tests/lib.sh"

# profile_with LINE…: grants on the system's programs, and these lines under [normal].
profile_with() {
  {
    printf '[profile]\nformat = 1\n[normal]\n'
    printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
    printf 'allow = read_file /etc/ld.so.cache\n'
    printf '%s\n' "$@"
  } >"$profile"
}

# The directory of the profile stays out of the grants: the program works in w.
fresh
mkdir w secret w/out
cd w || exit 1
profile=../p.ini
echo secret >../secret/x
echo x >out/x

profile_with "allow = read_file $PWD/out" "allow = read_file $PWD/missing/file"
confined cat out/x
is "a missing path: the rest is enforced" "$status $out" "0 x"
like "and it is said, with file and line" "$err" "warning: ../p.ini:10: $PWD/missing/file is not there"
confined cat ../secret/x
is "refused is what is not granted" "$status" 1

{ printf "[profile]\nformat = 1\n[normal]\n"; printf "allow = execute,read_file %s\n" "$PWD/no1" "$PWD/no2"; } >../p.ini
confined cat out/x
is "none of the paths is there: it is started, and all is refused" "$status" 126
like "which is said" "$err" 'none of its 2 paths is granted: every file will be refused'
sed -i '/no2$/d' ../p.ini
confined cat out/x
like "of one path too" "$err" 'its one path is not granted: every file will be refused'
profile_with '[absent]' "allow = make_reg $PWD/out"
sed -i "s|^\[absent\]|allow = write_file $PWD/out/new\n[absent]|" ../p.ini
confined sh -c 'echo new >out/new'
is "a file that was there while learning" "$status" 2
like "and what it needs to be made anew" "$err" "out/new is not there.* it needs \"allow = make_reg $PWD/out\""

# The build that replaces its output directory by a link.
profile_with "allow = make_dir,make_reg,make_sym,read_file,remove_dir,remove_file,write_file $PWD" \
  "allow = make_reg,read_file,truncate,write_file $PWD/out"
confined sh -c 'rm out/x; rmdir out; ln -s ../secret out'
is "a program may replace its directory by a link" "$status $(readlink out)" "0 ../secret"
exits "control: the link leads there" 0 cat out/x
confined sh -c 'echo lost >out/x'
isnt "the next start does not write through it" "$status" 0
is "the target is as it was" "$(cat ../secret/x)" secret
like "the warning names link and target" "$err" "$PWD/out is a symbolic link to ../secret, and its directory"
rm out
mkdir out
confined sh -c 'echo fine >out/x'
is "a directory again: works again" "$status $(cat out/x)" "0 fine"

# The same learned: the session itself puts the link there.
profile=../learned.ini
echo x >out/x
learn sh -c 'echo y >out/x; rm out/x; rmdir out; ln -s ../secret out'
is "a build that replaces its directory is learned" "$status $(readlink out)" "0 ../secret"
ungranted "what it took away and made anew has no line of its own" " $PWD/out"
confined sh -c 'echo lost >out/x'
isnt "the next start does not write through it" "$status" 0
is "what the link leads to is as it was" "$(cat ../secret/x)" secret
rm out
mkdir out
echo x >out/x
confined sh -c 'echo y >out/x; rm out/x; rmdir out; ln -s ../secret out'
is "the control: with the directory it works as it was learned" "$status $(readlink out)" "0 ../secret"
rm out
mkdir out
echo fine >out/x
profile=../p.ini

# Links where others may write, and the sticky directory that belongs to root.
shared=$(mktemp -d /tmp/tl-shared.XXXXXX)
link=/tmp/tl-link.$$
trap 'rm -rf "$shared" "$link"' EXIT # these are not in the test's own directory
chmod 777 "$shared"
ln -s "$PWD/out" "$shared/link"
profile_with "allow = read_file $shared/link"
confined cat out/x
is "a link in a directory that others can write" "$status" 1
like "is not followed" "$err" "nothing is granted on $shared/link: $shared/link is a symbolic link to $PWD/out"
ln -s "$PWD/out" "$link"
profile_with "allow = read_file $link"
confined cat out/x
is "a link in /tmp" "$status" 1
like "neither" "$err" "$link is a symbolic link to $PWD/out, and its directory can be changed by others than root"
rm "$link"
if [ "$TL_USER" = root ]; then
  ln -s out safe
  chmod 755 .
  profile_with "allow = read_file $PWD/safe"
  confined cat out/x
  is "a link that only root can have put there is followed" "$status $out" "0 fine"
  chgrp nogroup . && chmod 775 .
  confined cat out/x
  is "not when the group may write" "$status" 1
  chmod 755 .
  chown nobody .
  confined cat out/x
  is "not in another user's directory" "$status" 1
  chown root .
  profile_with "allow = make_sym,read_file $PWD"  "allow = read_file $PWD/safe"
  confined true
  like "not where the grants could have changed it" "$err" "$PWD/safe is a symbolic link to out, and its directory can be changed by the program itself"
  rm safe
else
  ln -s out own
  profile_with "allow = read_file $PWD/own"
  confined cat out/x
  is "a link in an own directory is not followed: the program may have put it there" "$status" 1
  rm own
fi

# Where root is nobody that can be named, its directories are not known as its own.
if [ "$TL_USER" = user ] && [ -L /bin ] && unshare -U --map-current-user true 2>/dev/null; then
  profile_with
  run unshare -U --map-current-user "$TRACE_RUN" -p ../p.ini -- /usr/bin/true
  like "in a user namespace without root the cause is said" "$err" \
    'nothing is granted on /bin: /bin is a symbolic link to usr/bin, and its directory does not belong to root, as far as can be told: in this user namespace root has no number \(give the line the path that the link leads to\)'
  is "and what is named so works" "$status" 0
fi

# A bind mount is another name of what it shows, also for what each start reads back when /proc can no longer be read.
if unshare -m true 2>/dev/null; then
  mkdir all
  profile_with "allow = read_dir $PWD/all"
  run unshare -m sh -c 'mount --bind / all && exec "$@"' sh "$TRACE_RUN" -p ../p.ini -- ls /
  is "a grant on a place where / is mounted is one on /" "$status" 0
  like "and that lists it" "$out" 'usr'
  confined ls /
  is "without the mount it is not" "$status" 2
  rmdir all
else
  skip "a grant on a place where / is mounted" "no mount namespace can be made here"
fi

# Magic links lead anywhere.
for path in /proc/self/cwd/out/x /proc/self/root /proc/self/exe; do
  profile_with "allow = read_file $path"
  confined cat out/x
  is "$path" "$status" 1
  like "is never followed" "$err" 'leads to something else than its text says'
done

# Hostile names: as bytes in the file system, escaped on the terminal.
mkdir 'a b'
name=$'a b/\e[31m\u202e\u009b\n;#\xff'
echo hostile >"$name"
profile_with "allow = read_file $PWD/a b/\\x1b[31m"$'\u202e'"\\xc2\\x9b\\n\\x3b\\x23\\xff"
confined cat "$name"
is "a hostile name is granted by its bytes" "$status $out" "0 hostile"
rm "$name"
confined true
like "and printed harmlessly" "$err" '\\x1b\[31m\\xe2\\x80\\xae\\xc2\\x9b\\n;#\\xff is not there'
unlike "no byte of it steers the terminal" "$err" $'\e'
run "$TRACE_RUN" -p ../p.ini --print
unlike "nor with --print" "$out$err" $'\e'

# Rights that an object cannot have.
profile_with "allow = make_reg,read_dir,read_file $PWD/out/x" "allow = read_dir $PWD/out/x/y"
confined cat out/x
is "a directory's rights on a file are left out" "$status" 0
profile_with "allow = read_dir $PWD/out" "allow = make_reg $PWD/out/x"
confined cat out/x
is "a line without any right for its object" "$status" 1
like "is said" "$err" "nothing is granted on $PWD/out/x: it is not a directory"
mkfifo fifo
profile_with "allow = read_file $PWD/fifo"
limit=5 confined true
is "a pipe is not opened while the rule is made" "$status" 0

# Own entries in /proc.
profile_with 'allow = read_file /proc/self/status'
confined cat /proc/self/status
is "/proc/self is the program's" "$status" 0
unlike "and not another process's, which would be protected" "$err" 'too low a heading'
run "$TRACE_RUN" --timeout=20 -p ../p.ini -- cat /proc/self/status
is "also when we stay as its parent" "$status" 0
confined cat /proc/self/maps
is "and only what is granted" "$status" 1

deep=$PWD
for part in 1 2 3 4 5 6 7 8 9; do
  deep+=/$(printf "$part%.0s" {1..200})
  mkdir "$deep" || break
done
echo deep >"$deep/f"
{
  profile_with
  for ((at = 0; at < ${#deep}; at += 100)); do
    printf '%s%s%s\n' "$([ $at = 0 ] && printf 'allow = read_file ' || printf ' ')" "${deep:at:100}" \
      "$([ $((at + 100)) -ge ${#deep} ] && printf /f || printf %s "\\")"
  done >>../p.ini
}
confined cat "$deep/f"
is "a path of 1,800 bytes" "$status $out" "0 deep"
finish
