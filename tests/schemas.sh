#!/usr/bin/env bash
# JSON output has the form of its schema in docs/, for profiles with everything in them and hostile names; and the
# check of that sees each kind of fault.
. "$TL_SRC/tests/lib.sh"

[ -x /usr/bin/python3 ] || skip_all 'python3 is not installed'

fits() {
  /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/$1" <"$2"
}

fresh
hostile='/srv/\xff\x1b[31m\n[held]\xe2\x80\xae\xc3\xa9'
cat >full.ini <<EOF
[profile]
format = 1
landlock = 7
sessions = 2
program = $hostile
argv0 = \xfe
argument = a b
argument = $hostile
directory = /srv
complete = no
incomplete = $hostile
[normal]
allow = read_dir,read_file /srv/d
allow = execute,read_file $hostile
allow = ioctl_dev \${TTY}
[held]
allow = make_reg,write_file /
[absent]
allow = make_reg /srv
[moves]
move = $hostile /srv/x
[network]
allow = connect_tcp any
allow = bind_tcp 65535
[scope]
allow = abstract_unix_socket,signal
[environment]
keep = PATH
set = A=$hostile
unset = B
[seccomp]
allow = udp
EOF
sed -i '/abstract_unix_socket,signal/s/.*/allow = abstract_unix_socket\nallow = signal/' full.ini
printf '%s\n' '[profile]' 'format = 1' 'landlock = 8' 'complete = yes' '[normal]' 'allow = read_file /srv/d/e' >bare.ini
cp full.ini $'odd\xff\e.ini'

for pair in 'full.ini bare.ini' 'bare.ini full.ini' 'full.ini full.ini'; do
  read -ra files <<<"$pair"
  run "$TRACE_DIFF" --format=json "${files[@]}"
  like "trace-diff $pair works" "$status" '^[01]$'
  check "trace-diff $pair has its form" fits trace-diff.schema.json "$TL_DIR/out"
done
run "$TRACE_DIFF" --format=json bare.ini $'odd\xff\e.ini'
check "trace-diff with an odd file name" fits trace-diff.schema.json "$TL_DIR/out"
cp "$TL_DIR/out" diff.json
for file in full.ini bare.ini $'odd\xff\e.ini'; do
  exits "trace-profile show ${file//[^ -~]/?} works" 0 "$TRACE_PROFILE" show --format=json "$file"
  check "trace-profile show ${file//[^ -~]/?} has its form" fits trace-profile-show.schema.json "$TL_DIR/out"
done

# What trace-run -e and -n say: denied, not by the profile, held, a rename, a port; with a name that is hostile.
sed '/^\[environment\]/,$d; /ioctl_dev/d' full.ini >run.ini
printf '%s\n' '[normal]' 'allow = execute,read_dir,read_file /usr' 'allow = read_file /etc/ld.so.cache' \
  '[held]' "allow = read_file $PWD/held" >>run.ini
mkdir a b
echo x >$'a/\xff\e[31m'
echo x >held
for option in -e -n; do
  run "$TRACE_RUN" $option -q --format=json -p run.ini -- bash -c 'cat "$0" held /etc/shadow; mv a/* b; mv b/* a;
    exec 3<>/dev/tcp/127.0.0.1/9; exit 7' $'a/\xff\e[31m'
  is "trace-run $option leaves the status alone" "$status" 7
  tail -n 1 "$TL_DIR/err" >explained.json
  check "trace-run $option has its form" fits trace-run-explain.schema.json explained.json
  like "and tells of the file" "$(cat explained.json)" '"path":"[^"]*/a/..xff..x1b'
done

# jq_examples PAGE: its commands that go through jq, a line each, as a reader sees them: roff takes quotes for its own.
jq_examples() {
  mandoc -T ascii -O width=500 "$TL_SRC/docs/$1" | col -bx | awk '
    /^[A-Z]/ { inside = /^EXAMPLES/ }
    !inside { next }
    { continues = sub(/ [|\\]$/, "&"); text = $0; sub(/^ +/, "", text) }
    !going { command = "" }
    going || text ~ /^\$ / { command = command " " text; going = continues }
    command ~ /jq / && !going { sub(/^ \$ /, "", command); print command; command = "" }'
}

# play PAGE COUNT: runs its examples into $said, each followed by a line "--".
play() {
  local example
  said=
  mapfile -t examples < <(jq_examples "$1")
  is "$1 has examples for jq" "${#examples[@]}" "$2"
  for example in "${examples[@]}"; do
    said+=$(PATH=$TL_BUILD:$PATH eval "$example" 2>&1)$'\n--\n'
  done
}

run "$TRACE_LEARN" -k -f -o p.ini -l log.jsonl -- sh -c 'echo x >new; echo y >>new; cat none'
check "a real audit log has its form" \
  /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <log.jsonl
missing=
for program in jq mandoc col; do
  command -v "$program" >/dev/null || missing=$program
done
mkdir examples && cd examples || exit 1
run "$TRACE_LEARN" -q -f -o build.ini -l build.jsonl -- sh -c 'echo x >new; cat /etc/passwd'
if [ -z "$missing" ]; then
  play trace-profile.1 2
  is "what may be written, and who read a file" "$said" "$PWD"$'\n--\ncat /etc/passwd ok\n--\n'
else
  skip "the examples of trace-profile(1)" "$missing is not installed"
fi
cd .. || exit 1

# Why, of that log and of a profile with everything; the text and the JSON of hostile names.
mkdir why && cd why || exit 1
odd=$'odd\xff\e;\u202e\n'
echo x >"$odd" && mkdir "d$odd"
run "$TRACE_LEARN" -q -f -o p.ini -l log.jsonl -- sh -c 'cat "$1"; mv "$1" "d$1/n"; cat none; kill -0 1' "$odd" "$odd"
head -n -1 log.jsonl >killed.jsonl
printf '{"cut' >>killed.jsonl
number=0
for question in "$PWD/$odd" "$PWD/d$odd" "$PWD/none" 'read_file /etc/ld.so.cache' 'make_reg /none' signal udp 'connect_tcp any' /; do
  for ask in '-p p.ini --log=log.jsonl' '--log=log.jsonl --log=killed.jsonl' '-p ../full.ini'; do
    number=$((number + 1))
    read -ra options <<<"$ask"
    run "$TRACE_PROFILE" why --format=json "${options[@]}" -- "$question"
    like "trace-profile why $number works" "$status" '^[01]$'
    check "trace-profile why $number has its form" fits trace-profile-why.schema.json "$TL_DIR/out"
    run "$TRACE_PROFILE" why "${options[@]}" -- "$question"
    fails "and text that steers nothing" grep -q "[^[:print:]]" "$TL_DIR/out"
  done
done
printf '%s\n' '[profile]' 'format = 1' '[normal]' 'allow = read_file /etc/passwd' >old.ini
run "$TRACE_DIFF" --why=log.jsonl --format=json old.ini p.ini
check "trace-diff --why has its form" fits trace-diff.schema.json "$TL_DIR/out"
/usr/bin/python3 -c '
import json, sys
for change in json.load(sys.stdin)["changes"]:
    if "why" in change:
        print(json.dumps({"format": 1, "question": {"kind": "grant", "fact": "", "path": None, "rights": []},
                          "accesses": change["why"], "unexplained": change["unexplained"]}))' <"$TL_DIR/out" >why.jsonl
check "and so has what is told of each line" \
  /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/trace-profile-why.schema.json" LINES <why.jsonl
cd .. || exit 1

# spoilt NAME SED-COMMAND SAID
spoilt() {
  local said
  sed "$2" diff.json >spoilt.json
  said=$(fits trace-diff.schema.json spoilt.json 2>&1)
  isnt "seen: $1" "$?" 0
  like "and where: $1" "$said" "$3"
}
spoilt "another format" 's/"format": 1/"format": 2/' '/format: is 2, not 1'
spoilt "a flag as a number" 's/"format": 1/"format": true/' '/format: is True, not 1'
spoilt "a missing member" '/"different":/d' '/: has no different'
spoilt "a new member" 's/"different": true/"different": true, "more": 1/' '/: has more, which'
spoilt "a wrong type" 's/"gains": true/"gains": 1/' '/changes/[0-9]+/gains: is int, not boolean'
spoilt "a wrong word" 's/"change": "gained"/"change": "won"/' "/changes/[0-9]+/change: is 'won', none of"
spoilt "a negative number" 's/"guarded": [0-9]*/"guarded": -1/' '/gained/guarded: is -1, below 0'
spoilt "raw bytes" 's/full/\xff/; s/odd/\xff/' 'is not plain ASCII|JSONDecodeError|UnicodeDecodeError'
spoilt "no JSON" 's/{/(/' 'JSONDecodeError'
finish
