#!/usr/bin/env bash
# Learning on a kernel without Landlock: it works, says what was missing, and its profile is as good.
. "$TL_SRC/tests/lib.sh"

without=("$FIXTURES/refuse_call" landlock_create_ruleset)
facts() {
  grep -vE '^(landlock|argument|complete|incomplete) = ' "$1"
}

fresh
echo hello >f
mkdir d
program=(sh -c 'cat f; mkdir d/e; rmdir d/e; echo x >d/g; rm d/g; exit 3')
learn "${program[@]}"
is "control: with Landlock" "$status $out" "3 hello"
unlike "nothing is missing" "$err" 'without a Landlock domain'
cp p.ini with.ini
for errno in ENOSYS EOPNOTSUPP; do
  run "${without[@]}" $errno "$TRACE_LEARN" -f -o p.ini -- "${program[@]}"
  is "no Landlock ($errno): status and output" "$status $out" "3 hello"
  is "no Landlock ($errno): said once" "$(grep -c '^trace-learn: learning without a Landlock domain: ' "$TL_DIR/err")" 1
  has "no Landlock ($errno): the profile says it too" 'incomplete = there was no Landlock while learning'
  has "no Landlock ($errno): no ABI is asked for" 'landlock = 1'
  is "no Landlock ($errno): the same grants" "$(facts p.ini)" "$(facts with.ini)"
  confined "${program[@]}"
  is "no Landlock ($errno): the profile holds where there is" "$status $out" "3 hello"
  confined cat with.ini
  isnt "no Landlock ($errno): and nothing else" "$status" 0
done

# What only the domain would have refused.
mkdir m
mounting=(unshare -m sh -c 'mount -t tmpfs none m && echo mounted')
run "${mounting[@]}"
if [ "$TL_USER" = user ]; then
  : # who may not mount anyway
elif [ "$out" != mounted ]; then
  skip "a mount" "root cannot mount here: ${err##*$'\n'}"
else
  learn "${mounting[@]}"
  isnt "a mount fails while learning, as it will under the profile" "$out" mounted
  like "and is a reason" "$(cat p.ini)" $'\nincomplete = [^\n]*mount was called'
  run "${without[@]}" ENOSYS "$TRACE_LEARN" -f -o p.ini -- "${mounting[@]}"
  is "without a domain it works" "$out" mounted
  like "and is a reason all the same" "$(cat p.ini)" $'\nincomplete = [^\n]*mount was called'
fi
finish
