#!/usr/bin/env bash
# trace-profile why and trace-diff --why: who made a line necessary, by which rule, from real logs; and whether a
# profile allows something, which the kernel then confirms.
. "$TL_SRC/tests/lib.sh"

why() {
  run "$TRACE_PROFILE" why "$@"
}

# said NAME ERE: a line of the answer matches.
said() {
  check "$1" grep -Eq -- "$2" "$TL_DIR/out"
}

# The log's answer to a question: status, and what it must say.
told() {
  local name=$1 pattern=$2
  shift 2
  why --log=l.jsonl "$@"
  is "$name: the log tells of it" "$status" 0
  said "$name" "$pattern"
}

fresh
mkdir d1 d2 work
echo one >d1/f
echo two >d2/keep
printf '#!%s\necho script\n' /bin/sh >script && chmod 755 script
echo hello >file
learn_options=(-l l.jsonl)
sleep 100 &
outside=$!
learn sh -c 'cat file file >/dev/null; cat d2/keep; mv d1/f d2/f; mkdir work/new; echo x >work/new/y; cat work/new/y; ./script; cat none
  cat /proc/self/maps >/dev/null; kill -0 "$1"; exit 3' sh "$outside"
status_learned=$status
kill "$outside"
is "learned" "$status_learned" 3
dash=$(readlink -f /bin/sh)
loader=$(sed -n 's/^allow = execute,read_file \(.*ld-linux.*\|.*ld-.*so.*\)/\1/p' p.ini | head -n 1)
cat=$(readlink -f "$(command -v cat)")

told "who: the command line" '^  cat file file$' file
said "the process and its parents" "^    process [0-9]+ \($cat\), of sh -c "
said "the call, the result and how often" "^    openat [A-Z_|]+ $PWD/file: ok, 2 times, first 20[0-9T:.-]+Z$"
said "the rule" "^    exact -> read_file $PWD/file: it was used itself$"
told "a line in one word" '^    exact -> ' "read_file $PWD/file"
told "a pasted line" '^    exact -> ' allow = read_file "$PWD/file"
told "right and path" '^    exact -> ' read_file ./file
told "a line of the file" "^read_file $PWD/file  \(normal\)$" "p.ini:$(grep -nF "read_file $PWD/file" p.ini | cut -d: -f1)"
said "which is allowed by itself" "^  by p.ini:[0-9]+: read_file $PWD/file$"
told "a born name" "^    born -> read_file $PWD/work: the name was made in the session" work/new/y
told "what made it" "^    directory -> make_dir $PWD/work: names in this directory" work/new
told "the line that it went to" "^    born -> [a-z_,]+ $PWD/work:" "make_reg,write_file $PWD/work"
told "a script" "^    exact -> execute,read_file $PWD/script" script
told "its interpreter" "^    exec -> execute,read_file $dash: an exec pulls it in" "$dash"
told "the loader" "^    exec -> execute,read_file $loader: an exec pulls it in" "$loader"
told "an entry of its own" '^    proc -> read_file /proc/self/maps: it is the process.s own entry' /proc/self/maps
told "a missing file" '^    no grant: nothing was there' ./none
told "a move" "^    moves -> $PWD/d1/f: what is granted on $PWD/d2" d1/f
told "both its directories" "^    directory -> refer,remove_file $PWD/d1:" d2
told "a scope" '^    exact: it has a line of its own' signal
said "by the shell" '^  sh -c '
why --log=l.jsonl /etc/nobody-asked
is "what the log does not tell of" "$status" 1
said "is said" 'no access in this log took it'
why --log=l.jsonl "execute $PWD/file"
is "a right that nobody took" "$status" 1
why --log=l.jsonl "execute,read_file $PWD/file"
said "one of two: said" 'execute: no access in these logs took it'

# Rename closure: d2 was granted read_file as a whole, so what was moved there had to have it before.
fresh
mkdir d1 d2 && echo x >d1/g
learn sh -c 'mv d1/g d2/g; cat d2/g'
has "the moved file got the right of its new directory" "allow = read_file $PWD/d1/g"
told "why: because of the move" "^    moves -> $PWD/d1/g: what is granted on $PWD/d2 has to be granted here too" \
  "read_file $PWD/d1/g"
unlike "and not because it was used" "$out" 'exact ->'
told "the directory itself: a born name" "^    born -> read_file $PWD/d2" "read_file $PWD/d2"

# Collapse: the line is wider than what was needed.
fresh
mkdir d && touch d/1 d/2 d/3 d/4
learn_options=(-l l.jsonl --collapse)
learn sh -c 'cat d/1 d/2 d/3 d/4'
has "collapsed" "allow = read_file $PWD/d"
told "why: what lies beneath" "^    exact -> read_file $PWD/d/3" "read_file $PWD/d"
said "and that the line is wider" 'the line is wider than that: collapsed'
learn_options=(-l l.jsonl)

# In a terminal.
fresh
in_terminal "$TRACE_LEARN" -q -f -o p.ini -l l.jsonl -- sh -c 'stty -a </dev/tty >/dev/null; : <"$(tty)"'
# shellcheck disable=SC2016 # the profile's variable, not the shell's
grep -q 'TTY}' p.ini && told "the terminal, by its variable" '^    terminal -> [a-z_,]+ \$\{TTY\}: it is the controlling terminal' \
  "read_file \${TTY}"

# Would this be allowed? Each answer is put to the kernel.
fresh
echo hello >yes && echo hello >no && mkdir dir
printf '%s\n' '[profile]' 'format = 1' '[normal]' "allow = read_file $PWD/yes" "allow = make_reg,write_file $PWD/dir" \
  '[held]' "allow = read_file $PWD/held" >mine.ini
learn cat yes
cp p.ini base.ini
cat=$(command -v cat)
for file in yes no; do
  why -p p.ini read_file "$file"
  answer=$status
  confined cat "$file"
  is "$file: the kernel says the same" "$status" "$answer"
done
why -p p.ini read_file no
said "what is missing" '^  not allowed: read_file is missing$'
said "what to add, and where" "^  to allow it, add under \[normal\]: allow = read_file $PWD/no$"
line=$(sed -n 's/.*add under \[normal\]: //p' "$TL_DIR/out")
sed -i "/^\[normal\]/a $line" p.ini
why -p p.ini read_file no
is "with the line it is allowed" "$status" 0
confined cat no
is "and the kernel says so too" "$status $out" '0 hello'
run "$TRACE_PROFILE" why p.ini read_file no
is "a profile in the place of the question" "$status" 2
like "is an option, says the message" "$err" 'was "-p p.ini" meant\?'
run "$TRACE_PROFILE" why -p p.ini -p base.ini "$PWD/no"
is "two profiles" "$status" 2
like "are told" "$err" 'trace-profile merge -o FILE p.ini base.ini'
why -p base.ini execute "$cat"
is "execute asks for both" "$status" 0
said "of which the line is told" "by base.ini:[0-9]+: execute,read_file $(readlink -f "$cat")"
why -p mine.ini "$PWD/dir/x"
is "a path: what is allowed on it" "$status" 0
said "which rights" '^  allowed: (make_reg,)?write_file'
why -p mine.ini make_reg,write_file no
is "making a file is asked about the file" "$status" 1
said "which cannot have that" '^  it is no directory, and only one can have such a right: .* ask about the directory that it lies in$'
fails "and no line on it is told, which would let nothing in" grep -q 'to allow it' "$TL_DIR/out"
why -p mine.ini make_reg,write_file none
said "a file that is to be made" '^  nothing is there: to make it, ask about the directory that it is to lie in$'
why -p mine.ini make_dir,write_file dir
said "the control: a directory gets its line" "to allow it, add under \\[normal\\]: allow = make_dir $PWD/dir"
fails "without more" grep -q 'ask about' "$TL_DIR/out"
why -p mine.ini /etc/shadow
is "a path where nothing is" "$status" 1
why -p mine.ini read_file held
is "held is not allowed" "$status" 1
said "by which line" "^  held in mine.ini:7: read_file $PWD/held$"
said "a person has to move it" 'the path is held: a person has to move its line'
why -p mine.ini write_file /
said "the root is never granted" '/ never gets more than read_dir'
why -p mine.ini connect_tcp 443
is "a port" "$status" 1
said "to be added" 'add under \[network\] \(guarded\): allow = connect_tcp 443'
why -p mine.ini udp
said "a word" 'add under \[seccomp\] \(protected\): allow = udp'
why mine.ini:7
is "a held line by its number" "$status" 1
why mine.ini:4
is "a line by its number" "$status" 0
why -p mine.ini "$PWD/dir/../yes"
is ".. is followed" "$status" 0
ln -s yes link
why -p mine.ini read_file link
is "a link is followed" "$status" 0

# A line's own links: as trace-run follows them, so not where others than root can change them.
printf '[profile]\nformat = 1\n[normal]\nallow = read_file %s\nallow = read_file %s\n' /etc/hosts "$PWD/open/through" >links.ini
mkdir there open && chmod 777 open && touch there/f && ln -s ../there open/through
why -p links.ini read_file "$PWD/there/f"
is "nothing is allowed through a link that is not followed" "$status" 1
run "$TRACE_PROFILE" check links.ini
like "check says so" "$out" "links.ini:5: warning: $PWD/open/through is a symbolic link to ../there, and its directory"
if [ -L /bin ]; then
  printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_file /bin\n' >links.ini
  why -p links.ini "execute,read_file" "$cat"
  is "a line through a link that only root can change" "$status" 0
  run "$TRACE_RUN" -p links.ini --print
  is "control: trace-run follows it" "$status $err" "0 "
else
  skip "a line through a link that only root can change" "/bin is none"
fi
if [ "$TL_USER" = root ] && unshare -m true 2>/dev/null; then
  mkdir second
  printf '[profile]\nformat = 1\n[normal]\nallow = read_file %s\n' "$PWD/there" >bind.ini
  why -p bind.ini read_file "$PWD/second/f"
  is "control: without the mount it is another directory" "$status" 1
  run unshare -m sh -c 'mount --bind there second && exec "$0" why -p bind.ini read_file "$PWD/second/f"' "$TRACE_PROFILE"
  is "another name by a bind mount" "$status" 0
fi

# Trouble is 2, in one line.
trouble() {
  local name=$1
  shift
  exits "$name" 2 "$TRACE_PROFILE" why "$@"
  says_line "$name: in one line"
  is "$name: nothing else" "$out" ''
}
trouble "nobody to ask" /etc
trouble "no question" -p p.ini
trouble "no such profile" -p none.ini /etc
trouble "no such log" --log=none /etc
trouble "a profile is no log" --log=p.ini /etc
trouble "no such line" p.ini:1
trouble "no such right" -p p.ini fly /etc
trouble "neither path nor line" -p p.ini nothing
trouble "too many words" -p p.ini read_file a b
trouble "no port" -p p.ini connect_tcp 65536
trouble "a path that is empty" -p p.ini ''
trouble "another form" -p p.ini --format=xml /etc

# A killed session's log.
fresh
echo x >file
learn sh -c 'cat file'
head -c -30 l.jsonl >cut.jsonl
why --log=cut.jsonl file
is "a cut log answers" "$status" 0
like "with a warning" "$err" 'warning: cut.jsonl: the last line is cut'

# trace-diff --why
learn sh -c 'cat file'
cp p.ini old.ini
cp l.jsonl first.jsonl
echo y >extra
learn_options=(-l second.jsonl)
learn sh -c 'cat file extra'
run "$TRACE_DIFF" --why=first.jsonl --why=second.jsonl old.ini p.ini
is "trace-diff: the status is as without" "$status" 1
said "a gained line" "^\+ read_file $PWD/extra"
said "with who needed it" '^    cat file extra$'
said "and the rule" "      exact -> read_file $PWD/extra"
run "$TRACE_DIFF" --why=first.jsonl old.ini p.ini
said "a log that does not tell of it" "    read_file: no access in these logs took it"
run "$TRACE_DIFF" --why=second.jsonl p.ini old.ini
unlike "what was lost is not asked about" "$out" 'exact ->'
exits "trace-diff: no such log" 2 "$TRACE_DIFF" --why=none old.ini p.ini
says_line "in one line"

# What a line of a profile is not.
printf '[profile]\nformat = 1\n; why\n[normal]\nallow = read_file /etc/hosts\n; the end\n\n' >lines.ini
exits "a comment" 2 "$TRACE_PROFILE" why --profile=lines.ini lines.ini:3
like "is told apart" "$err" 'lines.ini:3: this line allows nothing by itself'
exits "a line behind the last" 2 "$TRACE_PROFILE" why --profile=lines.ini lines.ini:9
like "from what is not there" "$err" 'lines.ini:9: nothing stands there: the last that this profile says is in line 5'
exits "line 0" 2 "$TRACE_PROFILE" why --profile=lines.ini lines.ini:0
is "there is none" "$err" 'trace-profile: lines.ini:0: the first line of a file is line 1'
exits "control: the line that allows something" 0 "$TRACE_PROFILE" why --profile=lines.ini lines.ini:5

# Names that are not known: what may have been meant, and what there is.
unknown() {
  printf '[profile]\nformat = 1\n%b' "$1" >unknown.ini
  exits "an unknown name is an error: $2" 1 "$TRACE_PROFILE" check unknown.ini
  like "with what is known: $2" "$out$err" "$2"
}
unknown '[normal]\nallow = raed_file /etc\n' 'unknown right raed_file, perhaps read_file \(known: execute, .*truncate'
unknown '[normal]\nallow = READ_FILE /etc\n' 'unknown right READ_FILE, perhaps read_file \(known: execute,'
unknown '[normal]\nallow = /etc\n' 'the rights are missing in front of /etc \(known: execute,'
unknown '[network]\nallow = 443\n' 'the rights are missing in front of 443 \(known: bind_tcp,'
unknown '[normal]\nallow = read_file ~/x\n' 'not an absolute path: ~/x \(the home directory is \$\{HOME\}\)'
unknown '[nromal]\n' 'unknown section \[nromal\], perhaps normal \(known: profile, normal, guarded,'
unknown '[seccomp]\nallow = unixsocket\n' 'unknown word unixsocket in \[seccomp\], perhaps unix_socket \(known: bpf,'
unknown 'progarm = /x\n' 'unknown key progarm in \[profile\], perhaps program \(known: format,'
unknown '[environment]\nkep = X\n' 'unknown key kep in \[environment\], perhaps keep \(known: keep, set, unset\)'
exits "unknown: a right that is asked for" 2 "$TRACE_PROFILE" why --profile=lines.ini raed_file /etc
like "with what may have been meant" "$err" 'unknown right raed_file, perhaps read_file \(known: execute,'
exits "unknown: a right on a port that is asked for" 2 "$TRACE_PROFILE" why --profile=lines.ini conect_tcp 443
like "with those that ports have" "$err" 'unknown right conect_tcp, perhaps connect_tcp \(known: bind_tcp,'
exits "unknown: a tier to hold" 125 "$TRACE_LEARN" --hold=foo -- true
like "without the one that cannot be held" "$err" 'hold=foo: it can be guarded or protected$'
finish
