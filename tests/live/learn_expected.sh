#!/usr/bin/env bash
# Where nobody keeps calls, the exit of one that makes a name is not waited for in a directory of the session's own, if
# the like of it was made there before. What is learned and said is the same as with a log, where each is waited for.
. "$TL_SRC/tests/lib.sh"

# Each is one session; what a call came to is printed, so that a scenario that went otherwise is seen.
cat >scenarios.py <<'END'
import os, resource, signal, stat, subprocess, sys, threading
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
SHELL = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
def came(call, *arguments, **more):
    try:
        call(*arguments, **more)
        return 0
    except OSError as error:
        return error.errno
def opened(path, flags, directory): os.close(os.open(path, flags, 0o644, dir_fd=directory))
def make(*paths, flags=NEW, directory=None): print([came(opened, path, flags, directory) for path in paths])
def look(*paths): make(*paths, flags=os.O_RDONLY)
def mkdir(*paths, directory=None): print([came(os.mkdir, path, dir_fd=directory) for path in paths])
def gone(*paths): [os.rmdir(path) if os.path.isdir(path) else os.unlink(path) for path in paths]
def own():
    mkdir("d")
    make("d/1", "d/2")
    make("d/s1", "d/s2", flags=SHELL)
    mkdir("d/m1", "d/m2")
    os.symlink("x", "d/l1")

def plain(): own(); make("d/3", os.path.abspath("d/4"), "./d/5", "d/./6", "d//7"); make("d/3", flags=os.O_RDWR)
def there(): own(); make("d/3", "d/3", "d/1", "d/m1"); make("d/s1", flags=SHELL); mkdir("d/m1", "d/1")
def no_directory():
    own(); mkdir("d/e"); make("d/e/1"); make("d/e/s", flags=SHELL); mkdir("d/e/m")
    gone("d/e/1", "d/e/s", "d/e/m", "d/e")
    make("d/e/2", "d/none/x", "d/e/2/3"); make("d/e/3", flags=SHELL); mkdir("d/e/4")
def looked_for_before(): own(); look("d/x", "d/y"); make("d/x"); look("d/x")
def looked_for_after(): own(); make("d/x", "d/y"); gone("d/x", "d/y"); look("d/x", "d/y", "d/z")
def too_many():
    own(); resource.setrlimit(resource.RLIMIT_NOFILE, (3, 100)); make("d/q"); make("d/r", flags=SHELL)
    resource.setrlimit(resource.RLIMIT_NOFILE, (50, 100)); look("d/q"); make("d/r")
def too_many_and_no_directory():
    own(); mkdir("e", "d/e"); make("d/e/1", "e/1"); gone("d/e/1", "d/e", "e/1", "e"); os.rename("d", "f")
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 100)); make("e/2", "d/2", "d/e/2", "f/e/2"); make("e/3", flags=SHELL)
def too_long(): own(); make("d/" + "x" * 300, "d/" + "y/" * 3000 + "z", "d/" + "w" * 255)
def odd_ends(): own(); make("d/z/", "d/z/.", "d/..", "d/.", "d/", "", "d/../d/3"); mkdir("d/y/", "d/x/.", "d/x/..", "d/../d/w")
def not_allowed():
    own(); os.chmod("d", 0o500); make("d/3"); make("d/4", flags=SHELL); mkdir("d/m3"); os.chmod("d", 0o700)
def by_links():
    own(); os.symlink("d", "l"); make("l/3"); os.symlink("../../out", "d/o"); make("d/o/3"); mkdir("d/o/4")
    os.symlink("../../out/through", "d/t"); make("d/t"); make("d/t", flags=SHELL)
def replaced_by_link():
    own(); make("d/m1/1", "d/m1/2"); mkdir("d/m1/m"); gone("d/m1/1", "d/m1/2", "d/m1/m", "d/m1"); os.symlink("../../out", "d/m1")
    make("d/m1/3"); make("d/m1/4", flags=SHELL); mkdir("d/m1/5"); make("m1/6", directory=os.open("d", os.O_RDONLY))
def moved():
    own(); os.rename("d", "e"); make("d/3", "e/3", "e/4"); mkdir("d"); make("d/5", "d/6")
def moved_away():
    own(); fd = os.open("d", os.O_RDONLY); make("8", "9", directory=fd); os.rename("d", "../out/d"); make("7", directory=fd)
    mkdir("6", directory=fd); os.fchdir(fd); make("5", "m1/4")
def replaced():
    own(); os.rename("d", "e"); os.rename("../out/old", "d"); make("d/1", "d/f", "d/3", "d/sub/4"); mkdir("d/sub/5")
    make("d/g", flags=SHELL)
def removed():
    mkdir("d"); make("d/1", "d/2"); fd = os.open("d", os.O_RDONLY); gone("d/1", "d/2", "d"); make("3", directory=fd)
    mkdir("d"); make("3", directory=fd); os.chdir("d"); make("a"); gone("a", "../d"); make("b"); mkdir("b")
def no_directories(): own(); fd = os.open("d/1", os.O_RDONLY); make("3", directory=999); make("3", directory=fd); make("d/1/3")
def by_proc(): own(); fd = os.open("d", os.O_PATH); make("/proc/self/fd/%d/3" % fd, "/proc/self/cwd/d/4", "/proc/self/cwd/d/5")
def another_root():
    own(); mkdir("d/r"); make("d/r/1", "d/r/2"); print(came(os.chroot, "d") in (0, 1)); make("r/3", "r/4", "/r/5", "/r/6")
def another_root_alike():
    own(); here = os.getcwd(); os.makedirs("r" + here + "/d"); make("r" + here + "/d/1"); print(came(os.chroot, "r") in (0, 1))
    make(here + "/d/8", here + "/d/9"); gone(here + "/d/8"); look(here + "/d/8")
def by_links_and_moves():
    own(); os.link("d/1", "d/3"); os.link("../out/f", "d/4"); make("d/3", "d/5"); os.link("d/5", "../out/g")
    os.rename("d/5", "../out/h"); make("d/5"); os.rename("../out/f", "d/f"); make("d/f"); os.rename("d/f", "d/5"); make("d/f")
def protected():
    own(); make("d/.bashrc", "d/.netrc"); mkdir("d/.ssh", "d/.git"); make("d/.ssh/a", "d/.ssh/authorized_keys", "d/.git/a")
    mkdir("d/.git/hooks"); make("d/.git/hooks/x", "d/.git/hooks/pre-commit")
def left(): own(); look("d/3"); make("d/3", "d/4", flags=SHELL); make("d/5", flags=os.O_RDWR | os.O_CREAT); make("e", flags=SHELL)
def cut():
    own(); fd = os.open("d/3", NEW); os.ftruncate(fd, 9); os.truncate("d/3", 0); fd = os.open("d/4", SHELL); os.ftruncate(fd, 9)
def read(): own(); make("d/3", "d/4", flags=os.O_RDONLY | os.O_CREAT | os.O_EXCL); make("d/5", "d/6", flags=os.O_RDWR | os.O_CREAT)
def direct(): own(); make("d/3", flags=NEW | os.O_DIRECT); make("d/4", flags=NEW | os.O_DIRECTORY); make("d/5", flags=NEW | os.O_PATH)
def nodes(): own(); os.mkfifo("d/p"); os.mkfifo("d/q"); print([came(os.mknod, p, 0o600 | stat.S_IFREG) for p in ("d/n", "d/n", "d/o")])
def executed(): own(); make("d/3"); subprocess.run(["sh", "-c", "echo >d/4; >d/5; rm d/5; ln d/4 d/6; mv d/6 d/7; mkdir d/m3; >d/m3/1"])
def last(): own(); make("d/3"); os.open("d/4", NEW); os.execv("/bin/cat", ["cat", "d/4"])
def killed(): own(); os.open("d/3", NEW); os.kill(os.getpid(), signal.SIGKILL)
def parallel():
    own(); child = os.fork()
    make(*("d/%d.%d" % (bool(child), n) for n in range(9)))
    if not child: os._exit(0)
    os.waitpid(child, 0)
    threads = [threading.Thread(target=lambda n=n: [opened("d/t%d.%d" % (n, m), NEW, None) for m in range(9)]) for n in range(3)]
    [t.start() for t in threads]; [t.join() for t in threads]; make("d/6", "d/6")
def interrupted():
    own(); signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, .0005, .0005)
    [opened("d/i%d" % n, NEW, None) for n in range(300)]; signal.setitimer(signal.ITIMER_REAL, 0)
def full():
    mkdir("d", "e"); make("d/1"); print(came(os.symlink, "x", "d/l")); make(*("d/%d" % n for n in range(9))); mkdir("d/m")
    make("d/r", flags=os.O_RDONLY | os.O_CREAT | os.O_EXCL); print(came(os.mkfifo, "d/p"))
    make("d/9", flags=SHELL); make("e/9", flags=os.O_RDWR | os.O_CREAT); look("d/1", "d/8")
def elsewhere(): # 8: what another namespace has at this very name
    own(); make("d/8", "d/9", directory=8); os.fchdir(8); make("d/7"); mkdir("d/m9")
globals()[sys.argv[1]]()
END
top=$PWD

# session NAME INTO OPTION…: leaves what it came to, the profile and all that was said, less the log, in files INTO.*.
session() {
  local name=$1 into=$2
  shift 2
  rm -rf place out && mkdir -p place out/old/sub && echo f >out/f && echo f | tee out/old/f >out/old/g || exit 1
  run "${there[@]}" sh -c 'cd place && exec "$@"' sh "$TRACE_LEARN" -v -f -o ../p.ini "$@" -- /usr/bin/python3 -B "$top/scenarios.py" "$name"
  cp p.ini "$into.ini" && printf '%s\n' "$status" "$out" >"$into.out"
  sed -e '/the log is/d' -e 's/ --log=[^ ]*//' -e 's/ ([0-9]*)//' <<<"$err" >"$into.err"
}

# compare NAME OPTION…
compare() {
  local name=$1 with=${2:+, $2}
  shift
  fresh
  session "$name" log -l "$PWD/log" "$@"
  unlike "$name: it goes to its end$with" "$out$err" 'Traceback'
  session "$name" none --no-log "$@"
  same "$name: it goes the same without a log$with" log.out none.out
  same "$name: and the same is learned" log.ini none.ini
  same "$name: and said" log.err none.err
}

there=()
readarray -t names < <(sed -n 's/^def \([a-z_]*\)():.*/\1/p' "$top/scenarios.py")
for name in "${names[@]}"; do
  [[ $name =~ ^(own|full|elsewhere)$ ]] && continue
  compare "$name"
  # What is looked for and missing is in the profile then.
  [[ $name =~ no_directory|looked|removed ]] && compare "$name" --with-absent
done

# A file system that is full after some: an error that comes after Landlock's check.
own=(unshare -m)
[ "$TL_USER" = root ] || own=(unshare -Urm)
mkdir place
run "${own[@]}" mount -t tmpfs none place
if [ "$status" = 0 ]; then
  there=("${own[@]}" sh -c 'mount -t tmpfs -o nr_inodes=8 none place && exec "$@"' sh)
  compare full
  like "full: it was full" "$out" '28, 28'

  # Beside a namespace with another mount there, on which descriptor 8 is opened.
  cat >"$top/beside" <<'END'
mkfifo ready hold
$OWN sh -c 'mount -t tmpfs none place && mkdir place/d && echo ready >ready && read -r line <hold' &
read -r line <ready
"$@" 8<"/proc/$!/root$PWD/place"
status=$?
echo end >hold
wait
rm ready hold
exit "$status"
END
  there=(env OWN="${own[*]}" sh "$top/beside")
  compare elsewhere
  has "elsewhere: that is said" "incomplete = files were used that only another mount namespace has"
else
  skip "full and elsewhere" "this user cannot mount in a namespace of its own: $err"
fi
finish
