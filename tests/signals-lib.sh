# shellcheck shell=bash
# What the tests of those who stay as the program's parent share. It comes after tests/lib.sh.
#
# passes_signals COMMAND…    started as COMMAND… PROGRAM, it hands on what signals are sent to it: two results

passes_signals() {
  local ours
  rm -f told # or the one from before would be waited for
  "$@" "$FIXTURES/tells_signals" 3 10 15 18 >told 2>/dev/null &
  ours=$!
  wait_for grep -q ready told
  kill -USR1 $ours
  wait_for grep -q '^10 ' told
  kill -TERM $ours
  wait_for grep -q '^15 ' told
  kill -CONT $ours
  wait $ours
  is "signals that are sent to us reach the program, once each" "$? $(cut -d' ' -f1 told | paste -sd' ')" "3 ready 10 15 18"
  rm told
  "$@" "$FIXTURES/tells_signals" take 600 40 >told 2>/dev/null &
  ours=$!
  wait_for grep -q ready told
  "$FIXTURES/tells_signals" queue 600 40 $ours
  wait $ours
  is "those that are queued with a value reach it as they were sent, however many" "$? $(paste -sd' ' told)" "3 ready 600"
}
