#!/usr/bin/env bash
# What the summary says of a profile that deserves a second look: names that the program may exchange, other processes,
# a profile that trace-run would refuse, and a command that can be pasted whatever is in it.
. "$TL_SRC/tests/lib.sh"

# Names that may be exchanged: that they may, first.
fresh
mkdir d && echo public >d/f && echo secret >d/other
learn sh -c 'cat d/f; : >d/new; mv d/new d/newer; rm d/newer'
said="the program may put something else of $PWD/d under the name $PWD/d/f, and has read_file on that from the next start on: keep what is not meant for it elsewhere than in $PWD/d"
like "it is said at learning" "$err" "$said"
run "$TRACE_PROFILE" check p.ini
is "check passes" "$status" 0
like "and says it" "$out" "note: $said"
"$TRACE_PROFILE" trust p.ini >/dev/null 2>&1
confined cat d/other
is "the other file is not readable" "$status" 1
confined mv d/other d/f
is "the kernel lets it take the name" "$status" 0
confined cat d/f
is "and the next start grants it what the line says" "$status $out" "0 secret"
echo public >d/f
learn sh -c 'cat d/f; : >d/new'
unlike "not said where nothing can be renamed" "$err" 'something else'

# An own entry that is opened by way of a descriptor: a confined run refuses it, and is not to be surprised by that.
for way in '/dev/stdin </proc/self/status' '/proc/self/fd/3 3</proc/self/status' '/proc/self/root/proc/self/status'; do
  learn sh -c "cd /proc && exec cat $way"
  has "incomplete: $way" 'incomplete = an entry of the process'"'"'s own in /proc was opened through a descriptor or another link in /proc (as /dev/stdin), which does not work under a profile'
  confined sh -c "cd /proc && exec cat $way"
  is "and so it is" "$status" 1
  run "$TRACE_RUN" -e -p "$profile" -- sh -c "cd /proc && exec cat $way"
  like "-e says why" "$err" 'it is opened by its own name alone, not through a descriptor or another link'
done
for way in /proc/self/status self/status /proc/thread-self/status /proc/self/task/../status '/dev/stdin </proc/meminfo'; do
  learn sh -c "cd /proc && exec cat $way"
  hasnt "complete: $way" '^incomplete'
  confined sh -c "cd /proc && exec cat $way"
  is "and so it is, too" "$status" 0
done

# Whether ordinary permissions refuse an own entry is asked of the program's, not of the tool's, which lets nobody look.
learn sh -c 'cat /proc/self/comm'
run "$TRACE_RUN" -e -p "$profile" -- sh -c 'echo x >/proc/self/comm'
like "an own entry that is written: -e has the line" "$err" 'allow = [a-z_,]*write_file /proc/self/comm'

# Other calls than opens, which nobody makes for the program.
if [ -x /usr/bin/python3 ]; then
  own=/proc/self/comm
  for call in "truncate('$own', 0)" "rename('$own', '$own')" "unlink('$own')" "rmdir('/proc/self/task')"; do
    learn /usr/bin/python3 -SE -c "import os; os.$call"
    has "incomplete: $call" "incomplete = ${call%%(*}(2) was called on an entry of the process's own in /proc, which does not work under a profile: there such entries are opened, and nothing else"
    run "$TRACE_RUN" -e -p "$profile"
    like "and so it is" "$status $err" '^1 .*Permission denied'
    like "-e says why" "$err" "a process's own entries in /proc are opened, and nothing else works on them"
  done
  learn /usr/bin/python3 -SE -c "import os; os.ftruncate(os.open('$own', os.O_WRONLY | os.O_TRUNC), 0)"
  has "complete: ftruncate(2) of what was opened" 'complete = yes'
  confined /usr/bin/python3 -SE -c "import os; os.ftruncate(os.open('$own', os.O_WRONLY | os.O_TRUNC), 0)"
  is "and so it is, too" "$status" 0
  cat >through.py <<'END'
import os
os.mkdir("through")
os.chdir("through")
fd = os.open("file", os.O_CREAT | os.O_RDWR)
os.truncate("/dev/fd/%d" % fd, 10)
os.mkdir("/proc/self/cwd/made")
os.rename("/proc/thread-self/cwd/file", "/proc/%d/cwd/made/file" % os.getpid())
os.execv("/proc/self/root/bin/ls", ["ls", "-R"])
END
  learn /usr/bin/python3 -SE through.py
  has "complete: other files by such links" 'complete = yes'
  seen="$status $out"
  rm -r through
  confined /usr/bin/python3 -SE through.py
  is "and so it is, too" "$status $out" "$seen"
else
  skip "other calls than opens" 'python3 is not installed'
fi

# Other processes.
learn cat /proc/1/status
has "entries of other processes make it incomplete" 'incomplete = entries of other processes in /proc were used'
like "with the option that grants them" "$err" "incomplete, .*in /proc were used \(trace-learn --proc=all grants reading them\)"
confined cat /proc/1/status
is "and are not granted" "$status" 1
run "$TRACE_LEARN" -q --proc=all -m p.ini -- cat /proc/1/status
like "-m keeps the reason of the first session, and says that it is granted now" "$err" \
  'in /proc were used \(reading them is granted now: see trace-profile check\)'
run "$TRACE_PROFILE" check p.ini
like "check says what to do" "$out" ':[0-9]+: incomplete: .* \(reading them is granted now: where they were not changed, remove this one, and'
learn_options=(--proc=all)
learn cat /proc/1/status
has "--proc=all: it is complete" 'complete = yes'
grants "with a line for all of them" /proc read_dir,read_file
like "that is protected" "$err" 'warning: protected: read_dir,read_file /proc'
confined cat /proc/1/status
is "and works" "$status" 0
learn sh -c 'cat /proc/self/status'
grants "but only where it is needed" /proc ''
(while sleep 0.2; do :; done) &
other=$!
learn sh -c "echo 5 >/proc/$other/oom_score_adj"
kill "$other"
has "writing to another process is never granted" 'complete = no'
exits "--proc=some" 125 "$TRACE_LEARN" --proc=some -- true
says_line "is refused in one line"
learn_options=()

# What would be refused is not suggested.
learn true
like "the next command is suggested" "$err" $'next:\n.*  trace-run -p p.ini -- true$'
learn_options=(--min-abi=10)
learn true
abi=$("$TRACE_RUN" doctor | sed -nE 's/.*Landlock.* ABI ([0-9]+).*/\1/p' | head -n 1)
if [ "${abi:-0}" -lt 10 ]; then
  unlike "a kernel that is too old: no command" "$err" '  trace-run -p'
  like "but the reason" "$err" 'warning: the profile is p.ini, and trace-run refuses it as it is: .*ABI 10'
  confined true
  is "as trace-run then says" "$status" 125
fi
learn_options=()
mkdir -p open/trace-learn && printf '[tiers]\nformat = 1\npath = normal normal /**\n' >open/trace-learn/tiers.ini
run env XDG_CONFIG_HOME="$PWD/open" "$TRACE_LEARN" -f -o p.ini -- sh -c 'echo x >open/new'
like "a tiers file within reach: the reason" "$err" \
  "refuses it as it is: $PWD/open/trace-learn/tiers.ini: the grant on $PWD/open lets the program change this tiers file"
run env XDG_CONFIG_HOME="$PWD/open" "$TRACE_RUN" -p p.ini -- true
like "which has a line once it is read" "$status $err" "^125 .*the grant on $PWD/open \(line [1-9][0-9]* of the profile\)"
if [ "$TL_USER" = root ]; then
  mkdir theirs && chown 65534 theirs
  profile=theirs/p.ini
  learn true
  like "where another user may write: it is said before the program starts" "$err" \
    'warning: trace-run will refuse the profile where it is to lie: theirs/p.ini: .*/theirs belongs to another user'
  like "where another user may write: the reason" "$err" 'trace-run refuses it as it is: .*another user'
  confined true
  is "as it then says too" "$status" 125
  profile=p.ini
fi

# Whatever the arguments are, the command can be pasted.
for argument in "it's" $'new\nline' $'esc\e[31m' $'\xff' $'a\u202eb' "\$HOME \`x\`" 'back\slash' $'bell\a and \\ and \''; do
  learn printf '<%s>' "$argument"
  command=$(sed -n 's/^trace-learn:   \(trace-run .*\)/\1/p' "$TL_DIR/err")
  is "one line" "$(wc -l <<<"$command")" 1
  PATH=${TRACE_RUN%/*}:$PATH run bash -c "$command"
  is "pasted it gives the same" "$status $out" "0 <$argument>"
done
finish
