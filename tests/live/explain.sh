#!/usr/bin/env bash
# trace-run -e: what the kernel denied, each with the line that allows it; told from the kernel's answers, in all
# processes, beside the supervisor, and with status, output and job control as without it.
. "$TL_SRC/tests/lib.sh"
. "$TL_SRC/tests/explain-lib.sh"

fresh
echo text >f
system_and
run "$TRACE_RUN" -e -p p.ini -- true
is "the first word is that it is traced" "$(head -n 1 <<<"$err")" \
  "trace-run: the program is traced (-e), to explain what p.ini denies"
is "nothing denied" "$(tail -n 1 <<<"$err")" "trace-run: p.ini denied nothing"
explained -- cat f
is "the program fails as without" "$status $out" "1 "
told "reading" "[normal] allow = read_file $PWD/f" "openat of $PWD/f by /usr/bin/cat: EACCES, for want of read_file"
explained -- sh -c 'cat f; (cat f) | cat; exit 5'
is "the status is kept" "$status" 5
told "in children, counted" "[normal] allow = read_file $PWD/f" ', 2 times: EACCES'
explained -- sh -c 'kill -9 $$'
is "a signal too" "$status" 137
explained -- sh -c 'echo out; echo err >&2'
is "output passes" "$out" out
is "and all else is on stderr" "$err" "err
trace-run: p.ini denied nothing"
explained -- sh -c 'echo "cat: /etc/hostname: Permission denied" >&2'
is "whatever a program prints, nothing was denied" "$(tail -n 1 <<<"$err")" "trace-run: p.ini denied nothing"

system_and
mends "writing" "[normal] allow = write_file $PWD/f" '' sh -c 'echo x >>f'
mends "truncating" "[normal] allow = truncate $PWD/f" '' sh -c ': >f'
mkdir d
mends "listing" "[normal] allow = read_dir $PWD/d" '' ls d
mends "making" "[normal] allow = make_reg,write_file $PWD/d" '' sh -c ': >d/new'
mends "removing" "[normal] allow = remove_file $PWD/d" '' rm d/new
mends "a directory" "[normal] allow = make_dir $PWD/d" '' mkdir d/sub
mends "removing it" "[normal] allow = remove_dir $PWD/d" '' rmdir d/sub
mends "a link" "[normal] allow = make_sym $PWD/d" '' ln -s x d/link
mends "a fifo" "[normal] allow = make_fifo $PWD/d" '' mkfifo d/fifo
system_and "allow = make_reg $PWD/d"
mends "an exclusive one, which is left behind when it is refused" "[normal] allow = write_file $PWD/d" '' \
  perl -MFcntl -e 'sysopen(F, "d/$$", O_WRONLY | O_CREAT | O_EXCL) or exit 1'
system_and "allow = make_reg,write_file $PWD/d"
mends "what it made itself is granted by its directory" "[normal] allow = read_file $PWD/d" '' sh -c 'echo x >d/mine; cat d/mine'

# Renames and links across directories.
fresh
mkdir a b
echo x >a/f
system_and "allow = make_reg,remove_file $PWD/a" "allow = make_reg,read_file,remove_file $PWD/b"
explained -- perl -e 'rename "a/f", "b/f" or exit $!'
is "EXDEV as the kernel gives it" "$status" 18
told "refer at the source" "[normal] allow = refer $PWD/a" 'rename to move .*/a/f to .*/b/f by .*: EXDEV'
told "refer at the target" "[normal] allow = refer $PWD/b"
told "what it would gain" "[normal] allow = read_file $PWD/a/f" 'it would gain these rights at its new place'
cat >>p.ini <<EOF
allow = refer $PWD/a
allow = refer $PWD/b
EOF
mends "what it would gain alone" "[normal] allow = read_file $PWD/a/f" '' perl -e 'rename "a/f", "b/f" or exit $!'
system_and "allow = make_reg,remove_file $PWD/a" "allow = make_reg,remove_file $PWD/b"
explained -- perl -e 'link "b/f", "a/f" or exit $!'
told "a link" "[normal] allow = refer $PWD/a" 'link to link .*: EXDEV'

# Programs: what is missing of an exec.
fresh
cp /bin/true t
printf '#!%s\n' "$PWD/t" >script
chmod +x script
system_and "allow = execute,read_file $PWD/script"
explained -- ./script
is "126 as without" "$status" 126
told "the interpreter" "[normal] allow = execute,read_file $PWD/t" "exec of $PWD/t by .*: EACCES"
unlike "not what is there" "$err" "allow = [a-z_,]* $PWD/script"
unlike "not a word of it" "$err" "refused, but not by"
explained -- sh -c './script; exit 0'
told "and in a child" "[normal] allow = execute,read_file $PWD/t" "exec of $PWD/t by /usr/bin/(da|ba)sh"
loader=$(realpath "$(ldd /bin/true | grep -o '/lib[^ ]*/ld-linux[^ ]*')")
printf '[profile]\nformat = 1\n[normal]\nallow = execute,read_file %s\n' "$PWD/t" >p.ini
explained -- ./t
told "the loader" "[normal] allow = execute,read_file $loader" "exec of $loader"

# Not for want of a line.
fresh
echo x >mine
chmod 0 mine
system_and "allow = read_file $PWD/mine"
explained -- sh -c 'cat mine; :'
if [ "$TL_USER" = user ]; then
  like "ordinary permissions" "$err" "refused, but not by p.ini:
trace-run:     openat of $PWD/mine by /usr/bin/cat: EACCES; ordinary permissions"
else
  is "root may" "$status $out" "0 x"
  system_and "allow = read_file $PWD/mine"
  explained -- setpriv --reuid=65534 --clear-groups cat mine
  like "not another user of the session" "$err" 'refused, but not by p.ini'
  explained -- setpriv --bounding-set=-all --inh-caps=-all cat mine
  like "nor without capabilities" "$err" 'refused, but not by p.ini'
fi
unlike "and no line for it" "$err" "allow = [a-z_,]* $PWD/mine"

# A line whose file was not there, or was replaced: a rule is on an object.
fresh
mkdir d r
echo old >d/f
system_and "allow = read_file $PWD/d/f" "allow = read_file $PWD/d/late" "allow = make_reg,write_file $PWD/r"
replace_when_running() {
  wait_for test -e r/running && echo new >d/g && mv d/g d/f && echo late >d/late && : >r/replaced
}
replace_when_running &
explained -- sh -c ': >r/running; while ! test -e r/replaced; do :; done; cat d/f; cat d/late; exit 0'
wait
told "a replaced file by its directory" "[normal] allow = read_file $PWD/d" 'was replaced since the program started'
told "one that came later too" "[normal] allow = read_file $PWD/d" "$PWD/d/late was not there when the program started"
explained -- cat d/late
is "which the next start finds" "$status $out" "0 late"

# A line that is too long for one goes on in the next, and stands as it is told.
fresh
long=$PWD/$(printf 'd%.0s' {1..150})
mkdir -p "$long/$(printf 'e%.0s' {1..150})" && long=$long/$(printf 'e%.0s' {1..150})/f
echo x >"$long"
system_and
explained -- cat "$long"
is "a long line: denied" "$status" 1
awk '/^trace-run:   \[normal\] / { sub(/.*\] /, ""); line = $0; print; next }
  line ~ /\\$/ { sub(/^trace-run:  /, ""); line = $0; print }' <<<"$err" >told
check "it is told in several" test "$(wc -l <told)" -gt 1
check "none of which is too long" awk 'length > 197 { exit 1 }' told
cp p.ini again.ini
cat told >>p.ini
confined cat "$long"
is "they make it work" "$status $out" "0 x"
run "$TRACE_RUN" -q -e --format=json -p again.ini -- cat "$long"
python3 -c 'import json, sys; print(json.load(sys.stdin)["lines"][0]["line"])' <<<"${err##*$'\n'}" >>again.ini
profile=again.ini confined cat "$long"
is "as JSON too" "$status $out" "0 x"
finish
