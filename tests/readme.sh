#!/usr/bin/env bash
# The session in README.md, run as it stands there: each command must print what README says.
. "$TL_SRC/tests/lib.sh"

grep -qsx 'VERSION_CODENAME=bookworm' /etc/os-release || skip_all 'the session was recorded on Debian 12'
run "$TRACE_RUN" doctor
grep -qE '^landlock +yes, ABI 7$' <<<"$out" || skip_all 'the session was recorded with Landlock ABI 7'

PATH=$TL_BUILD:$PATH
HOME=$TL_DIR/home/me # where it was recorded
mkdir -p "$HOME" && cd "$HOME" || exit 1

as_recorded() {
  sed "s|$TL_DIR||g; s|$(uname -m)-linux-gnu|x86_64-linux-gnu|g; s|ld-linux-[a-z0-9_-]*\.so|ld-linux-x86-64.so|"
}

# The log of each session has another name and another hash.
any_log() {
  sed -E 's|[0-9]{8}T[0-9]{6}Z-([a-z]+)-[0-9a-f]{16}(\.jsonl \(SHA-256 )[0-9a-f]{64}\)|\1\2)|'
}

compare() {
  [ -z "$command" ] || is "$command" "$(as_recorded <"$TL_DIR/said" | any_log)" "$(any_log <<<"${expected%$'\n'}")"
}

command=
expected=
while IFS= read -r line; do
  if [[ $line == '$ '* ]]; then
    compare
    command=${line#'$ '}
    expected=
    eval "$command" >"$TL_DIR/said" 2>&1
  else
    expected+=$line$'\n'
  fi
done < <(awk '/^```/ { inside = $0 == "```console"; next } inside' "$TL_SRC/README.md")
compare
check 'README has a session' [ "$tests_done" -gt 5 ]
finish
