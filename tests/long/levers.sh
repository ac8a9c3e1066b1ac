#!/usr/bin/env bash
# Time: 1200 s
# What makes learning faster changes nothing of what is learned: the same work with each lever on and off.
. "$TL_SRC/tests/lib.sh"

limit=300
variants=("--calls=all" "--calls=enforced" "--colocate=never" "--calls=enforced --colocate=never" "--no-log" "--log-all")

# work NAME SCRIPT: in a fresh directory of one name for each variant, so that the paths are the same.
work() {
  local name=$1 script=$2 variant first=
  for variant in "${variants[@]}"; do
    chmod -R u+rwX place 2>/dev/null
    rm -rf place
    mkdir place && cd place || exit 1
    # shellcheck disable=SC2086 # options are words
    run "$TRACE_LEARN" $variant -q -f -o ../p.ini -- sh -c "$script"
    cd ..
    printf '%s\n' "$status" "$out" >seen
    if [ -z "$first" ]; then
      first=$variant
      is "$name: works" "$status" 0
      cp p.ini first.ini
      cp seen first.seen
      continue
    fi
    same "$name: $variant learns what $first does" first.ini p.ini
    same "$name: $variant: and it does the same" first.seen seen
  done
}

fresh
work shell 'for i in 1 2 3 4; do echo $i >f$i; mkdir -p d/$i; mv f$i d/$i/f; cat d/$i/f; done; rm -r d/1; ls'
work missing 'for i in $(seq 50); do cat none/$i ./none$i /none$i 2>/dev/null; done; test ! -e none'
work git 'export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE="2001-01-01T00:00:00 +0000" GIT_COMMITTER_DATE="2001-01-01T00:00:00 +0000"; git init -q .; for i in $(seq 30); do
  echo $i >f$i; done; git add . && git -c user.name=a -c user.email=a@b commit -qm all && git log --oneline && git status -s'
work python '/usr/bin/python3 -B -c "import json, threading, subprocess
def f(): open(\"/etc/hosts\").read()
t = [threading.Thread(target=f) for _ in range(4)]
[x.start() for x in t]; [x.join() for x in t]; print(subprocess.check_output([\"cat\", \"/etc/hostname\"]))"'
work compiler 'echo "int main(void) { return 0; }" >a.c; for i in 1 2 3; do cp a.c b$i.c; gcc -c b$i.c || exit 1; done; gcc -o a a.c && ./a'
work links 'mkdir d; echo x >d/f; ln -s d e; ln -s f d/g; cat e/g d/../e/f; ln d/f d/h; exec 3<d/f; cat /proc/self/fd/3 /dev/fd/3 <d/h'
# Where calls are kept each is waited for; else not one that makes a name in a directory of the session's own.
work clone 'export GIT_CONFIG_NOSYSTEM=1; mkdir a b b/c; for i in $(seq 90); do echo $i >a/$i; cp a/$i b; ln -s $i b/c/$i; done; git init -q a && cd a && git add . &&
  git -c user.name=a -c user.email=a@b commit -qm all && cd .. && git clone -q a copy && ls -R copy/* && rm -r copy/[1-8]* && mv copy other && git -C other checkout -q . && ls other'
work trees 'mkdir -p a/b/c; for i in $(seq 30); do echo $i >a/b/$i; mkdir a/b/c/$i; done; cp -r a d; tar cf t a && mkdir x && cd x && tar xf ../t && cp -r a a/b/c/9 && ls -R . ../d; rm -rf a/b; mkdir a/b; echo >a/b/1; ls a/b'
work parallel 'for i in 1 2 3 4 5 6; do (for j in $(seq 20); do cat /etc/passwd; done >o$i; cat o$i >/dev/null) & done; wait; cat o?'
finish
