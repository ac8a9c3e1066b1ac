#!/usr/bin/env bash
# What only looks at names and what changes metadata: in the log, never a grant; what access(2) misses is missing.
. "$TL_SRC/tests/lib.sh"

type jq >/dev/null 2>&1 || skip_all 'jq is not installed'

# logged FILTER: how many records of the log it holds for.
logged() {
  jq -s "[.[] | select(.event == \"access\") | select($1)] | length" log
}

fresh
mkdir d
echo text >d/f
learn_options=(-l log)
learn sh -c 'chmod 600 d/f; chmod 600 none 2>/dev/null; test -e d/f; test -e d/./f; test -e "$PWD/d/f"; test -e d/nowhere; exit 0'
is "the program runs" "$status" 0
is "a change of mode: path and result" "$(logged ".kind == \"metadata\" and .path == \"$PWD/d/f\" and .result == \"ok\" and .rights == []")" 1
like "one that was counted as a group's call stays one" "$(<p.ini)" 'allow = metadata'
ungranted "a changed mode is no grant" "$PWD/d"
is "a look has no result, one record for each program, call and path" \
  "$(logged ".kind == \"look\" and .path == \"$PWD/d/f\" and (.exe | endswith(\"sh\")) and .rights == [] and (has(\"result\") or has(\"error\") or has(\"tier\") | not)")" 1
is "the rest is counted" "$(jq -s "[.[] | select(.event == \"count\" and .kind == \"look\" and .path == \"$PWD/d/f\" and (.exe | endswith(\"sh\")))][0].count" log)" 3
is "also where nothing is" "$(logged ".kind == \"look\" and .path == \"$PWD/d/nowhere\"")" 1
if [ -x /usr/bin/python3 ]; then
  check "each line has its form" /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <log
else
  skip "each line has its form" 'python3 is not installed'
fi

# Where a relative name starts: as the kernel tells it now, but for what is no name, or another one each time.
learn_options=(-l starts)
learn sh -c 'mkdir one && cd one && test -e here; mv ../one ../two; test -e there; rmdir ../two; test -e nowhere
  cd /proc/self && test -e stat; cd / && test -e etc; exit 0'
at() {
  grep '"kind":"look"' starts | grep -c "\"path\":\"$1\""
}
is "a directory" "$(at "$PWD/one/here")" 1
is "that is moved" "$(at "$PWD/two/there")" 1
is "that is deleted" "$(at '[^"]*nowhere')" 0
is "one's own in /proc" "$(at /proc/self/stat) $(at '/proc/[0-9]*/stat')" '1 0'
is "the root" "$(at /etc)" 1

# Of threads that stand together the kernel is asked for those at once that have a directory in common, and only these.
learn_options=(-l threads)
learn sh -c 'mkdir 1 2 4 5 7 8 10 11 && exec "$0" 12' "$FIXTURES/looking_threads"
is "threads look" "$status" 0
wanted_looks() {
  local thread look
  for thread in {0..11}; do
    for look in {0..299}; do
      if [ $((thread % 3)) = 2 ] || { [ $((thread % 3)) = 1 ] && [ "$look" != 0 ]; }; then
        echo "$PWD/$thread/$thread-$look"
      else
        echo "$PWD/$thread-$look"
      fi
    done
  done
}
is "each where it is" "$(grep '"kind":"look"' threads | grep -o '"path":"[^"]*/[0-9]*-[0-9]*"' | cut -d'"' -f4 | sort)" "$(wanted_looks | sort)"
learn_options=(-l log)

# why: never a reason for a grant.
run "$TRACE_PROFILE" why --log=log "$PWD/d/nowhere"
like "why tells of a look" "$out" 'looked at, which takes no grant: sh -c .* \('
unlike "as of no error and no success" "$out" 'nowhere: (ok|E)'
run "$TRACE_PROFILE" why --log=log "$PWD/d/f"
like "and of a change" "$out" 'no grant: changes of metadata have a word in \[seccomp\]'
rm log
learn sh -c 'read -r x <d/f; test -e d/f'
run "$TRACE_PROFILE" why --log=log "read_file $PWD/d/f"
like "a grant has its open" "$out" 'open'
unlike "and no look, though there was one" "$out" 'looked at'

# Looked for and missing, as git does for its configuration.
rm log
learn "$FIXTURES/repeats" check-missing 1
like "access(R_OK) misses" "$err" '[2-9] files were looked for and missing: '
is "as a record" "$(logged '.kind == "missing" and .path == "/usr/lib/none" and .rights == ["read_file"] and .error == "ENOENT"')" 1
hasnt "without --with-absent it is no line" '/usr/lib/none'
if [ ! -e /etc/ld.so.preload ]; then
  learn_options=(--no-log)
  learn "$FIXTURES/repeats" nothing 1
  like "one that is missing is named" "$err" '1 file was looked for and missing \(/etc/ld\.so\.preload\): '
else
  skip "one that is missing is named" 'this system has a file that the loader is to load first'
fi
learn_options=(--no-log --with-absent)
learn "$FIXTURES/repeats" check-missing 1
grants "with it it is, log or no log" /usr/lib/none read_file
learn_options=(--no-log --with-absent --calls=enforced)
learn "$FIXTURES/repeats" check-missing 1
grants "and with --calls=enforced" /usr/lib/none read_file
learn_options=(--calls=enforced -l checks)
learn "$FIXTURES/repeats" check-missing 1
unlike "which else does not stop there" "$(cat checks)" /usr/lib/none

# (That looks without a log do not stop is for own_calls.sh to count.)
learn_options=(--calls=enforced -l enforced)
learn sh -c 'chmod 600 d/f; test -e d/f'
is "--calls=enforced: changes are logged" "$(jq -s '[.[] | select(.kind == "metadata")] | length' enforced)" 1
is "looks are not" "$(jq -s '[.[] | select(.kind == "look")] | length' enforced)" 0
finish
