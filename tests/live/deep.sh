#!/usr/bin/env bash
# Directories deeper than PATH_MAX, where the kernel tells no path: learned exactly, and confined as learned.
. "$TL_SRC/tests/lib.sh"

[ -x /usr/bin/python3 ] || skip_all 'python3 is not installed'
export top

# deep CMD…: run, in a directory with 5,000 bytes of path below $top.
deep() {
  run /usr/bin/python3 -c '
import os, subprocess, sys
os.chdir(os.environ["top"])
for i in range(25):
    os.makedirs("z" * 200, exist_ok=True)
    os.chdir("z" * 200)
sys.exit(subprocess.run(sys.argv[1:]).returncode)' "$@"
}

fresh
top=$PWD
deep sh -c 'echo text >file; echo other >other; cp /bin/cat ./own'
is "the directory is there" "$status" 0

deep "$TRACE_LEARN" -q -f -o "$top/p.ini" --no-log -- cat file
is "learning" "$status $out" "0 text"
like "the profile is complete" "$(<p.ini)" 'complete = yes'
is "and nothing there is granted but the file" "$(tr -d '\n\\ ' <p.ini | grep -oE '=[a-z_,]+/[^=]*zzz[^=]*(allow|$)' | sed 's|allow$||; s|/.*/|/…/|; s|\[.*||')" '=read_file/…/file'
deep "$TRACE_RUN" -p "$top/p.ini" -- cat file
is "which may be read" "$status $out" "0 text"
deep "$TRACE_RUN" -p "$top/p.ini" -- cat other
is "another one beside it may not" "$status $out" "1 "
like "by the kernel" "$err" 'Permission denied'

deep "$TRACE_LEARN" -q -f -o "$top/q.ini" --no-log -- ./own file
like "a program of its own there" "$status $out $(<q.ini)" '^0 text .*complete = yes'
deep "$TRACE_RUN" -p "$top/q.ini" -- ./own file
is "which may be executed" "$status $out" "0 text"
deep "$TRACE_RUN" -p "$top/p.ini" -- ./own file
is "only under its profile" "$status" 126
rm -rf z*
finish
