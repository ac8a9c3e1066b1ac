#!/usr/bin/env bash
# trace-run: what is said before the program starts. Each line is on stderr, begins with our name, and stops nothing.
. "$TL_SRC/tests/lib.sh"

# profile_of HEAD SECTIONS
profile_of() {
  {
    printf '[profile]\nformat = 1\n%s\n[normal]\n' "$1"
    printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
    printf 'allow = read_file /etc/ld.so.cache\n%s\n' "$2"
  } | grep -v '^$' >"$profile"
}

# What is said but the line on the kernel, and the one that names -e.
said() {
  confined true
  grep -v -e '^trace-run: Landlock ABI ' -e 'trace-run -e tells$' <<<"$err"
}
named_explain() {
  grep -c '^trace-run: whether the program needs any of these, trace-run -e tells$' <<<"$err"
}

fresh
mkdir d e
profile_of '' ''
is "nothing to say" "$(said)" ""
is "and it starts" "$status" 0
is "and nothing that -e could tell of" "$(named_explain)" 0

profile_of '' "[held]
allow = write_file $PWD/d
allow = make_reg $PWD/e"
is "held lines, counted, with the first" "$(said)" \
  "trace-run: warning: p.ini: 2 held lines are not enforced; the first is line 10: write_file $PWD/d"
confined touch d/x
is "and not enforced" "$status" 1
is "-e is named once, for those who miss them" "$(named_explain)" 1
run_options=(-q)
confined true
unlike "not with -q" "$err" 'trace-run -e'
like "which keeps warnings" "$err" 'held lines are not enforced'
run_options=()
profile_of '' "allow = read_file $PWD/missing"
confined true
is "for a missing path too" "$(named_explain)" 1
mkdir d/under
profile_of '' "allow = make_reg,write_file $PWD/d
[held]
allow = make_reg,write_file $PWD/d/under"
like "a held line that another grant covers" "$(said)" \
  'trace-run: warning: p.ini: 1 held line is allowed all the same by other grants.*line 11: '"$PWD/d/under"
profile_of '' "allow = make_reg $PWD/d
[held]
allow = make_reg,write_file $PWD/d/under"
unlike "not when it is covered in part" "$(said)" 'all the same'

profile_of $'complete = no\nincomplete = io_uring was refused while learning\nincomplete = a second one' ''
is "an incomplete profile, with its reasons" "$(said)" \
  "trace-run: warning: p.ini: incomplete: a second one
trace-run: warning: p.ini: incomplete: io_uring was refused while learning"
profile_of $'complete = no\nincomplete = grants that were needed are held' ''
is "a reason that speaks of held lines, where none is" "$(said)" \
  "trace-run: warning: p.ini: incomplete: grants that were needed are held (nothing is held any more: see trace-profile check)"

profile_of '' "[protected]
allow = read_dir,read_file /"
is "more than read_dir on /" "$(said)" \
  "trace-run: warning: p.ini: it grants read_file on /, which reaches every file (see trace-profile check)"
profile_of '' "[protected]
allow = read_dir /"
is "read_dir alone needs no word" "$(said)" ""
profile_of '' "allow = write_file /etc/hostname
allow = read_file /etc/shadow"
is "lines under too low a heading, in one line" "$(said)" \
  "trace-run: warning: p.ini: 2 lines stand under too low a heading; the first is line 9: /etc/hostname is guarded, not normal (see trace-profile check)"
profile_of '' "[protected]
allow = write_file /etc/hostname"
is "too high a heading is no matter" "$(said)" ""
ln -s /etc/shadow "$PWD/l"
profile_of '' "allow = read_file $PWD/l"
like "a link shows what it leads to" "$(said)" "line 9: /etc/shadow is protected, not normal"
rm l

profile_of "directory = $PWD" "allow = read_dir $PWD/d"
is "the directory of the session" "$(said)" ""
sed -i "s|^directory = .*|directory = $PWD/d|" p.ini
is "another one, and grants there" "$(said)" \
  "trace-run: p.ini: learned in $PWD/d, and its grants stay there; the present directory is $PWD"
sed -i "s|^directory = .*|directory = $PWD/e|" p.ini
is "another one, and no grant there" "$(said)" ""

profile_of "tiers = $(printf x | sha256sum | cut -d' ' -f1)" ''
is "learned with another table of tiers" "$(said)" \
  "trace-run: p.ini: its headings come from another table of tiers than the present one (the one built in)"

profile_of '' $'[guarded]\nallow = read_file,write_file ${TTY}'
is "a line on the terminal without one" "$(said)" \
  "trace-run: p.ini: 1 line is passed over, as there is no terminal for \${TTY}; the first is line 10"
in_terminal "$TRACE_RUN" -p p.ini -- sh -c 'echo works >"$(tty)"'
like "and with one" "$status $out" '^0 .*works$'
unlike "nothing is passed over" "$out" 'passed over'
profile_of '' ''
in_terminal "$TRACE_RUN" -p p.ini -- sh -c 'echo works >"$(tty)"'
isnt "the terminal is refused without the line" "$status" 0

if [ "$TL_USER" = user ]; then
  mkdir closed
  echo x >closed/f
  profile_of '' "allow = read_file $PWD/closed/f"
  chmod 0 closed
  like "a path that may not be looked at" "$(said)" "nothing is granted on $PWD/closed/f: $PWD/closed/f: Permission denied"
  chmod 700 closed
fi
finish
