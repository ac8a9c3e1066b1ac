#!/usr/bin/env bash
# The session in README.md, run as it stands there: each command must print what README says.
. "$TL_SRC/tests/lib.sh"

grep -qsx 'VERSION_CODENAME=bookworm' /etc/os-release || skip_all 'the session was recorded on Debian 12'
PATH=$TL_BUILD:$PATH

# Recorded in /home/me; the Landlock of a kernel and the processor are nobody's business here.
as_recorded() {
  sed "s|$TL_DIR|/home/me|g; s|^landlock = .*|landlock = 7|; s|$(uname -m)-linux-gnu|x86_64-linux-gnu|g;
    s|ld-linux-[a-z0-9_-]*\.so|ld-linux-x86-64.so|"
}

compare() {
  [ -z "$command" ] || is "$command" "$(as_recorded <"$TL_DIR/said")" "${expected%$'\n'}"
}

cd "$TL_DIR" || exit 1
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
done < <(sed -n '/^```console$/,/^```$/p' "$TL_SRC/README.md" | grep -v '^```')
compare
check 'README has a session' [ "$tests_done" -gt 5 ]
finish
