# shellcheck shell=bash
# What the tests of trace-run -e and -n share. It comes after tests/lib.sh.
#
# system_and LINE…           $profile is one for programs of the system, with these lines at its end; $words are words of
#                            its [seccomp]
# explained [OPTION…] -- CMD…    runs it under trace-run -e and $profile
# told NAME LINE [USE]       the report has this line, "[section] allow = …", and beneath it a use that matches
# mends NAME LINE USE CMD…   CMD fails, the report has the line for that use (""  for any); with the line it works
words=()

system_and() {
  {
    printf '[profile]\nformat = 1\n'
    [ "${#words[@]}" -eq 0 ] || { printf '[seccomp]\n' && printf 'allow = %s\n' "${words[@]}"; }
    printf '[normal]\n'
    printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
    echo "allow = read_file /etc/ld.so.cache"
    [ ! -e /etc/locale.alias ] || echo "allow = read_file /etc/locale.alias"
    printf 'allow = ioctl_dev,read_file,write_file %s\n' /dev/null /dev/urandom
    printf '%s\n' "$@"
  } >"$profile"
}

explained() {
  local options=()
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  run "$TRACE_RUN" -q -e "${options[@]}" -p "$profile" "$@"
}

told() {
  local beneath
  beneath=$(awk -v line="trace-run:   $2" '
    $0 == line { found = 1; print; next }
    /^trace-run:     / { if (found) print; next }
    { found = 0 }' <<<"$err")
  isnt "told: $1" "$beneath" ""
  [ -z "${3-}" ] || like "and for what: $1" "$beneath" "$3"
}

mends() {
  local name=$1 line=$2 use=$3
  shift 3
  explained -- "$@"
  isnt "$name: fails" "$status" 0
  told "$name" "$line" "$use"
  printf '%s\n' "$line" | sed 's/^\(\[.*\]\) /\1\n/' >>"$profile"
  explained -- "$@"
  is "$name: works with the line" "$status" 0
  fails "$name: and it is no more told" grep -qxF "trace-run:   $line" "$TL_DIR/err"
}
