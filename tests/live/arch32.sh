#!/usr/bin/env bash
# Programs of 32 bits, and 64-bit programs that make calls of other ABIs: learned like their twin, and confined alike.
. "$TL_SRC/tests/lib.sh"

calls64=$FIXTURES/arch_calls64
calls32=$FIXTURES/arch_calls32
port=$(own_ports 4)

# prepared: a fresh directory w, at the same place each time, with what the programs use.
prepared() {
  rm -rf "$TL_DIR/w"
  mkdir -p "$TL_DIR/w/full" "$TL_DIR/w/d1" "$TL_DIR/w/d2"
  cd "$TL_DIR/w" || exit 1
  touch present full/f d1/f
  echo text >long
}
network() {
  sed -n '/^\[network\]$/,/^\[/s/^allow = //p' "$profile"
}
# Enforced lines, but for the programs themselves, their loaders and libraries.
granted() {
  { enforced_lines; network; } | grep -vE ' (/usr)?/lib| /etc/ld\.so|/fixtures/'
}
tree() {
  find . -type f -size +0 -printf '%p %y %s\n' -o -printf '%p %y\n' | sort
}
profile=$TL_DIR/p.ini

# as_twin NAME ARGUMENT…: status, output, files and grants as the 64-bit program's, natively, learned and confined; and
# without a profile's lines nothing of it works.
as_twin() {
  local name=$1 native files twin
  shift
  prepared
  run "$calls64" "$@"
  native="$status $out"
  files=$(tree)
  prepared
  learn "$calls64" "$@"
  is "$name, 64 bits: as natively" "$status $out" "$native"
  twin=$(granted)
  prepared
  run "$calls32" "$@"
  is "$name, 32 bits: natively" "$status $out" "$native"
  prepared
  learn "$calls32" "$@"
  is "$name, 32 bits: learning changes nothing" "$status $out" "$native"
  has "$name, 32 bits: and sees all" 'complete = yes'
  is "$name, 32 bits: files" "$(tree)" "$files"
  is "$name, 32 bits: the same grants" "$(granted)" "$twin"
  isnt "$name, 32 bits: which are some" "$twin" ''
  prepared
  confined "$calls32" "$@"
  is "$name, 32 bits: and it works with them" "$status $out" "$native"
  is "$name, 32 bits: on the same files" "$(tree)" "$files"
  prepared
  grep -vF " $TL_DIR/w" "$profile" | grep -vE 'connect_tcp|bind_tcp' >"$TL_DIR/less.ini"
  run "$TRACE_RUN" -p "$TL_DIR/less.ini" -- "$calls32" "$@"
  isnt "$name, 32 bits: and not without" "$out" "${native#* }"
}

if [ ! -x "$calls32" ]; then
  skip "programs of 32 bits" "none was built: the compiler has no -m32 (Debian: gcc-multilib)"
elif prepared && ! "$calls32" files >/dev/null 2>&1; then
  skip "programs of 32 bits" "this kernel does not run them"
else
  as_twin "files" files
  # What is only looked at, as the log has it.
  looked() {
    jq -r 'select(.kind == "look") | "\(.syscall) \(.path)"' "$1" | sed 's/^statfs64 /statfs /' | grep -F "$TL_DIR/w/" | sort
  }
  both=("$calls64" "$calls32")
  if ! command -v jq >/dev/null; then
    skip "looks" 'jq is not installed'
    both=()
  fi
  for calls in "${both[@]}"; do
    prepared
    : >'in handle'
    run "$calls" looks
    native="$status $out"
    rm -f "$TL_DIR/log"
    learn_options=(-l "$TL_DIR/log")
    learn "$calls" looks
    learn_options=()
    is "looks, ${calls##*/}: learning changes nothing" "$status $out" "$native"
    has "looks, ${calls##*/}: and sees all" 'complete = yes'
    is "looks, ${calls##*/}: by each call's own place" "$(looked "$TL_DIR/log")" "fanotify_mark $TL_DIR/w/marked
name_to_handle_at $TL_DIR/w/in handle
statfs $TL_DIR/w/of-statfs"
    want=read_file
    [[ $native == *"open_by_handle_at: fine"* ]] || want=
    grants "looks, ${calls##*/}: what is opened by a handle" "$TL_DIR/w/in handle" "$want"
  done
  as_twin "sockets through socketcall(2)" sockets "$port" muxed
  like "the port that was connected to" "$(network)" "connect_tcp $port"
  as_twin "sockets by their own numbers" sockets "$port" direct
  like "the port that was bound" "$(network)" "bind_tcp $((port + 1))"

  for first in "$calls64" "$calls32"; do
    for second in "$calls64" "$calls32"; do
      prepared
      words=("$first" run "$second" run "$first" files)
      run "${words[@]}"
      native="$status $out"
      prepared
      learn "${words[@]}"
      is "${first##*/} executes ${second##*/}: learned" "$status $out" "$native"
      for program in "$first" "$second"; do
        grants "${program##*/} may be executed" "$(readlink -f "$program")" execute,read_file
      done
      prepared
      confined "${words[@]}"
      is "and confined" "$status $out" "$native"
      grep -v "/${second##*/}\$" "$profile" >"$TL_DIR/less.ini"
      run "$TRACE_RUN" -p "$TL_DIR/less.ini" -- "${words[@]}"
      [ "$first" = "$second" ] || like "and not without the second" "$status $out" '^127 .*: EACCES$'
    done
  done
  like "the loader of 32 bits is granted" "$(enforced_lines)" 'execute,read_file /[^ ]*/ld-linux\.so\.2'
fi

prepared
run "$FIXTURES/foreign_calls" "$port"
native="$status $out"
if [ "$status" -eq 77 ]; then
  skip "other ABIs" "only x86-64 has them"
elif [ "$status" -ne 0 ]; then
  skip "i386 calls of a 64-bit program" "this kernel does not take them"
else
  learn "$FIXTURES/foreign_calls" "$port"
  is "i386 calls of a 64-bit program: learned" "$status $out" "$native"
  has "are seen" 'complete = yes'
  grants "open" "$PWD/present" read_file
  grants "mkdir and rmdir" "$PWD" make_dir,remove_dir
  is "connect" "$(network)" "connect_tcp $port"
  confined "$FIXTURES/foreign_calls" "$port"
  is "and work under the profile" "$status $out" "$native"
  grep -vE "$PWD|connect_tcp" "$profile" >"$TL_DIR/less.ini"
  run "$TRACE_RUN" -p "$TL_DIR/less.ini" -- "$FIXTURES/foreign_calls" "$port"
  is "and not without" "$out" $'open: EACCES\nmkdir: EACCES\nrmdir: ENOENT\nconnect: EACCES'
fi
run "$FIXTURES/foreign_calls" x32
native="$status $out"
if [ "$status" -ne 77 ]; then
  learn "$FIXTURES/foreign_calls" x32
  is "x32 calls: the kernel's answer stays" "$status $out" "$native"
  if [ "$native" = "0 x32 open: ENOSYS" ]; then
    has "where it has none, nothing happened" 'complete = yes'
  else
    like "where it has them, that is said" "$(cat "$profile")" $'\nincomplete = calls of an unknown ABI'
  fi
  prepared
  confined "$FIXTURES/foreign_calls" x32
  is "and confined" "$status $out" "$native"
fi
finish
