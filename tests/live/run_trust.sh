#!/usr/bin/env bash
# trace-run: profiles and tiers files that the program could have changed are refused, unless a person let them in.
. "$TL_SRC/tests/lib.sh"

profile_with() {
  {
    printf '[profile]\nformat = 1\n[normal]\n'
    printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
    printf 'allow = read_file /etc/ld.so.cache\n'
    printf '%s\n' "$@"
  } >"$profile"
}
trusted=$HOME/.local/state/trace-learn/trusted
trust() {
  mkdir -p "${trusted%/*}" && printf '%s %s\n' "$(sha256sum "$1" | cut -d' ' -f1)" "$(realpath "$1")" >>"$trusted"
}

fresh
mkdir out
profile_with "allow = write_file $PWD/out"
exits "out of the program's reach: runs" 0 "$TRACE_RUN" -p p.ini -- true
exits "also as standard input" 0 bash -c '"$0" -p /dev/stdin -- true <p.ini' "$TRACE_RUN"
for rights in "write_file $PWD/p.ini" "truncate $PWD/p.ini" "make_reg $PWD" "remove_file $PWD" "refer $PWD" \
  "make_dir,remove_dir ${PWD%/*}" "write_file $PWD"; do
  profile_with "allow = $rights"
  exits "lets the program change itself: $rights" 125 "$TRACE_RUN" -p p.ini -- touch out/started
  says_line "is refused in one line: $rights"
done
like "which names grant and line" "$err" "the grant on $PWD \(line 9 of the profile\)"
like "and both commands" "$err" '"trace-profile show p.ini".*"trace-profile trust p.ini".*--allow-writable-profile'
fails "nothing was started" test -e out/started
exits "--allow-writable-profile" 0 "$TRACE_RUN" --allow-writable-profile -p p.ini -- true
exits "reading and listing change nothing" 0 bash -c 'sed -i s/write_file/read_dir,read_file/ p.ini && "$0" -p p.ini -- true' "$TRACE_RUN"

# The commands are shown so that they can be pasted, whatever the name.
for profile in "it's a.ini" '-p.ini' $'a\nb\\c.ini' '$HOME.ini' $'\e[1m\xff.ini'; do
  profile=./$profile
  profile_with "allow = write_file $PWD"
  profile=${profile#./}
  run "$TRACE_RUN" "-p$profile" -- true
  show=$(sed -n 's/.*look at them with "trace-profile \(.*\)" and accept .*/\1/p' "$TL_DIR/err")
  accept=$(sed -n 's/.*accept them with "trace-profile \(.*\)", or .*/\1/p' "$TL_DIR/err")
  exits "show, pasted" 0 bash -c "'$TRACE_PROFILE' $show"
  like "shows it" "$out" "$PWD"
  exits "trust, pasted" 0 bash -c "'$TRACE_PROFILE' $accept"
  exits "and then it runs" 0 "$TRACE_RUN" "-p$profile" -- true
done
profile=p.ini

# What a person let in.
profile_with "allow = make_reg,remove_file,write_file $PWD"
trust p.ini
exits "bytes that were let in" 0 "$TRACE_RUN" -p p.ini -- true
echo "allow = read_file $HOME" >>p.ini
exits "and then changed" 125 "$TRACE_RUN" -p p.ini -- true
sed -i '$d' p.ini
exits "and changed back" 0 "$TRACE_RUN" -p p.ini -- true
profile_with "allow = make_reg,write_file $PWD" "allow = write_file $HOME/.local/state/trace-learn"
trust p.ini
exits "a list that the program could have written proves nothing" 125 "$TRACE_RUN" -p p.ini -- true
like "which is said" "$err" "lets the program change the list of trusted files, $trusted"
run "$TRACE_PROFILE" trust p.ini
like "by trust too" "$err" "refuses it all the same: the grant on $HOME/.local/state/trace-learn .line 10. lets the program change"
profile_with "allow = write_file $HOME/.local/state/trace-learn"
run "$TRACE_PROFILE" trust p.ini
unlike "not of a profile that is out of its program's reach" "$err" refuses
rm "$trusted"

# The list by other names: a link on the way to it that the program may exchange, also where there is none yet; a hard link.
mkdir links state
ln -s "$PWD/state" links/way
profile_with "allow = make_sym,remove_file $PWD/links" "allow = write_file $PWD/p.ini"
mkdir state/trace-learn
printf '%s %s\n' "$(sha256sum <p.ini | cut -c-64)" "$PWD/p.ini" >state/trace-learn/trusted
exits "control: a list that lies elsewhere" 0 env XDG_STATE_HOME="$PWD/state" "$TRACE_RUN" -p p.ini -- true
exits "a link on the way to the list, which the program could exchange" 125 env XDG_STATE_HOME="$PWD/links/way" "$TRACE_RUN" -p p.ini -- true
like "is said" "$err" "its grant on $PWD/links .*lets the program change the list of trusted files, $PWD/state/trace-learn/trusted"
profile_with "allow = make_dir,make_reg,write_file $PWD/state" "allow = write_file $PWD/p.ini"
rm -r state/trace-learn
exits "a list that the program could make, behind a link" 125 env XDG_STATE_HOME="$PWD/links/way" "$TRACE_RUN" -p p.ini -- true
like "is none of the person's" "$err" "its grant on $PWD/state .*lets the program change the list of trusted files"
profile_with "allow = make_reg,write_file $PWD"
trust p.ini
exits "control: a list with one name" 0 "$TRACE_RUN" -p p.ini -- true
ln "$trusted" list
exits "and with a second one where the program may write" 125 "$TRACE_RUN" -p p.ini -- true
like "with what to do" "$err" "$trusted: it has 2 names"
rm list "$trusted"

# A profile that was let in is so at its place: a program cannot put a wider one over its own.
profile_with "allow = make_reg,read_file,remove_file,write_file $PWD"
trust p.ini
profile=wide.ini
profile_with "allow = read_file $HOME" "allow = make_reg,write_file $PWD"
profile=p.ini
trust wide.ini
exits "the wide one, where it was let in" 0 "$TRACE_RUN" -p wide.ini -- true
confined sh -c 'cp wide.ini new && mv new p.ini'
check "the program can replace its profile" cmp wide.ini p.ini
exits "by one that was let in elsewhere: refused" 125 "$TRACE_RUN" -p p.ini -- true
like "with what to do" "$err" 'nobody has let these bytes in at this place'
rm "$trusted"

# Other names of the same file.
mkdir other
profile_with "allow = write_file $PWD/out"
ln -s ../p.ini out/link.ini
profile_with "allow = make_sym,remove_file $PWD/out"
exits "named from where the program cannot change it" 0 "$TRACE_RUN" -p p.ini -- true
exits "named through a link that the program can change" 125 "$TRACE_RUN" -p out/link.ini -- true
profile_with "allow = write_file $PWD/out"
ln p.ini out/second.ini
exits "a second hard link where the program may write" 125 "$TRACE_RUN" -p p.ini -- true
rm out/second.ini
exits "and without" 0 "$TRACE_RUN" -p p.ini -- true
ln p.ini other/second.ini
profile_with "allow = write_file $PWD/other/second.ini"
exits "a grant on the file itself under its other name" 125 "$TRACE_RUN" -p p.ini -- true
rm other/second.ini
ln -s "$PWD" ../alias.$$
profile_with "allow = make_reg ${PWD%/*}/alias.$$"
exits "a grant that reaches it through a link" 125 "$TRACE_RUN" -p p.ini -- true
rm ../alias.$$
profile_with "allow = make_reg,write_file $PWD"
exits "as standard input" 125 bash -c '"$0" -p /dev/stdin -- true <p.ini' "$TRACE_RUN"
like "for the same reason" "$err" 'lets the program change this profile'
exits "from a pipe there is nothing to change" 0 bash -c 'cat p.ini | "$0" -p /dev/stdin -- true' "$TRACE_RUN"

# The tiers file.
profile_with "allow = write_file $PWD/out"
mkdir -p out/trace-learn config/trace-learn
printf '[tiers]\nformat = 1\n\npath = protected protected %s\n' "$PWD/out" | tee out/trace-learn/tiers.ini >config/trace-learn/tiers.ini
exits "control: a tiers file out of the program's reach" 0 env XDG_CONFIG_HOME="$PWD/config" "$TRACE_RUN" -p p.ini -- true
like "is used" "$err" "$PWD/out is protected, not normal"
exits "a tiers file that the program can change" 125 env XDG_CONFIG_HOME="$PWD/out" "$TRACE_RUN" -p p.ini -- true
like "is refused" "$err" "^trace-run: $PWD/out/trace-learn/tiers.ini: .*lets the program change this tiers file"
command=$(sed -nE 's/.*look at them with "([^"]*)".*/\1/p' <<<"$err")
run sh -c "$command"
is "and can be looked at as it says" "$status $out" "0 $(cat out/trace-learn/tiers.ini)"
trust out/trace-learn/tiers.ini
exits "and used when its bytes were let in" 0 env XDG_CONFIG_HOME="$PWD/out" "$TRACE_RUN" -p p.ini -- true
if [ "$TL_USER" = root ]; then
  chmod 666 config/trace-learn/tiers.ini
  exits "root: a tiers file that others may write" 125 env XDG_CONFIG_HOME="$PWD/config" "$TRACE_RUN" -p p.ini -- true
fi
rm "$trusted"

# For root: nobody else may have written it.
if [ "$TL_USER" = root ]; then
  profile_with "allow = write_file $PWD/out"
  chmod 666 p.ini
  exits "root: a file that others may write" 125 "$TRACE_RUN" -p p.ini -- true
  says_line "says so in one line"
  trust p.ini
  exits "root: also when its bytes were let in" 125 "$TRACE_RUN" -p p.ini -- true
  exits "root: also with --allow-writable-profile" 125 "$TRACE_RUN" --allow-writable-profile -p p.ini -- true
  chmod 644 p.ini
  exits "root: one that only root may write" 0 "$TRACE_RUN" -p p.ini -- true
  chown nobody p.ini
  exits "root: another user's file" 125 "$TRACE_RUN" -p p.ini -- true
  chown root p.ini
  chmod 777 .
  exits "root: a directory in which others may replace it" 125 "$TRACE_RUN" -p p.ini -- true
  like "is named" "$err" "$PWD can be written by others"
  chmod 1777 .
  exits "root: a sticky one, where they may not" 0 "$TRACE_RUN" -p p.ini -- true
  chmod 755 .
  chown nobody .
  exits "root: another user's directory" 125 "$TRACE_RUN" -p p.ini -- true
  chown root .
  ln -s "$PWD/p.ini" other/p.ini
  exits "root: through root's link" 0 "$TRACE_RUN" -p other/p.ini -- true
  chown nobody other
  exits "root: through a link in another user's directory" 125 "$TRACE_RUN" -p other/p.ini -- true
fi
# Bind mounts, in a mount namespace of their own: of root's, since all that is root's has no owner in another user's.
mounted=$TL_DIR/mounted
cat >"$mounted" <<'END'
#!/bin/sh
exec unshare -rm sh -c 'mount --make-rprivate / && mount --bind "$1" "$2" && shift 2 && exec "$@"' - "$@"
END
chmod +x "$mounted"
fresh
mkdir in alias 'an other'
run "$mounted" in alias true
if [ "$TL_USER" != root ]; then
  :
elif [ "$status" -ne 0 ]; then
  skip "bind mounts" "no mount namespaces here: $err"
else
  profile_with "allow = make_reg,write_file $PWD/alias"
  mv p.ini in
  exits "its directory, not mounted elsewhere" 0 "$TRACE_RUN" -p in/p.ini -- true
  exits "mounted where the program may write" 125 "$mounted" in alias "$TRACE_RUN" -p in/p.ini -- true
  like "which is said" "$err" "the grant on $PWD/alias .* lets the program change this profile"
  mkdir in/dir secret && ln -s ../../secret in/dir/link && echo text >secret/f
  profile_with "allow = make_sym,remove_file $PWD/alias" "allow = read_file $PWD/in/dir/link/f"
  run "$mounted" in alias "$TRACE_RUN" -p p.ini -- cat secret/f
  like "a link that the program can change by the other name" "$status $err" "^1 .*its directory can be changed by the program"
  touch alias/file
  exits "the file itself mounted there" 125 "$mounted" in/p.ini alias/file "$TRACE_RUN" -p in/p.ini -- true
  exits "and named by the mount" 125 "$mounted" in/p.ini alias/file "$TRACE_RUN" -p alias/file -- true
  profile_with "allow = write_file $PWD/an\\x20other"
  exits "blanks in the name of the mount" 125 "$mounted" . 'an other' "$TRACE_RUN" -p p.ini -- true
  mkdir -p "${trusted%/*}"
  mkdir state
  profile_with "allow = make_reg,write_file $PWD" "allow = write_file $PWD/state"
  trust p.ini
  exits "the list of trusted files, out of reach" 0 "$TRACE_RUN" -p p.ini -- true
  exits "and mounted within" 125 "$mounted" "$HOME/.local/state" state "$TRACE_RUN" -p p.ini -- true
  like "which is said as well" "$err" 'lets the program change the list of trusted files'
fi
# Between the look at the profile, whose bytes are then read, and the gate another file takes its name: strace stops it there.
fresh
printf '[profile]\nformat = 1\n[normal]\n' >name.ini
printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64 >>name.ini
held=("$TRACE_RUN" -q -p name.ini -- echo started)
if command -v strace >/dev/null; then
  at_open name.ini true
  is "control: in between nothing happens" "$status $out" "0 started"
  cp name.ini new.ini
  at_open name.ini mv new.ini name.ini
  is "a profile that was replaced in between is not used" "$status $out" "125 "
  like "which is said" "$err" 'name.ini: the profile was replaced while it was read$'
else
  skip "a profile that is replaced in between" "strace is not installed"
fi
finish
