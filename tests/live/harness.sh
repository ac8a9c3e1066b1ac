#!/usr/bin/env bash
# What other tests rely on: a failing check is seen, and the place where tests run is as promised.
. "$TL_SRC/tests/lib.sh"

# verdict LINES…: how many results, and how many good ones, a test of these lines gives under this library.
verdict() {
  local script
  script=$(printf '%s\n' '. "$TL_SRC/tests/lib.sh"' 'cd "$TL_DIR"' "$@" finish)
  bash -c "$script" 2>&1 | awk '/^ok/ { good++ } /^not ok/ { bad++ } END { print good + 0, bad + 0 }'
}

fresh
is "good results are good" "$(verdict 'check a true' 'fails a false' 'is a 1 1' 'isnt a 1 2' 'like a abc b.' \
  'unlike a abc x' 'exits a 3 sh -c "exit 3"')" "7 0"
is "bad results are bad" "$(verdict 'check a false' 'fails a true' 'is a 1 2' 'isnt a 1 1' 'like a abc x' \
  'unlike a abc b' 'exits a 3 true' 'same a /etc/hostname /etc/passwd' 'says_line a')" "0 9"
is "a skip is no failure here" "$(verdict 'skip a "no reason"')" "1 0"

printf '%s\n' '[profile]' 'format = 1' '' '[normal]' 'allow = read_file /a b' '' '[held]' 'allow = make_reg /' >p.ini
is "good answers about a profile" "$(verdict "profile=$PWD/p.ini" 'has a "format = 1"' 'hasnt a mkdir' \
  'grants a "/a b" read_file' 'grants a / ""' 'ungranted a make_reg')" "5 0"
is "bad answers about a profile" "$(verdict "profile=$PWD/p.ini" 'has a "format = "' 'hasnt a format' \
  'grants a "/a b" ""' 'grants a "/a b" read_dir' 'grants a / make_reg' 'ungranted a "read_file /"')" "0 6"
is "no profile is a failure" "$(verdict 'has a x' 'hasnt a x' 'grants a / ""' 'ungranted a x')" "0 4"

limit=1
run sleep 20
is "a command that hangs is ended" "$status" 124
limit=30
run sh -c 'echo out; echo err >&2; exit 7'
is "status, output and errors are kept" "$status $out $err" "7 out err"
in_terminal sh -c 'tty </dev/tty >/dev/null && test -t 0 && test -t 1 && echo on a terminal; exit 4'
is "a terminal can be had" "$status $out" "4 on a terminal"

limit=1
tries=0
# shellcheck disable=SC2317 # called through wait_for
slow() {
  tries=$((tries + 1))
  sleep 0.5
  false
}
wait_for slow
is "what never comes is waited for in vain" "$?" 1
check "for as long as was said, however long each try takes" test "$tries" -le 5
limit=30
here=$(fresh && pwd)
fresh
isnt "a new directory in a subshell is not taken for ours" "$PWD" "$here"

fails "there is no terminal otherwise" sh -c ': </dev/tty'
is "HOME is the test's own" "$HOME" "$TL_DIR"
check "HOME can be written" test -w "$HOME"
if [ "$TL_USER" = user ]; then
  isnt "a plain user is not root" "$(id -u)" 0
  fails "and cannot read what only root may" cat /etc/shadow
  is "and has no capabilities" "$(grep CapEff /proc/self/status)" $'CapEff:\t0000000000000000'
else
  is "root is root" "$(id -u)" 0
fi
finish
