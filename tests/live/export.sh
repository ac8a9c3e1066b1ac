#!/usr/bin/env bash
# trace-profile export: bubblewrap confines a program as its profile says, whatever bytes names have; systemd takes the unit.
. "$TL_SRC/tests/lib.sh"

export_as() {
  run "$TRACE_PROFILE" export --format="$1" p.ini
  cp "$TL_DIR/out" "export.$1"
}

# What a terminal would act upon.
no_controls() {
  ! LC_ALL=C grep -q '[^[:print:][:space:]]' <(LC_ALL=C tr -d '\200-\377' <"$1") && iconv -f UTF-8 -t UTF-8 "$1" >/dev/null
}

sandbox() {
  run bash export.bwrap "$@"
}

fresh
run "$TRACE_PROFILE" export p.ini
is "a form must be named" "$status|$err" '2|trace-profile: which form? give --format=bwrap or --format=systemd'
run "$TRACE_PROFILE" export --format=xml p.ini
is "and known" "$status|$err" '2|trace-profile: --format=xml: it can be bwrap or systemd'
run "$TRACE_PROFILE" export --format=bwrap none.ini
is "and the file be there" "$status|$out|$err" '2||trace-profile: none.ini: No such file or directory'

printf '%s\n' b a >names
echo secret >other
hostile=$'a \'$(touch pwned)`\n"b%z${HOME}\\ \e[31m\u202e\u00fc\xff;#'
printf 'hostile\n' >"$hostile"
mkdir out list
touch list/one
learn sh -c 'sort names >out/sorted && cat "$1" out/sorted && test -d list; exit 3' sh "$hostile"
is "learned" "$status|$out" $'3|hostile\na\nb'

export_as bwrap
is "bubblewrap: exported" "$status" 0
check "bubblewrap: plain text" no_controls export.bwrap
check "bubblewrap: a script" bash -n export.bwrap
like "bubblewrap: says what is wider" "$out" "# - wider: $PWD/out: only make_reg,read_file,write_file is granted; here everything"
like "bubblewrap: counts it" "$err" "^trace-profile: p.ini: $(grep -c '^# - ' export.bwrap) things are wider"
if ! type bwrap >/dev/null 2>&1; then
  skip "bubblewrap: runs the program" 'bwrap is not installed'
elif ! bwrap --ro-bind / / --unshare-net --unshare-pid true 2>/dev/null; then
  skip "bubblewrap: runs the program" 'this user cannot make namespaces here'
else
  rm out/sorted
  sandbox
  is "bubblewrap: output as natively" "$out" $'hostile\na\nb'
  is "bubblewrap: files as natively" "$(cat out/sorted)" $'a\nb'
  fails "bubblewrap: nothing of a name is run" test -e pwned
  exits "bubblewrap: the control works natively" 0 sh -c 'cat other && cat names && echo x >>names'
  sandbox sh -c 'cat names'
  is "bubblewrap: another command" "$status|$out" $'0|b\na\nx'
  sandbox sh -c 'cat other'
  like "bubblewrap: no other file" "$status|$err" '^1\|cat: other: No such file'
  sandbox sh -c 'echo x >>names'
  like "bubblewrap: no writing where only reading is granted" "$status|$err" 'Read-only file system'
  sandbox sh -c 'echo x >new'
  fails "bubblewrap: no new file elsewhere" test -e new
fi

learn env
cat >>p.ini <<'X'

[environment]
keep = PATH
keep = WITH_BLANK
set = ADDED='$(touch pwned) "
X
export_as bwrap
confined env
under_landlock=$(WITH_BLANK=' a  b ' REFUSED=1 "$TRACE_RUN" -p p.ini -- env | sort)
like "environment: the control" "$under_landlock" "^ADDED='[^|]*WITH_BLANK= a  b $"
if type bwrap >/dev/null 2>&1 && bwrap --ro-bind / / --unshare-net --unshare-pid true 2>/dev/null; then
  is "bubblewrap: environment as under Landlock" "$(WITH_BLANK=' a  b ' REFUSED=1 bash export.bwrap env | grep -v '^PWD=' | sort)" \
    "$under_landlock"
  fails "bubblewrap: nothing of a value is run" test -e pwned
else
  skip "bubblewrap: environment as under Landlock" 'bubblewrap does not run here'
fi

# Network and scopes: closed unless the profile opens them, and then with a word.
check "bubblewrap: no port, no network" grep -qx '  --unshare-net' export.bwrap
check "bubblewrap: signals stay inside" grep -qx '  --unshare-pid' export.bwrap
printf '\n[network]\nallow = connect_tcp 443\n\n[scope]\nallow = signal\n\n[held]\nallow = read_file /etc/shadow\n' >>p.ini
export_as bwrap
fails "bubblewrap: a port opens the network" grep -q unshare-net export.bwrap
like "bubblewrap: which is said" "$out" '# - wider: all ports are open'
fails "bubblewrap: signals are let out" grep -q unshare-pid export.bwrap
like "bubblewrap: held lines are counted" "$out" '# - 1 held lines are left out'
unlike "bubblewrap: and not mounted" "$out" 'bind-try[^#]*shadow'

# systemd
unit() {
  export_as systemd
  cp export.systemd unit.service
  check "systemd: $1: plain text" no_controls unit.service
  if ! type systemd-analyze >/dev/null 2>&1; then
    skip "systemd: $1: verified" 'systemd-analyze is not installed'
    return
  fi
  run systemd-analyze verify ./unit.service
  is "systemd: $1: verified" "$status|$err" '0|'
}
unit "ports, environment"
check "systemd: new privileges" grep -qx 'NoNewPrivileges=yes' unit.service
check "systemd: kept variables" grep -qx 'PassEnvironment=WITH_BLANK' unit.service
check "systemd: set variables" grep -qxF "Environment=\"ADDED='\$(touch pwned) \\\"\"" unit.service
check "systemd: only what is mounted" grep -qx 'TemporaryFileSystem=/:ro' unit.service
fails "systemd: held lines are not mounted" grep -q '^[^#].*shadow' unit.service
if type systemd-analyze >/dev/null 2>&1; then
  sed 's/^PassEnv/PassAnv/; s/BindReadOnlyPaths="-/&%z/' unit.service >broken.service
  run systemd-analyze verify ./broken.service
  like "systemd: the control is found" "$err" 'PassAnvironment.*Failed to resolve|Failed to resolve.*PassAnvironment'
fi

fresh
fits='a b%z$HOME{};,&'
touch "$fits" "$hostile"
learn cat "$fits" "$hostile" '' $'x\ty"\\'
export_as bwrap
unit "hostile names"
check "systemd: a name with signs of its own" grep -qxF "BindReadOnlyPaths=\"-$PWD/${fits//%/%%}\"" unit.service
check "systemd: an argument with such" grep -qF " \"a b%%z\$\$HOME{};,&\" " unit.service
check "systemd: an empty one, and one with escapes" grep -qF ' "" "x\011y\"\\"' unit.service
like "systemd: a name that cannot be written is told" "$(<unit.service)" "# - $PWD/a '.*cannot be written in a unit, and is left out"
is "systemd: and left out" "$(grep Paths= unit.service | grep -cF "\\")" 0


# A program whose own name has such signs, in a directory that systemd would take for another one.
fresh
mkdir 'ends in '
cp /bin/cat 'c$a%t;'
cd 'ends in ' || exit 1
learn "../c\$a%t;" /etc/hostname
unit "a hostile program"
check "systemd: its name, in which nothing is a variable" grep -qF "ExecStart=@\"${PWD%/*}/c\$a%%t;\" \"../c\$\$a%%t;\" " unit.service
fails "systemd: no directory with a blank at its end" grep WorkingDirectory=- unit.service
like "systemd: which is told" "$(<unit.service)" '# - WorkingDirectory= is missing'
sed -i /^argv0/d p.ini
unit "no name of its own"
check "systemd: then that of the file" grep -qF "ExecStart=@\"${PWD%/*}/c\$a%%t;\" \"${PWD%/*}/c\$\$a%%t;\" " unit.service

# Python looks for the sources of its modules and opens what is compiled of them: names that no profile has.
fresh
if type python3 >/dev/null 2>&1; then
  learn python3 -c 'import json; print(json.dumps(1))'
  confined python3 -c 'import json; print(json.dumps(1))'
  is "control: it starts under Landlock" "$status|$out" '0|1'
  for form in bwrap systemd; do
    export_as "$form"
    like "$form: what may not start is told" "$(<"export.$form")" '# - .*a program that needs such a name may not start.*Python'
  done
else
  skip "what may not start is told" "python3 is not installed"
fi
finish
