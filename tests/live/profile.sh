#!/usr/bin/env bash
# trace-profile on files: check, show and trust, their statuses, and what they do to a terminal and to the list.
. "$TL_SRC/tests/lib.sh"

profile_file() {
  local file=$1
  shift
  printf '%s\n' '[profile]' 'format = 1' 'landlock = 1' 'complete = yes' "$@" >"$file"
}

profile_says() {
  local name=$1 want=$2
  shift 2
  run "$TRACE_PROFILE" "$@"
  is "$name" "$status|$out|$err" "$want"
}

fresh
mkdir tree tree/d && echo x >tree/f && ln -s f tree/link
profile_file good.ini '[normal]' "allow = read_dir,read_file $PWD/tree/d" "allow = read_file $PWD/tree/f"
profile_says "nothing to say" '0||' check good.ini
profile_file bad.ini '[normal]' 'allow = write_file /etc/hostname' "allow = read_dir $PWD/tree/f" \
  "allow = read_file $PWD/tree/none" "allow = read_file $PWD/tree/link" "allow = read_file $PWD/tree" \
  "allow = read_file $PWD/tree/d" '[held]' "allow = read_file $PWD/tree/f/x"
chmod 777 tree
run "$TRACE_PROFILE" check good.ini bad.ini
is "findings: the status" "$status" 1
is "findings: nothing on standard error" "$err" ''
is "findings: a line each" "$(wc -l <"$TL_DIR/out")" 8
for finding in '6: error: write_file /etc/hostname is guarded and stands under \[normal\]' \
  '7: warning: .*/tree/f is not a directory, and only a directory can have read_dir' \
  '8: warning: .*/tree/none does not exist' '9: warning: .*/tree/link is a symbolic link to f' \
  '11: note: needless: read_file .*/tree \(line 10\) gives it already' \
  '13: error: held in vain: read_file is allowed all the same'; do
  like "findings: ${finding//\\/}" "$out" "(^|.)bad\\.ini:$finding"
done
profile_file incomplete.ini
sed -i 's/yes/no/; $a incomplete = a helper was not seen' incomplete.ini
profile_says "an incomplete profile" \
  '1|incomplete.ini:5: incomplete: a confined run may differ from the session: a helper was not seen|' \
  check incomplete.ini
profile_file notes.ini '[normal]' "allow = read_file $PWD/tree" "allow = read_file $PWD/tree/f"
exits "notes alone" 0 "$TRACE_PROFILE" check notes.ini
like "are told" "$out" 'notes.ini:7: note: '
printf '%s\n' '[profile]' 'format = 1' 'complete = yes' '[normal]' 'allow = fly /x' >broken.ini
run "$TRACE_PROFILE" check broken.ini good.ini
like "a broken file is a finding" "$status|$out|$err" '^1\|broken.ini:5: error: [^|]+\|$'
{
  printf '%s\n' '[profile]' 'format = 1' '[normal]'
  printf 'fly = /%d\n' {1..150}
} >many.ini
exits "many broken lines" 1 "$TRACE_PROFILE" check many.ini
is "are told, a hundred at most" "$(grep -c ': error: unknown key fly' "$TL_DIR/out") $(tail -n 1 "$TL_DIR/out")" \
  '100 many.ini:104: error: and so on: 50 more'
run "$TRACE_PROFILE" check none.ini notes.ini
like "a file that is not there is trouble" "$status|$err" '^2\|trace-profile: none.ini: No such file or directory$'
like "and the others are checked" "$out" 'notes.ini:7: note: '
mkfifo pipe.ini
run "$TRACE_PROFILE" check pipe.ini /dev/null .
is "what is no file is told as that" "$status|$out|$err" "2|pipe.ini: error: a named pipe, not a file
/dev/null: error: a device, not a file|trace-profile: .: a directory, not a file"
profile_file new_kernel.ini
sed -i 's/landlock = 1/landlock = 10/' new_kernel.ini
run "$TRACE_PROFILE" check new_kernel.ini
if [ "$status" -ne 0 ]; then
  like "a kernel that is too old" "$out" "new_kernel.ini:3: warning: this kernel has Landlock ABI [0-9]"
else
  skip "a kernel that is too old" 'this one knows all that there is'
fi

# show
profile_file show.ini '[normal]' "allow = read_file $PWD/tree" "allow = write_file $PWD/tree/f" \
  "allow = read_file $HOME/.ssh/id" '[network]' 'allow = connect_tcp 443'
run "$TRACE_PROFILE" show show.ini
is "show: the status" "$status|$err" '0|'
like "show: a directory reaches what is beneath" "$out" 'tree/\*\* +read_file'
like "show: a file does not" "$out" $'\n +f +write_file'
like "show: computed tiers" "$out" $'\nprotected +[^ ]*\.ssh/id +read_file  \(stands under \[normal\]\)'
like "show: counts" "$out" 'files +1 protected, 2 normal'
like "show: ports" "$out" 'network +connect_tcp 443'
unlike "show: no colour in a pipe" "$out" $'\e'
in_terminal "$TRACE_PROFILE" show show.ini
like "show: colour on a terminal" "$out" $'\e\\[1;31mprotected'
in_terminal env NO_COLOR=1 "$TRACE_PROFILE" show show.ini
unlike "show: no colour with NO_COLOR" "$out" $'\e'
profile_file hostile.ini '[normal]' 'allow = read_file /srv/\x1b[7m\n[held]\xe2\x80\xae'
in_terminal env NO_COLOR=1 "$TRACE_PROFILE" show hostile.ini
unlike "show: hostile names" "$out" $'[\e\u202e]|\n\\[held'
in_terminal env NO_COLOR=1 "$TRACE_PROFILE" check hostile.ini
unlike "check: hostile names" "$out" $'[\e\u202e]|\n\\[held'
exits "show: a broken file" 2 "$TRACE_PROFILE" show broken.ini
like "show: its line" "$err" '^trace-profile: broken.ini:5: '
mkdir -p ~/.ssh/sub && touch ~/.ssh/config ~/.ssh/named
ln -f ~/.ssh/named linked
profile_file reach.ini '[protected]' "allow = read_file $HOME/.ssh" "allow = write_file $HOME/.ssh/named"
run "$TRACE_PROFILE" show reach.ini
like "show: what a directory above normal reaches" "$out" \
  $'\n'"reach +read_file $HOME/.ssh also reaches, and no line names:"$'\n'"protected +$HOME/.ssh/config"$'\n'"protected +$HOME/.ssh/"
unlike "show: what has a line is not listed" "$out" "protected +$HOME/.ssh/named"
like "show: a file with more names" "$out" 'reach +write_file [^ ]*/\.ssh/named: the file has 2 links'
run "$TRACE_PROFILE" show --format=json reach.ini
like "show: in JSON too" "$(jq -c '.grants[0].reaches[0], (.grants[0] | .reached == (.reaches | length))' <<<"$out" | tr '\n' ' ')" \
  '^\{"path":".*/\.ssh/config","tier":"protected"\} true'
run sh -c '"$0" show show.ini >/dev/full' "$TRACE_PROFILE"
is "show: a full disk" "$status|$err" '2|trace-profile: writing to standard output: No space left on device'

# trust
list=$HOME/.local/state/trace-learn/trusted
# shellcheck disable=SC2317 # called through check and fails
is_trusted() {
  grep -qxF "$(sha256sum <"$1" | cut -d' ' -f1) $(realpath "$1")" "$list"
}
run "$TRACE_PROFILE" show good.ini
shown=$out
run "$TRACE_PROFILE" trust good.ini
is "trust: shows the profile" "$status|$out" "0|$shown"
like "trust: says the hash" "$err" "^trace-profile: good.ini: trusted .*$(sha256sum <good.ini | cut -d' ' -f1)\\)\$"
check "trust: the hash of these bytes is in the list" is_trusted good.ini
is "trust: the list is for its owner" "$(stat -c %a "$list")" 600
cp good.ini changed.ini && echo '; more' >>changed.ini
fails "trust: other bytes are not" is_trusted changed.ini
exits "trust: a broken file" 2 "$TRACE_PROFILE" trust broken.ini
fails "trust: is not let in" is_trusted broken.ini
run sh -c '"$0" trust changed.ini >/dev/full' "$TRACE_PROFILE"
is "trust: what cannot be shown" "$status" 2
fails "trust: is not let in either" is_trusted changed.ini
run sh -c 'printf "no tiers\n" >tiers.ini && "$0" trust tiers.ini' "$TRACE_PROFILE"
is "trust: neither profile nor tiers" "$status" 2
fails "trust: is not let in as well" is_trusted tiers.ini
: >empty.ini
exits "trust: an empty file" 2 "$TRACE_PROFILE" trust empty.ini
like "trust: is no profile" "$err" 'empty.ini:1: empty: a profile begins with \[profile\]'
printf '%s\n' '; mine' '[tiers]' 'format = 1' 'path = guarded protected /srv/\x1b/**' $'; \e[7m' >tiers.ini
run "$TRACE_PROFILE" trust tiers.ini
is "trust: a tiers file: control bytes are refused" "$status" 2
sed -i '$d' tiers.ini
run "$TRACE_PROFILE" trust tiers.ini
is "trust: a tiers file is shown" "$status|$out" "0|$(cat tiers.ini)"
check "trust: and let in" is_trusted tiers.ini
mkfifo fifo
exits "trust: a fifo" 2 "$TRACE_PROFILE" trust fifo
exits "trust: without a place for the list" 2 env -u HOME -u XDG_STATE_HOME "$TRACE_PROFILE" trust good.ini
says_line "trust: one line for that"
profile_file own.ini '[protected]' "allow = make_reg,remove_file $PWD"
exits "check: a profile that its program can change" 1 "$TRACE_PROFILE" check own.ini
like "check: what to do" "$out" 'own.ini: error: .*line 6 of the profile.*trace-profile trust'
exits "check: and without a place for the list" 1 env -u HOME -u XDG_STATE_HOME "$TRACE_PROFILE" check own.ini
like "check: what to do then" "$out" 'own.ini: error: .* neither XDG_STATE_HOME nor HOME is an absolute path: set one of them'
unlike "check: no advice that cannot be followed" "$out" 'trace-profile trust'
exits "trust: it" 0 "$TRACE_PROFILE" trust own.ini
profile_says "check: once trusted" '0||' check own.ini

# What was learned has nothing wrong.
fresh
learn sh -c 'cat /etc/hostname; echo x >new; mkdir d; ls -l d'
exits "a learned profile passes" 0 "$TRACE_PROFILE" check p.ini
is "with nothing to say" "$out$err" ''
exits "a learned profile is shown" 0 "$TRACE_PROFILE" show p.ini
like "with its program" "$out" $'\nprogram +/[^\n]*/sh \\(as sh\\)\n'
like "and what it reads" "$out" $'\n +hostname +read_file\n|\n +etc/hostname +read_file\n'

# Wrong command lines.
mkfifo pipe
exits "trust: a named pipe" 2 "$TRACE_PROFILE" trust pipe
is "is none, as it is for the others" "$err" "trace-profile: pipe: a named pipe, not a file"
wrong() {
  local name=$1 ere=$2
  shift 2
  exits "$name" 2 "$TRACE_PROFILE" "$@"
  says_line "$name: one line"
  like "$name: which says it" "$err" "$ere"
}
wrong "no command" 'which command\? check, show, .*trust'
wrong "an unknown command" 'explain: no such command' explain good.ini
wrong "a mistyped command" 'chekc: no such command, perhaps check; there are' chekc good.ini
wrong "an option in front of its command" '--format=json: the options of show stand behind it' --format=json show good.ini
wrong "a short one" '-p: the options of why stand behind it \(see trace-profile why --help\)' -p good.ini why /x
wrong "a wrong option alone" '--fromat: unknown option' --fromat
wrong "another command of the four" 'diff: that is a command of its own: trace-diff OLD NEW' diff p.ini p.ini
wrong "the learner" 'learn: that is a command of its own: trace-learn -- PROGRAM' learn true
for command in check show merge review trust export; do
  wrong "$command -p" "-p: here the file stands without an option: trace-profile $command p.ini" "$command" -p p.ini
done
wrong "show --profile=" '-p: here the file stands without an option: trace-profile show p.ini' show --profile=p.ini
unlike "which help does not offer" "$("$TRACE_PROFILE" show --help)" 'profile='
wrong "a mistyped option" '--fromat=json: unknown option, perhaps --format' show --fromat=json good.ini
wrong "a profile called -" 'no file is called -: standard input is /dev/stdin$' show -
exits "control: that one is read" 0 bash -c '"$TRACE_PROFILE" show /dev/stdin <p.ini'
wrong "a profile without a name" 'the name of the profile is empty' show ''
wrong "an unknown option" '--nope: unknown option \(see trace-profile --help\)' --nope check good.ini
wrong "an unknown option of a command" '--nope: unknown option \(see trace-profile check --help\)' check --nope good.ini
wrong "an option of another command" '--format=json: unknown option' check --format=json good.ini
wrong "no file" 'which file' check
wrong "two files to show" 'good.ini: unexpected operand' show show.ini good.ini
wrong "a hostile command" '\\x1b\[31m' $'\e[31m'
for command in '' check show merge trust; do
  # shellcheck disable=SC2086 # none or one word
  exits "$command --help" 0 "$TRACE_PROFILE" $command --help
  like "$command --help says how" "$out" "^Usage: trace-profile ${command:-\[OPTION}"
  # shellcheck disable=SC2086
  exits "$command --version" 0 "$TRACE_PROFILE" $command --version
done
finish
