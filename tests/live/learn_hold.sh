#!/usr/bin/env bash
# What deserves a look: -q does not hide it, and --hold says what it cannot hold.
. "$TL_SRC/tests/lib.sh"

# One of each: a guarded file, a protected one, a port, a scope, a group of calls; each step tells how it went.
fresh
mkdir "$HOME/.ssh"
echo key >"$HOME/.ssh/id"
cat >steps <<'END'
read x <~/.ssh/id && echo protected
: >>~/guarded && echo guarded
(: </dev/tcp/127.0.0.1/1) 2>&1 | grep -q refused && echo port
kill -0 "$PPID" 2>/dev/null && echo scope
chmod 600 mode && echo calls
exit 3
END
: >mode
: >"$HOME/guarded"
all='protected guarded port scope calls'
# learned OPTION…: learns with these options.
learned() {
  run "$TRACE_LEARN" "$@" -f -o p.ini -- bash steps
}
went() {
  tr '\n' ' ' <<<"$out" | sed 's/ $//'
}
under_it() {
  confined bash steps
}
learned -q
is "control: all of it works while learning" "$status $(went)" "3 $all"
under_it
is "control: and under the profile" "$status $(went)" "3 $all"

# What -q says: what is above normal, and no more.
learned -q
like "-q says what is guarded" "$err" "trace-learn: guarded: write_file $HOME/guarded"
like "what is protected" "$err" "trace-learn: warning: protected: read_file $HOME/.ssh/id"
like "ports" "$err" 'trace-learn: guarded: network: connect_tcp 1'
like "scopes" "$err" 'trace-learn: warning: protected: scope: signal'
like "groups of calls, and what they open" "$err" 'trace-learn: warning: protected: seccomp: metadata \(.+\)'
is "a line each" "$(grep -cvE '^trace-learn: (guarded|warning: protected): ' <<<"$err")" 0
mkdir collapsed
touch collapsed/{1..9}
run "$TRACE_LEARN" -q --collapse -f -o p.ini -- sh -c 'cat collapsed/[1-8]'
like "-q says what is wider than what was seen" "$err" "$PWD/collapsed.*collapse"
mkdir -p repository/.git/hooks
run "$TRACE_LEARN" -q -f -o p.ini -- sh -c ': >repository/new'
like "-q says when a normal grant reaches hooks that are there" "$err" "warning:   $PWD/repository/.git/hooks \(protected\)"
run "$TRACE_LEARN" -q -f -o p.ini -- sh -c ': >collapsed/new'
is "control: and nothing where there are none" "$err" ''
learned
like "without -q: how many there are" "$err" 'grants: [0-9]+ normal, [12] guarded, 1 protected, 1 port, 1 scope, (1 group|2 groups) of calls'

# What --hold does with them: paths are held; the rest has no place there, is in force, and that is said.
not_held() {
  sed -n 's/^trace-learn: warning: \(guarded\|protected\), and not held, since --hold is for paths (--review asks about it): //p' "$TL_DIR/err" |
    grep -v unix_socket | cut -d' ' -f1-3 | paste -sd,
}
learned -q --hold=protected
is "--hold=protected: the program works while learning" "$status $(went)" "3 $all"
has "a protected line is held" "allow = read_file $HOME/.ssh/id"
ungranted "and not granted" "$HOME/.ssh/id"
is "scopes and groups of calls are not, which is said" "$(not_held)" 'scope: signal,seccomp: metadata (change'
under_it
is "the kernel refuses what is held, and nothing else" "$(went)" 'guarded port scope calls'
learned -q --hold=guarded
is "--hold=guarded: nor are ports" "$(not_held)" 'network: connect_tcp 1,scope: signal,seccomp: metadata (change'
under_it
is "the kernel refuses the guarded file too" "$(went)" 'port scope calls'
run python3 "$TL_SRC/tests/live/review_session.py" 'wait 1 of ' 'wait > ' 'press s' 'wait Not answered' 'wait again?' 'press s' -- "$TRACE_LEARN" --hold=guarded \
  --review -l review.jsonl -f -o p.ini -- bash steps
for fact in '"port":1,' '"rights":\["signal"\]' '"group":"metadata"'; do
  like "--review asks: $fact" "$(cat review.jsonl)" "\"event\":\"answer\",[^}]*$fact"
done
under_it
is "and grants none that was not accepted" "$(went)" ''

# What would let in what is held is held with it, though its own tier is lower: and that is why, it says.
fresh
mkdir -p "$HOME/work/.git/hooks"
making=(sh -c 'echo x >"$HOME/work/new" && echo x >"$HOME/work/.git/hooks/new"')
run "$TRACE_LEARN" --hold=protected -f -o p.ini -- "${making[@]}"
for path in work work/.git/hooks; do
  has "$path is held" "allow = make_reg,write_file $HOME/$path"
  ungranted "and not granted" "$HOME/$path"
done
like "the protected one for its own sake" "$err" \
  "held \(protected\), not enforced until a person moves the line: make_reg,write_file $HOME/work/.git/hooks"
like "the guarded one for what lies beneath it" "$err" \
  "held \(guarded\), for it would let in what is held on $HOME/work/.git/hooks, not enforced until .*: make_reg,write_file $HOME/work"$'\n'
rm "$HOME/work/new" "$HOME/work/.git/hooks/new"
run "$TRACE_LEARN" --hold=guarded -f -o p.ini -- "${making[@]}"
like "with --hold=guarded it is held for its own sake" "$err" \
  "held \(guarded\), not enforced until a person moves the line: make_reg,write_file $HOME/work"$'\n'

# What a person moved by hand is held no more: that the reason stays after another session is told as that.
rm -f "$HOME/work/new" "$HOME/work/.git/hooks/new"
sed 's/^\[held\]/[protected]/' p.ini >moved.ini
run "$TRACE_LEARN" -m moved.ini -- "${making[@]}"
like "-m says that nothing is held any more" "$err" \
  'incomplete, a confined run may differ: grants that were needed are held \(nothing is held any more: see trace-profile check\)'
finish
