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

deep "$TRACE_LEARN" -q -f -o "$top/d.ini" --no-log -- /usr/bin/python3 -c '
import os
os.execve(os.open("own", os.O_RDONLY), ["own", "file"], {})'
is "one that is executed by a descriptor runs" "$status $out" "0 text"
like "and is a reason, since no call gives its name" "$(<d.ini)" 'incomplete = a program that was executed could not be told'

# A loader that the program names relative to its directory.
cat >relative.py <<'END'
import shutil, struct
from pathlib import Path
data = Path("/bin/cat").resolve().read_bytes()
at, size = next((offset, size) for kind, _, offset, _, _, size, _, _ in
                struct.iter_unpack("<IIQQQQQQ", data[64:64 + 56 * struct.unpack_from("<H", data, 56)[0]]) if kind == 3)
shutil.copy(data[at:at + size - 1].decode(), "loader")
Path("relative").write_bytes(data[:at] + b"./loader".ljust(size, b"\0") + data[at + size:])
Path("relative").chmod(0o755)
END
deep /usr/bin/python3 "$top/relative.py"
if [ "$status" = 0 ] && deep ./relative file && [ "$status" = 0 ]; then
  deep "$TRACE_LEARN" -q -f -o "$top/r.ini" --no-log -- ./relative file
  is "a loader of its own there" "$status $out" "0 text"
  like "a loader of its own there: is told" "$(tr -d '\n\\ ' <r.ini)" 'complete=yes.*zzz/loader'
  deep "$TRACE_RUN" -p "$top/r.ini" -- ./relative file
  is "a loader of its own there: may be used" "$status $out" "0 text"
else
  skip "a loader of its own there" "no such program could be made: $err"
fi
rm -rf z*
finish
