#!/usr/bin/env bash
# Time: 1200 s
# A hundred tasks that open files, fork and die at random, with the tool under valgrind: no leak, no descriptor left, no bad
# access, and nothing of the session is lost.
. "$TL_SRC/tests/lib.sh"
type valgrind >/dev/null 2>&1 || skip_all "valgrind is not installed"
limit=240
files=100

fresh
for ((i = 0; i < files; i++)); do
  echo "$i" >"$i"
done
checking=(valgrind --quiet --leak-check=full '--errors-for-leak-kinds=definite,indirect,possible' --error-exitcode=99
  --track-fds=yes --suppressions="$TL_SRC/tests/valgrind.supp" --log-file="$TL_DIR/checked.%p")
run "${checking[@]}" "$TRACE_LEARN" -q --no-log -f -o "$TL_DIR/p.ini" -- true
is "control: valgrind can run the tool" "$status" 0
rm -f "$TL_DIR"/checked.*
"${checking[@]}" "$TRACE_LEARN" -q -f -o "$TL_DIR/p.ini" -- "$FIXTURES/task_storm" 15 100 "$files" >opened 2>"$TL_DIR/err" &
job=$!
wait "$job"
is "it ends with the program's status" "$?" 0
is "and its whole output" "$(tail -n 1 opened)" end
log=$TL_DIR/checked.$job
check "valgrind saw it to its end" test -f "$log"
is "no error, no leak" "$(grep -cE 'definitely lost|indirectly lost|possibly lost|Invalid|uninitialised' "$log")" 0
# What was open before (the standard streams, the log of valgrind itself) says so in the next line.
is "no descriptor is left open" "$(grep -A1 'Open .*file descriptor' "$log" | grep -c 'at 0x')" 0
profile=$TL_DIR/p.ini
sed '$d' opened | sed "s|^|allow = read_file $PWD/|" | sort >want
grep -F "allow = read_file $PWD/" "$profile" | sort >got
is "no access is lost" "$(comm -23 want got)" ""
check "many files were opened" test "$(wc -l <want)" -gt $((files / 2))
finish
