#!/usr/bin/env bash
# The signal scope with real signals, sent to all there are: in a PID namespace, where these are few.
. "$TL_SRC/tests/lib.sh"

fresh
# to_all CMD…: 143 when a neighbour of the command was ended by TERM, 137 when it lives on
to_all() {
  # shellcheck disable=SC2016 # the inner shell's own
  run unshare -Upf --kill-child sh -c 'sleep 20 & neighbour=$!; "$@"; echo "status $?"; kill -KILL $neighbour; wait $neighbour; echo $?' - "$@"
}
# with LINE…: a profile for the shell
with() {
  printf '[profile]\nformat = 1\nlandlock = 6\n[normal]\n'
  printf 'allow = execute,read_dir,read_file %s\n' /usr /bin /lib /lib64
  printf 'allow = read_file %s\n' /etc/ld.so.cache
  printf '%s\n' "$@"
}
signals=(sh -c 'kill -s TERM -- -1')

if ! unshare -Upf true 2>"$TL_DIR/why"; then
  skip_all "there are no PID namespaces for this user: $(cat "$TL_DIR/why")"
fi
to_all true
is "control: a neighbour lives on by itself" "$out" $'status 0\n137'
to_all "${signals[@]}"
is "control: natively kill(-1) reaches it" "$out" $'status 0\n143'
with >p.ini
to_all "$TRACE_RUN" -p p.ini -- "${signals[@]}"
is "it does not leave the domain; the kernel calls that success" "$out" $'status 0\n137'
# A limit of no processor time ends whoever works.
limits=(python3 -c 'import resource; resource.prlimit(2, resource.RLIMIT_CPU, (0, 0))')
to_all "${limits[@]}"
is "control: natively a neighbour can be limited" "$out" $'status 0\n137'
to_all "$TRACE_RUN" -p p.ini -- "${limits[@]}"
is "from the domain it cannot" "$out" $'status 1\n137'
with '[scope]' 'allow = signal' >p.ini
to_all "$TRACE_RUN" -p p.ini -- "${signals[@]}"
is "with the scope open it does" "$out" $'status 0\n143'
finish
