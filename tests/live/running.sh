#!/usr/bin/env bash
# What trace-run does with a profile, and what it refuses to do.
. "$TL_SRC/tests/lib.sh"

fresh
echo text >f
learn cat f
cp p.ini good.ini

printf 'allow = read_file %s\n' "$PWD/missing" >>line
awk '/^allow = read_file/ && !done { while ((getline line < "line") > 0) print line; done = 1 } { print }' good.ini >p.ini
confined cat f
is "a missing path: the rest is enforced" "$status $out" "0 text"
like "with a warning" "$err" 'trace-run: warning: .*missing'
confined cat /etc/passwd
is "really" "$status" 1

printf '%s\n' '[profile]' 'format = 1' 'landlock = 1' '' '[normal]' "allow = read_file $PWD/missing" >p.ini
confined cat f
is "none of its paths is there: all denied" "$status" 126

printf '%s\n' '[profile]' 'format = 1' 'landlock = 1' '' '[normal]' 'allow = read_file ${HOME}/f' >home.ini
home() {
  run "$@" "$TRACE_RUN" -p home.ini --print
}
home env HOME="$PWD"
like "HOME is expanded" "$status $out" "^0 .*$PWD/f"
for value in / relative /tmp/../etc; do
  home env HOME="$value"
  like "HOME that is $value" "$status $err" "^125 trace-run: home\.ini:6: "
done
home env -u HOME
like "HOME that is unset" "$status $err" "^125 trace-run: home\.ini:6: "

learn env
confined env
cp "$TL_DIR/out" confined
run env
cp "$TL_DIR/out" native
same "the environment is the same" native confined
learn ls /proc/self/fd
descriptors=$out
confined ls /proc/self/fd
is "the descriptors are the same" "$out" "$descriptors"
run ls /proc/self/fd
is "as without us" "$out" "$descriptors"

cp good.ini p.ini
for error in 38 95; do
  run "$FIXTURES/without_landlock" "$error" "$TRACE_RUN" -p p.ini -- cat f
  is "no Landlock (errno $error): refused" "$status $out" "125 "
  says_line "with the reason"
  run "$FIXTURES/without_landlock" "$error" "$TRACE_RUN" --best-effort -p p.ini -- cat f
  is "also with --best-effort" "$status $out" "125 "
done
sed 's/^landlock = .*/landlock = 99/' good.ini >newer.ini
run "$TRACE_RUN" -p newer.ini -- cat f
is "a profile for a newer kernel: refused" "$status $out" "125 "
sed 's/^landlock = .*/landlock = 10/' good.ini >newer.ini
abi=$("$TRACE_RUN" doctor | sed -n 's/.*ABI \([0-9]*\).*/\1/p' | head -n 1)
if [ "${abi:-10}" -lt 10 ]; then
  run "$TRACE_RUN" -p newer.ini -- cat f
  is "an ABI below the profile's: refused" "$status $out" "125 "
  run "$TRACE_RUN" --best-effort -p newer.ini -- cat f
  like "--best-effort goes on" "$status $out" '^0 text'
  like "and names what is not enforced" "$err" 'resolve_unix|bind_udp'
else
  skip "an ABI below the profile's" "this kernel knows all of our table"
fi

# A program that swaps a directory of its own for a link must not get what the link leads to at the next start.
mkdir -p secret b/out && cd b || exit
profile=../b.ini
learn sh -c 'ln -s x link; rm link; echo x >out/x'
is "a build" "$status" 0
rm -r out && ln -s ../secret out
confined sh -c 'echo x >out/x'
isnt "a directory swapped for a link is not followed" "$status" 0
like "the warning names the link and its target" "$err" "trace-run: warning: .*$PWD/out.*secret"
check "nothing was written through it" test ! -e ../secret/x
cd .. || exit
profile=p.ini

mkdir own && cd own || exit
run "$TRACE_LEARN" -o p.ini -- sh -c 'echo x >new; rm new'
confined sh -c 'echo x >new; rm new'
is "a profile that its grants reach: as learned it runs" "$status" 0
echo '; a line by hand' >>p.ini
confined sh -c 'echo x >new; rm new'
is "other bytes are refused" "$status" 125
like "with what to do" "$err" 'trace-profile (show|trust)'
exits "a person lets them in" 0 "$TRACE_PROFILE" trust p.ini
confined sh -c 'echo x >new; rm new'
is "then it runs" "$status" 0
cd .. || exit

name=$'x\e[31m\u202e\u009by'
echo text >"$name"
learn cat "$name"
is "a hostile name is learned" "$status $out" "0 text"
confined cat "$name"
is "and runs" "$status $out" "0 text"
rm "$name"
confined cat f
unlike "it never reaches the terminal as it is: ESC" "$err" $'\e'
unlike "bidirectional" "$err" $'\u202e'
unlike "C1" "$err" $'\u009b'
like "but can be read" "$err" 'trace-run: warning: .*x.*y'
cp good.ini p.ini
exits "as little as in a diff" 1 "$TRACE_DIFF" p.ini <(sed "s|^allow = read_file .*/f\$|&\\nallow = read_file /x\\\\x1b[31my|" good.ini)
unlike "ESC" "$out" $'\e'

mkdir make && cd make || exit
for i in 1 2 3; do echo "int f$i(void) { return $i; }" >f$i.c; done
printf '%s\n' 'all: f1.o f2.o f3.o' '%.o: %.c' '	gcc -c -o $@ $<' >Makefile
for i in 1 2 3; do
  rm -f ./*.o
  profile=../make$i.ini
  learn make -s -j2
done
cd .. || exit
profile=p.ini
for pair in "1 2" "1 3"; do
  read -r one two <<<"$pair"
  exits "two learns of make -j2 do not differ ($pair)" 0 "$TRACE_DIFF" "make$one.ini" "make$two.ini"
done
awk '
  /^\[/ { normal = $0 == "[normal]" }
  normal && /^allow/ { lines[++count] = $0; next }
  { while (count) print lines[count--]; print }
  END { while (count) print lines[count--] }' make1.ini >shuffled.ini
fails "lines in another order" cmp -s make1.ini shuffled.ini
exits "make no difference" 0 "$TRACE_DIFF" make1.ini shuffled.ini
sed '/^allow = .*\/cc1$/d' make1.ini >less.ini
exits "a real difference" 1 "$TRACE_DIFF" less.ini make1.ini
like "is told" "$out" '\+.*/cc1'
exits "a file that is not there" 2 "$TRACE_DIFF" make1.ini none.ini
finish
