#!/usr/bin/env bash
# Time: 1200 s
# A hundred tasks open files, fork and die at random for a minute: no hang, no lost access, no growth of the tool.
. "$TL_SRC/tests/lib.sh"
limit=300
seconds=60
files=200

fresh
for ((i = 0; i < files; i++)); do
  echo "$i" >"$i"
done

# The tool's open descriptors and its resident memory in KiB, as "fds kib", once it is past its start.
measure() {
  local pid=$1
  printf '%s %s\n' "$(find "/proc/$pid/fd" -type l 2>/dev/null | wc -l)" "$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")"
}

"$TRACE_LEARN" -q -f -o "$TL_DIR/p.ini" -- "$FIXTURES/task_storm" "$seconds" 100 "$files" >opened 2>"$TL_DIR/err" &
tool=$!
sleep 10
early=$(measure "$tool")
sleep $((seconds - 20))
late=$(measure "$tool")
wait_for eval "! kill -0 $tool 2>/dev/null"
check "it ends in time" test $? -eq 0
kill -KILL "$tool" 2>/dev/null
wait "$tool"
is "with the program's own status" "$?" 0
is "and its whole output" "$(tail -n 1 opened)" end
profile=$TL_DIR/p.ini
sed '$d' opened | sed "s|^|allow = read_file $PWD/|" | sort >want
check "many files were opened" test "$(wc -l <want)" -gt $((files / 2))
grep -F "allow = read_file $PWD/" "$profile" | sort >got
is "no access is lost" "$(comm -23 want got)" ""
is "the profile is complete" "$(grep -E '^(in)?complete' "$profile")" "complete = yes"
# /proc of a tool that is not dumpable belongs to root.
if [ "$TL_USER" = root ]; then
  check "descriptors do not grow (${early% *}, ${late% *})" test "${late% *}" -le $((${early% *} + 8))
fi
check "memory does not grow (${early#* } KiB, ${late#* } KiB)" test "${late#* }" -le $((${early#* } + 2048))
finish
