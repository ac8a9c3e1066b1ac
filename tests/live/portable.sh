#!/usr/bin/env bash
# --portable: learned by one user in one directory, run by another in another; and run again after a library's update.
. "$TL_SRC/tests/lib.sh"

# As nobody when we are root, who may become nobody; else as we are.
as_other=(env)
[ "$TL_USER" != root ] || as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# A tool of each user's own: it reads its settings, works in the present directory, and leaves temporary files.
place() {
  mkdir -p "$1/home" "$1/work/in dir" "$1/temp"
  echo "settings of $1" >"$1/home/.toolrc"
  echo "input of $1" >"$1/work/in dir/data"
  cat >"$1/work/tool" <<'TOOL'
#!/bin/sh
cat "$HOME/.toolrc" "$1"
t=$(mktemp) && echo x >"$t" && mv "$t" out && rm out
mkdir -p "$HOME/.cache/tool" && echo c >"$HOME/.cache/tool/c"
TOOL
  chmod +x "$1/work/tool"
  [ "$TL_USER" != root ] || chown -R "$2" "$1"
}

# at PLACE CMD…: there, with its variables.
at() {
  local place=$1
  shift
  cd "$place/work" || exit 1
  HOME=$place/home TMPDIR=$place/temp "$@"
  cd "$top" || exit 1
}

fresh
top=$PWD
chmod 755 "$TL_DIR" "$top"
place "$top/one" 0
place "$top/two" 65534
at "$top/one" run "$TRACE_LEARN" --portable -q --no-log -o "$top/p.ini" -- ./tool "in dir/data"
chmod 644 p.ini
is "learned" "$out" "settings of $top/one"$'\n'"input of $top/one"
unlike "no path of this place is in the profile" "$(cat p.ini)" "$top"
has "the home" 'allow = read_file ${HOME}/.toolrc'
has "the present directory" 'allow = execute,read_file ${DIRECTORY}/tool'
has "the program" 'program = ${DIRECTORY}/tool'
has "its directory" 'directory = ${DIRECTORY}'
has "a name with blanks" 'allow = read_file ${DIRECTORY}/in dir/data'
has "a move" 'move = ${TMPDIR} ${DIRECTORY}'
rm -rf "$top/one/home/.cache"
at "$top/one" run "$TRACE_RUN" -p "$top/p.ini"
is "it runs where it was learned" "$status" 0
at "$top/two" run "${as_other[@]}" "$TRACE_RUN" -p "$top/p.ini" -- ./tool "in dir/data"
is "and for another user in another directory" "$status $out" \
  "0 settings of $top/two"$'\n'"input of $top/two"
unlike "with all of its lines" "$err" "warning|passed over|not applied"
check "with what it makes there" test -s "$top/two/home/.cache/tool/c"
echo secret >"$top/two/home/other"
at "$top/two" run "${as_other[@]}" "$TRACE_RUN" -p "$top/p.ini" -- ./tool "$top/two/home/other"
isnt "nothing else of that user's home is readable" "$status" 0
like "the kernel says so" "$err" 'other: Permission denied'
rm -rf "$top/two/home/.cache"
at "$top/one" run "$TRACE_LEARN" -q --no-log -f -o "$top/p.ini" -- ./tool "in dir/data"
chmod 644 p.ini
at "$top/two" run "${as_other[@]}" "$TRACE_RUN" -p "$top/p.ini" -- ./tool "in dir/data"
isnt "control: learned without --portable it does not run there" "$status" 0
like "because the paths are those of the first place" "$(cat p.ini)" "$top/one/home/.toolrc"

# Arguments that are paths.
at "$top/one" run "$TRACE_LEARN" --portable -q --no-log -f -o "$top/p.ini" -- cat "$top/one/home/.toolrc" --
chmod 644 p.ini
at "$top/two" run "${as_other[@]}" "$TRACE_RUN" -p "$top/p.ini"
is "arguments are of the other place too" "$status $out" "0 settings of $top/two"
run env -u HOME "$TRACE_RUN" -p "$top/p.ini"
is "a variable that is not set is an error" "$status" 125
like "with its name and line" "$err" 'p.ini:[0-9]+: .*\$\{HOME\} is not set'
at "$top/one" run "$TRACE_PROFILE" check "$top/p.ini"
is "the profile passes" "$status" 0

# A second session is as portable as the first one.
cd "$top" || exit 1
cp "$top/p.ini" more.ini
"$TRACE_PROFILE" trust more.ini >trusted.txt
at "$top/one" run "$TRACE_LEARN" --no-log -m "$top/more.ini" -- cat "$top/one/home/.toolrc"
like "-m without --portable says that it takes it over" "$err" \
  "more.ini names its paths by variables, and so is what is added named, as with --portable"
at "$top/one" run "$TRACE_LEARN" -q --no-log -m "$top/more.ini" -- touch "$top/one/home/added"
like "what is added has them" "$(cat "$top/more.ini")" 'make_reg[a-z_,]* \$\{(HOME|DIRECTORY)\}'
unlike "and no path without" "$(cat "$top/more.ini")" "allow = .*$top/one"
at "$top/one" run "$TRACE_LEARN" --portable --no-log -m "$top/more.ini" -- cat "$top/one/home/.toolrc"
unlike "with it there is nothing to say" "$err" 'names its paths by variables'
at "$top/one" run "$TRACE_LEARN" --no-log -f -o plain.ini -- cat "$top/one/home/.toolrc"
at "$top/one" run "$TRACE_LEARN" --no-log -m plain.ini -- cat "$top/one/home/.toolrc"
is "nor of a profile without variables" "$status $(grep -c 'names its paths by variables' <<<"$err")" "0 0"

# A home that is named through a link is not a place of its own.
ln -s one/home "$top/link"
HOME=$top/link run "$TRACE_LEARN" --portable --no-log -f -o p.ini -- cat "$top/link/.toolrc"
like "which is said" "$err" 'does without these variables.*: HOME'
has "and its files are named by another" 'allow = read_file ${DIRECTORY}/one/home/.toolrc'

# A library's link in a system directory, where everybody may learn.
learn_options=(--portable)
learn sh -c :
shell=$(readlink -f /bin/sh)
if [ -L "${shell%/*}/sh" ]; then
  grants "the link that the shell is called by" "${shell%/*}/sh" execute,read_file
  grants "stands for it" "$shell" ''
else
  skip "a link in a system directory" "${shell%/*}/sh is no link"
fi
confined sh -c 'echo ran'
is "under which it runs" "$status $out" "0 ran"

# An update: only root can make a directory that only root can change.
if [ "$TL_USER" = root ]; then
  mkdir lib
  cp "$(ldd /bin/cat | awk '/libc\.so/ { print $3 }')" lib/libc-1.so
  ln -s libc-1.so lib/libc.so.6
  echo text >f
  export LD_LIBRARY_PATH=$PWD/lib
  learn cat f
  cp p.ini kept.ini
  learn_options=()
  learn cat f
  cp p.ini plain.ini
  unset LD_LIBRARY_PATH
  profile=kept.ini
  has "the link has the line" 'allow = read_file ${DIRECTORY}/lib/libc.so.6'
  ungranted "the file has none" 'libc-1'
  cp lib/libc-1.so lib/libc-2.so
  ln -sf libc-2.so lib/libc.so.6
  rm lib/libc-1.so
  run env LD_LIBRARY_PATH="$PWD/lib" "$TRACE_RUN" -p kept.ini
  is "after the update the profile still holds" "$status $out" "0 text"
  unlike "and no line is passed over" "$err" 'passed over|not applied|does not exist|missing'
  run env LD_LIBRARY_PATH="$PWD/lib" "$TRACE_RUN" -p plain.ini
  isnt "control: learned without --portable it does not" "$status" 0

  # By way of another directory, as /etc/alternatives: what stands beside the file itself is what an update leaves.
  mkdir alternatives bin
  cp /bin/cat bin/tool-1
  ln -s tool-1 bin/tool
  ln -s "$PWD/bin/tool" alternatives/reader
  ln -s "$PWD/alternatives/reader" bin/reader
  learn_options=(--portable)
  profile=p.ini
  learn "$PWD/bin/reader" f
  has "the last name within the file's own directory" 'allow = execute,read_file ${DIRECTORY}/bin/tool'
  ungranted "is granted, and not the file" 'tool-1|reader'
  mv bin/tool-1 bin/tool-2
  ln -sf tool-2 bin/tool
  confined "$PWD/bin/reader" f
  is "which survives an update too" "$status $out" "0 text"
  learn_options=()

  # Where others can change the link it stands for nothing.
  chmod 777 lib
  learn_options=(--portable)
  profile=p.ini
  LD_LIBRARY_PATH=$PWD/lib learn cat f
  ungranted "a link that others can change" 'libc\.so\.6'
  has "is no name for its file" 'allow = read_file ${DIRECTORY}/lib/libc-2.so'
fi
finish
