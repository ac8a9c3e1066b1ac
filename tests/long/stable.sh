#!/usr/bin/env bash
# Time: 1200 s
# The same session again gives the same profile, whatever the order in which tasks come: byte for byte, 20 times.
. "$TL_SRC/tests/lib.sh"

# stable NAME SETUP CMD…: in a fresh directory of the same name each time.
stable() {
  local name=$1 setup=$2 differ=0 round
  shift 2
  rm -rf "$TL_DIR/first.ini"
  : >"$TL_DIR/differences"
  for ((round = 0; round < 20; round++)); do
    cd "$TL_DIR" && rm -rf work "$TMPDIR" "$HOME/.cache" && mkdir work "$TMPDIR" && cd work || exit 1
    eval "$setup"
    profile=$TL_DIR/p.ini
    learn "$@"
    [ "$status" -eq 0 ] || { differ=$((differ + 1)); run_facts >>"$TL_DIR/differences"; }
    [ -e "$TL_DIR/first.ini" ] || cp "$TL_DIR/p.ini" "$TL_DIR/first.ini"
    diff "$TL_DIR/first.ini" "$TL_DIR/p.ini" >>"$TL_DIR/differences" || differ=$((differ + 1))
  done
  is "$name: 20 learns, one profile" "$differ" 0 || sed 's/^/# /' "$TL_DIR/differences"
}

limit=300
# Whether threads meet in malloc(3), which then asks the system for more, is chance, and the program's own.
export MALLOC_ARENA_MAX=1
if command -v gcc make >/dev/null; then
  # shellcheck disable=SC2016 # it is evaluated in each round
  stable "make -j2" '
    for i in 1 2 3 4; do echo "int f$i(void) { return $i; }" >f$i.c; done
    echo "int f1(void), f4(void); int main(void) { return f1() + f4(); }" >a.c
    printf "%s\n" "t: a.o f1.o f2.o f3.o f4.o" "	gcc -o t a.o f1.o f2.o f3.o f4.o" \
      "%.o: %.c" "	gcc -c -o \$@ \$<" >Makefile' make -s -j2
else
  skip "make -j2" "gcc or make is not installed"
fi

if command -v python3 >/dev/null; then
  stable "python with threads" 'echo "{}" >a; mkdir d' python3 -c '
import concurrent.futures, json, os, subprocess, tempfile
def work(n):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x"); file.flush(); open(file.name).read()
    os.makedirs("d/%d" % (n % 3), exist_ok=True)
    open("d/%d/%d" % (n % 3, n), "w").write(open("a").read())
    return subprocess.run(["true"]).returncode
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(work, range(40))))'
else
  skip "python with threads" "python3 is not installed"
fi

if command -v javac >/dev/null; then
  mkdir "$TL_DIR/java"
  cat >"$TL_DIR/java/Threads.java" <<'JAVA'
import java.nio.file.*;
import java.util.stream.*;

public class Threads {
  static int work(int number) {
    try {
      Path file = Files.createTempFile("t", ".x");
      Files.writeString(file, "x".repeat(100000));
      Files.move(file, Path.of("d/" + number));
      return Files.readString(Path.of("a")).length();
    } catch (java.io.IOException error) {
      throw new java.io.UncheckedIOException(error);
    }
  }

  public static void main(String[] words) throws Exception {
    Thread[] threads = new Thread[12];
    for (int i = 0; i < threads.length; i++) {
      int number = 100 + i;
      (threads[i] = new Thread(() -> work(number))).start();
    }
    for (Thread thread : threads)
      thread.join();
    System.out.println(IntStream.range(0, 20).parallel().map(Threads::work).sum());
  }
}
JAVA
  check "the program compiles" javac -J-XX:-UsePerfData -d "$TL_DIR/java" "$TL_DIR/java/Threads.java"
  # What other virtual machines of the user left is no part of it (-UsePerfData).
  stable "java with threads" 'echo "{}" >a; mkdir d; cp "$TL_DIR"/java/*.class .' \
    java -XX:-UsePerfData -Djava.io.tmpdir="$TMPDIR" -cp . Threads
else
  skip "java with threads" "javac is not installed"
fi

if command -v node >/dev/null; then
  stable "node" 'echo "{}" >a; mkdir d' node -e '
const fs = require("fs"), child = require("child_process");
for (let i = 0; i < 20; i++)
  fs.readFile("a", () => fs.writeFile("d/" + i, "x", () => fs.rename("d/" + i, "d/r" + i, () => {})));
child.execFile("true", () => {});
fs.promises.mkdtemp(require("os").tmpdir() + "/t-").then((d) => fs.promises.rm(d, { recursive: true }));'
else
  skip "node" "node is not installed"
fi
finish
