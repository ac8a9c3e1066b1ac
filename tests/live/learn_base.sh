#!/usr/bin/env bash
# trace-learn -b BASE: network, scopes, environment and system calls of BASE are in force while the file system is open.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir work
cat >listen.py <<'END'
import socket, sys
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
    s.listen(50)
print(*[s.getsockname()[1] for s in sockets], flush=True)
sys.stdin.read()
END
coproc listener { exec python3 listen.py; }
listener_pid=$!
read -r -t 20 inside outside <&"${listener[0]}"
cat >limits.py <<'END'
import errno, os, socket, sys
def tell(what, do):
    try:
        do()
        print(what, "fine")
    except OSError as e:
        print(what, errno.errorcode[e.errno])
def connect(port):
    with socket.socket() as s:
        s.connect(("127.0.0.1", int(port)))
tell("port of the base", lambda: connect(sys.argv[1]))
tell("another port", lambda: connect(sys.argv[2]))
tell("a signal outside", lambda: os.kill(int(sys.argv[3]), 0))
print("variables", os.environ.get("SECRET"), os.environ.get("MODE"))
tell("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
tell("a file of the system", lambda: open("/etc/passwd").close())
tell("a file of ours", lambda: open("work/new", "w").close())
tell("its mode", lambda: os.chmod("work/new", 0o600))
tell("a directory", lambda: os.listdir("/usr"))
END
export SECRET=hidden MODE=open
try=(python3 limits.py "$inside" "$outside" "$listener_pid")
open=$'port of the base fine\nanother port fine\na signal outside fine\nvariables hidden open\nnetlink fine
a file of the system fine\na file of ours fine\nits mode fine\na directory fine'
limited=$'port of the base fine\nanother port EACCES\na signal outside EPERM\nvariables None limited\nnetlink EACCES
a file of the system fine\na file of ours fine\nits mode fine\na directory fine'

learn "${try[@]}"
is "control: without -b nothing is refused" "$status $out" "0 $open"
has "control: and all is learned" "allow = connect_tcp $outside"
has "control: the scope too" 'allow = signal'
has "control: and system calls" 'allow = other_socket'

cat >base.ini <<END
[profile]
format = 1
landlock = 4

[normal]
allow = read_file /etc/hostname

[network]
allow = bind_tcp 1
; what the service is for
allow = connect_tcp $inside

[environment]
set = MODE=limited
unset = SECRET

[seccomp]
allow = metadata
END
rm -f work/new
learn_options=(-b base.ini)
learn "${try[@]}"
is "with -b its limits are in force, and the file system is open" "$status $out" "0 $limited"
like "which is said" "$err" 'Files are not restricted while learning; the rest is limited as in base.ini\.'
sections() {
  sed -n '/^\[network\]/,$p' "$1"
}
is "the profile has the sections of the base, and no more" "$(sections p.ini)" "$(sections base.ini)"
ungranted "but not its grants" '/etc/hostname'
grants "what was used is learned" "$PWD/work" make_reg,write_file
hasnt "what was refused is not" 'other_socket|connect_tcp '"$outside"'|signal'
rm -f work/new
confined "${try[@]}"
is "and the program runs under it as while learning" "$status $out" "0 $(grep -v 'a directory' <<<"$limited")
a directory fine"

# A base that says nothing limits all.
printf '[profile]\nformat = 1\n' >empty.ini
learn_options=(-b empty.ini)
learn "${try[@]}"
like "no port" "$out" 'port of the base EACCES'
like "no system call" "$out" 'its mode EPERM'
like "every variable" "$out" 'variables hidden open'
hasnt "and the profile opens none" '^\[(network|scope|seccomp|environment)\]'

# Fail closed.
learn_options=(-b none.ini)
learn touch started
like "no base" "$status $err" '^125 trace-learn: none.ini: No such file or directory$'
learn_options=(-b base.ini)
run "$FIXTURES/refuse_call" landlock_create_ruleset EOPNOTSUPP "$TRACE_LEARN" -b base.ini -f -o p.ini -- touch started
like "no Landlock" "$status $err" '^125 trace-learn: -b base.ini: its limits cannot be put in force: '
sed 's/^landlock = .*/landlock = 99/' base.ini >newer.ini
learn_options=(-b newer.ini)
learn touch started
like "an older kernel" "$status $err" '^125 trace-learn: newer.ini: .*Landlock ABI 99'
fails "nothing was started" test -e started
eval "exec ${listener[1]}>&-"
wait $listener_pid
finish
