#!/usr/bin/env bash
# What is otherwise at the next start: a file that was made is there then, and emptying or replacing it asks for more; a
# directory that was made is there, and can have a grant of its own. Both are said, and what is said helps.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir "$HOME/place" "$HOME/work"
echo 'echo x >"$HOME/place/log"; echo y >"$HOME/work/new"; mv "$HOME/work/new" "$HOME/place/old"; echo z >"$HOME/work/gone"; rm "$HOME/work/gone"' >job
learn sh job
like "two files were made, and are there at the next start" "$err" \
  "2 files were made that are there at the next start \($HOME/place/log …\): should the program empty or replace one then, that takes remove_file,truncate, which is not granted; learn once more now, with -m p.ini"
confined sh job
like "the kernel asks for more then" "$err" "cannot create $HOME/place/log: Permission denied"
learn_options=(-m p.ini)
learn sh job
learn_options=()
unlike "a second session knows it" "$err" 'at the next start'
confined sh job
is "and it runs" "$status $(grep denied <<<"$err")" '0 '

learn sh -c 'echo x >"$HOME/place/log"; cat "$HOME/place/log"'
unlike "what was there before is emptied as it was" "$err" 'at the next start'
learn sh -c 'set -C; echo x >"$HOME/place/once"'
unlike "nor is what may not be there at all" "$err" 'at the next start'
learn sh -c 'echo x >>"$HOME/place/grows"'
unlike "nor what is only added to" "$err" 'at the next start'
learn sh -c 'mkdir "$HOME/place/d"; echo x >"$HOME/place/d/f"; rm -r "$HOME/place/d"'
unlike "nor what went with its directory" "$err" 'at the next start|in this session'

learn sh -c 'mkdir -p "$HOME/.cache/job"; echo x >>"$HOME/.cache/job/f"'
check "a directory was made: the one above has the rights" grep -q "^allow = make_dir,make_reg,.*write_file $HOME\$" p.ini
like "and it is said which" "$err" "$HOME/.cache was made in this session, so what was done in it is granted on all of the directory above it; it is there now: learn anew, with -f, for a grant on it alone"
learn sh -c 'mkdir -p "$HOME/.cache/job"; echo x >>"$HOME/.cache/job/f"'
unlike "once it is there, nothing is" "$err" 'in this session'
ungranted "and the one above is not granted" " $HOME\$"

learn sh -c 'mkdir "$HOME/work/out"; echo x >"$HOME/work/out/f"; rm "$HOME/work/out/f"; mkdir "$HOME/lib" "$HOME/none"; echo x >"$HOME/lib/f"'
like "of several, the one whose grant reaches secrets is named" "$err" \
  "2 directories were made in this session \($HOME/lib …\), so what was done in them is granted on all of the directories above; they are there now: learn anew, with -f, for grants on them alone"
finish
