#!/usr/bin/env bash
# trace-diff on files: what is a difference and what is not, its statuses, and what it does to a terminal.
. "$TL_SRC/tests/lib.sh"

# profile_file FILE LINES…: a profile with these lines behind its head.
profile_file() {
  local file=$1
  shift
  printf '%s\n' '[profile]' 'format = 1' 'landlock = 3' 'complete = yes' "$@" >"$file"
}

diff_says() {
  local name=$1 want=$2
  shift 2
  run "$TRACE_DIFF" "$@"
  is "$name" "$status|$out|$err" "$want"
}

fresh
profile_file a.ini '[normal]' 'allow = read_dir,read_file /srv/d' 'allow = execute,read_file /usr/bin/x' \
  '[guarded]' 'allow = write_file /etc/x' '[network]' 'allow = bind_tcp 80' 'allow = connect_tcp 443'
cat >same.ini <<'EOF'
# The same again, by hand.
[profile]
format = 1
complete = yes
landlock = 3
sessions = 9

[network]
allow = connect_tcp 443
; the web server
allow = bind_tcp 80

[protected]
; everything in one place
allow = write_file /etc//x
allow = read_file,execute /usr/bin/\x78
allow = read_dir,read_file /srv/d/
allow = read_file /srv/d/needless
EOF
diff_says "a profile and itself" '0||' a.ini a.ini
diff_says "the same facts in other lines" '0||' a.ini same.ini
diff_says "and the other way round" '0||' same.ini a.ini

sed 's/connect_tcp 443/connect_tcp 8443/' a.ini >port.ini
diff_says "another port" "1|[guarded]
+ network: connect_tcp 8443
- network: connect_tcp 443
gained: 1 guarded; lost: 1|" a.ini port.ini
sed 's|/srv/d$|/srv|' a.ini >wide.ini
diff_says "a wider line" "1|[normal]
~ read_dir,read_file /srv  (had read_dir,read_file on /srv/d)
gained: 1 normal|" a.ini wide.ini
diff_says "a narrower line" "1|[normal]
- read_dir,read_file /srv  (keeps read_dir,read_file on /srv/d)
lost: 1|" wide.ini a.ini

# gained LINES…: the highest tier for which --fail-on fails when a profile gains these lines; "none" below normal.
gained() {
  local tier
  profile_file new.ini "$@"
  profile_file old.ini "${before[@]}"
  for tier in protected guarded normal; do
    run "$TRACE_DIFF" --fail-on="$tier" old.ini new.ini
    case $status in
    1) echo "$tier"; return ;;
    0) ;;
    *) echo "status $status"; return ;;
    esac
  done
  echo none
}
before=()
is "nothing is gained" "$(gained)" none
is "a normal line" "$(gained '[protected]' 'allow = read_file /srv/x')" normal
is "a guarded line under a low heading" "$(gained '[normal]' 'allow = write_file /etc/x')" guarded
is "a protected line under a low heading" "$(gained '[normal]' "allow = read_file $HOME/.ssh/id")" protected
is "a line that reaches something protected" "$(gained '[normal]' "allow = read_file $HOME")" protected
is "a port" "$(gained '[network]' 'allow = connect_tcp 1')" guarded
is "a scope" "$(gained '[scope]' 'allow = signal')" protected
is "a seccomp word" "$(gained '[seccomp]' 'allow = io_uring')" protected
is "a held line" "$(gained '[held]' 'allow = write_file /etc/x')" none
is "an absent line" "$(gained '[absent]' 'allow = make_reg /etc')" none
is "an environment section" "$(gained '[environment]' 'keep = PATH')" none
before=('[held]' 'allow = read_file /srv/x')
is "a line that left held" "$(gained '[normal]' 'allow = read_file /srv/x')" protected
is "a held line that is gone" "$(gained)" none
before=('[environment]' 'keep = PATH' 'unset = TOKEN')
is "no environment section any more" "$(gained)" protected
is "a variable that passes again" "$(gained '[environment]' 'keep = PATH')" guarded
before=('[normal]' 'allow = read_file /etc/x' '[scope]' 'allow = signal')
is "less than before" "$(gained '[normal]')" none
profile_file old.ini
sed 's/landlock = 3/landlock = 2/' old.ini >new.ini
exits "a lowered landlock" 1 "$TRACE_DIFF" --fail-on=protected old.ini new.ini
exits "a raised landlock" 0 "$TRACE_DIFF" --fail-on=normal new.ini old.ini
exits "which is a difference" 1 "$TRACE_DIFF" new.ini old.ini

# Trouble: status 2, one line that names what is wrong, nothing on standard output.
trouble() {
  local name=$1 ere=$2
  shift 2
  exits "$name" 2 "$TRACE_DIFF" "$@"
  says_line "$name: one line"
  like "$name: which says it" "$err" "$ere"
  is "$name: nothing else" "$out" ''
}
printf '%s\n' '[profile]' 'format = 1' 'complete = yes' '[normal]' 'allow = fly /srv/x' >broken.ini
: >empty.ini
trouble "a file that is not there" 'none\.ini: No such file' a.ini none.ini
trouble "a directory" '/srv: ' a.ini /srv
trouble "a broken file" 'broken\.ini:5: ' broken.ini a.ini
trouble "an empty file" 'empty\.ini' a.ini empty.ini
trouble "one profile" 'OLD and NEW' a.ini
trouble "three profiles" 'b: unexpected operand' a.ini a.ini b
trouble "an unknown option" '--nope: unknown option' --nope a.ini a.ini
trouble "an unknown form" '--format=xml: it can be text or json' --format=xml a.ini a.ini
trouble "an unknown tier" '--fail-on=high: .*protected' --fail-on=high a.ini a.ini
trouble "an option without its argument" '--fail-on: this option needs an argument' a.ini a.ini --fail-on
trouble "a hostile option" '\\x1b\[31m' $'--\e[31m' a.ini a.ini
if [ "$TL_USER" = user ]; then
  cp a.ini secret.ini && chmod 0 secret.ini
  trouble "a file that may not be read" 'secret\.ini: Permission denied' a.ini secret.ini
fi
mkdir -p "$HOME/.config/trace-learn"
echo nonsense >"$HOME/.config/trace-learn/tiers.ini"
trouble "a tiers file with an error" 'tiers\.ini:1: ' a.ini a.ini
rm "$HOME/.config/trace-learn/tiers.ini"
run sh -c '"$0" a.ini wide.ini >/dev/full' "$TRACE_DIFF"
is "a full disk" "$status|$err" '2|trace-diff: writing to standard output: No space left on device'

cp a.ini ./--format.ini
diff_says "files that look like options" '0||' -- a.ini --format.ini
exits "options behind the files" 1 "$TRACE_DIFF" a.ini wide.ini --format=json
like "are options" "$out" '"different": true'
exits "--help" 0 "$TRACE_DIFF" --help
like "--help says what it does" "$out" 'Usage: trace-diff .*OLD NEW'
exits "--version" 0 "$TRACE_DIFF" --version
like "--version" "$out" '^trace-diff [0-9]+\.[0-9]+\.[0-9]+$'

# Colour is for terminals, and what comes from a profile never steers one.
profile_file hostile.ini '[protected]' "allow = read_file $HOME/.ssh/\\x1b[7m\\xe2\\x80\\xae" 'allow = read_file /srv/\x9b2J'
in_terminal "$TRACE_DIFF" a.ini hostile.ini
like "colour on a terminal" "$out" $'\e\\[1;31m\+ read_file'
unlike "but no sequence of a profile" "$out" $'\e\\[7m'
unlike "no direction of text" "$out" $'\xe2\x80\xae'
in_terminal env NO_COLOR=1 "$TRACE_DIFF" a.ini hostile.ini
unlike "no colour with NO_COLOR" "$out" $'\e'
run "$TRACE_DIFF" a.ini hostile.ini
unlike "no colour in a pipe" "$out" $'\e'
like "the name, escaped" "$out" '/\.ssh/\\x1b\[7m\\xe2\\x80\\xae'

profile_file tty.ini '[normal]' 'allow = read_file ${TTY}'
profile_file bare.ini
run "$TRACE_DIFF" bare.ini tty.ini
like "the terminal, where there is none" "$out" '\+ read_file \$\{TTY\}'
without=$out
in_terminal env NO_COLOR=1 "$TRACE_DIFF" bare.ini tty.ini
is "and where there is one" "$out" "$without"

# What was learned from the same work is the same, whatever ran at the same time and in whichever order.
fresh
for name in a b c d; do
  printf 'int %s(void) { return 1; }\n' "$name" >"$name.c"
done
printf '%s\n' 'all: a.o b.o c.o d.o' '%.o: %.c' '	$(CC) -c $<' >Makefile
learn_options=(-q)
for session in 1 2 3 4 5; do
  rm -f ./*.o
  profile=$session.ini
  learn make -j2
  is "session $session of a build" "$status" 0
done
for session in 2 3 4 5; do
  diff_says "sessions 1 and $session are the same" '0||' 1.ini "$session.ini"
done
rm -f ./*.o
echo news >"$TL_DIR/news"
printf '\tcat %s\n' "$TL_DIR/news" >>Makefile
profile=news.ini
learn make -j2
run "$TRACE_DIFF" 1.ini news.ini
like "a file that the build reads now is seen" "$status|$out" $'^1\\|.*\n\\+ read_file '"$TL_DIR/news"$'\n'
finish
