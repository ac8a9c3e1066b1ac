#!/usr/bin/env bash
# Call stacks (-k): which functions led to an access, through libraries, in C, C++, static and stripped programs; and that
# no program, however its files and its stack look, can harm the session by it.
. "$TL_SRC/tests/lib.sh"

type gcc >/dev/null 2>&1 || skip_all 'gcc is not installed'
type jq >/dev/null 2>&1 || skip_all 'jq is not installed'

# stacked NAME PROGRAM…: learns it with stacks, log in NAME.jsonl.
stacked() {
  local name=$1
  shift
  rm -f "$name.jsonl"
  learn_options=(-k -l "$name.jsonl")
  learn "$@"
  learn_options=()
}

# functions LOG FILE: those on the stack of the access to the file, innermost first; ? for what has no name.
functions() {
  jq -r --arg path "$PWD/$2" 'select(.event == "access" and .path == $path and .stack) | .stack | map(.function // "?") | join(" ")' "$1.jsonl"
}
missing() {
  jq -r --arg path "$PWD/$2" 'select(.event == "access" and .path == $path) | .stack_missing // "none"' "$1.jsonl"
}
fits() {
  /usr/bin/python3 "$TL_SRC/tests/schema_check.py" "$TL_SRC/docs/audit-log.schema.json" LINES <"$1.jsonl"
}
valid() {
  if [ -x /usr/bin/python3 ]; then
    check "$1: each line has its form" fits "$1"
  else
    skip "$1: each line has its form" 'python3 is not installed'
  fi
}

fresh
echo data >f
echo other >g
cat >library.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int library_opens(const char *name);
int library_opens(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd + 1;
}
END
cat >main.c <<'END'
int library_opens(const char *name);
__attribute__((noinline)) static int inner(const char *name) { return library_opens(name) + 1; }
__attribute__((noinline)) int outer(const char *name) { return inner(name) + 1; }
__attribute__((noinline)) int deep(const char *name, int depth) { return depth ? deep(name, depth - 1) + 1 : outer(name); }
int main(int count, char **words) { return deep(words[1], count > 2 ? 100 : 0) == 0; }
END
options=(-O1 -fno-optimize-sibling-calls -fno-inline -fno-omit-frame-pointer)
gcc "${options[@]}" -fPIC -shared -o libours.so library.c && gcc "${options[@]}" -o main main.c "$PWD/libours.so"
stacked c ./main f
is "the program's status" "$status" 0
like "C: functions of the program and of a library, in their order" "$(functions c f)" '^(open|open64|__open[a-z0-9_]*) library_opens inner outer deep main '
is "with their files" "$(jq -r --arg path "$PWD/f" 'select(.path == $path and .stack) | .stack[1:3][].module' c.jsonl | paste -sd' ')" \
  "$PWD/libours.so $PWD/main"
like "with offsets in the function" "$(jq -r --arg path "$PWD/f" 'select(.path == $path and .stack) | .stack[1].offset' c.jsonl)" '^[1-9][0-9]?$'
like "the exec: of whoever called it" "$(jq -r 'select(.syscall == "execve" and .stack) | .stack[0].function' c.jsonl)" 'execve'
isnt "what the loader opens has a stack too" "$(functions c libours.so)" ''
valid c
like "why prints it" "$("$TRACE_PROFILE" why --log=c.jsonl f)" "at library_opens\+0x[0-9a-f]+ \($PWD/libours.so\)"
is "and has it in JSON" "$("$TRACE_PROFILE" why --log=c.jsonl --format=json f | jq -r '.accesses[0].stack[1:4] | map(.function) | join(" ")')" \
  'library_opens inner outer'
learn ./main f
cp p.ini without.ini
stacked c ./main f
same "the profile is the same as without" p.ini without.ini

stacked deep ./main f more
is "as many frames as there are by default" "$(jq --arg path "$PWD/f" 'select(.path == $path and .stack) | [(.stack | length), .stack_cut]' -c deep.jsonl)" '[32,true]'
learn_options=(-k3 -l three.jsonl)
learn ./main f
is "-k3: three" "$(functions three f | wc -w)" 3
learn_options=(--stack=256 -l many.jsonl)
learn ./main f more
is "--stack=256: all of them" "$(functions many f | tr ' ' '\n' | grep -c '^deep$')" 101
valid many
learn_options=(-l no.jsonl)
learn ./main f
is "without -k there is none" "$(grep -c stack no.jsonl)" 0
learn_options=(-k --log-all -l all.jsonl)
learn sh -c 'read x <f; read x <f; read x <f'
is "only what is new has one" "$(jq -r --arg path "$PWD/f" 'select(.event == "access" and .path == $path) | has("stack")' all.jsonl | paste -sd' ')" \
  'true false false'
learn_options=()
exits "-k0" 125 "$TRACE_LEARN" -k0 -- touch ran
says_line "is refused"
exits "--stack=257" 125 "$TRACE_LEARN" --stack=257 -- touch ran
exits "--no-log with -k" 125 "$TRACE_LEARN" --no-log -k -- touch ran
check "nothing was started" test ! -e ran

# Other kinds of programs.
gcc "${options[@]}" -static -o static main.c library.c
stacked static ./static f
like "static" "$(functions static f)" ' library_opens inner outer deep main '
cp main stripped && strip stripped
stacked stripped ./stripped f
like "stripped: as deep, the names of libraries alone" "$(functions stripped f)" '^[^ ]* library_opens \? \? \? \? \?'
like "with offsets in the file" "$(jq -r --arg path "$PWD/f" 'select(.path == $path and .stack) | .stack[2] | .module' stripped.jsonl)" '/stripped$'
cat >cxx.cc <<'END'
extern "C" int library_opens(const char *name);
namespace room { struct door { __attribute__((noinline)) int open(const char *name) { return library_opens(name) + 1; } }; }
int main(int, char **words) { room::door door; return door.open(words[1]) == 0; }
END
if type g++ >/dev/null 2>&1; then
  g++ "${options[@]}" -o cxx cxx.cc "$PWD/libours.so"
  stacked cxx ./cxx f
  like "C++: the names of the symbol table" "$(functions cxx f)" ' library_opens _ZN4room4door4openEPKc main '
  run bash -c '"$0" why --log=cxx.jsonl "$PWD/f" | c++filt' "$TRACE_PROFILE"
  like "which c++filt reads from what why prints" "$out" 'room::door::open\(char const\*\)'
else
  skip "C++" 'g++ is not installed'
fi
if [ -x "$FIXTURES/arch_calls32" ]; then
  stacked bits32 "$FIXTURES/arch_calls32"
  like "32 bits: none, with the reason" "$(jq -r 'select(.exe and (.exe | test("arch_calls32")) and .event == "access" and .kind != "call" and .syscall != "execve" and .syscall != "exec") | .stack_missing' bits32.jsonl | sort -u)" \
    '^it is a program of 32 bits'
  valid bits32
else
  skip "32 bits" 'no program of 32 bits can be built here'
fi
if [ -x /usr/bin/python3 ]; then
  stacked python /usr/bin/python3 -c 'open("f").read()'
  is "an interpreter" "$status" 0
  check "has frames of its own" test "$(functions python f | wc -w)" -gt 5
  valid python
fi
cat >jit.c <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
/* push rbp; mov rbp, rsp; mov eax, SYS_open; syscall; pop rbp; ret */
int main(int count, char **words)
{
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 2, 0, 0, 0, 0x0f, 0x05, 0x5d, 0xc3};
	void *made = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)count;
	memcpy(made, code, sizeof code);
	return ((int (*)(const char *, int))made)(words[1], 0) < 0;
}
END
if [ "$(uname -m)" = x86_64 ]; then
  gcc "${options[@]}" -o jit jit.c
  stacked jit ./jit f
  is "code in memory" "$status" 0
  is "has no file, and leads on" "$(jq -c --arg path "$PWD/f" 'select(.path == $path and .stack) | .stack[0] | [has("function"), has("module")]' jit.jsonl) $(functions jit f | cut -d' ' -f2)" \
    '[false,false] main'
fi

# Hostile ones. Whatever their stacks are: the session, its status, its profile and its log are whole.
hostile() {
  stacked "$1" "${@:2}"
  is "$1: the program's status" "$status" 0
  check "$1: what it opened is on record" grep -q "\"path\":\"$PWD/f\"" "$1.jsonl"
  check "$1: the profile is whole" grep -qx 'complete = yes' p.ini
  check "$1: the log has its end" grep -q '"state":"end"' "$1.jsonl"
  valid "$1"
}
cat >damage.py <<'END'
import os, re, subprocess, sys
source, target, section, how = sys.argv[1:]
data = bytearray(open(source, 'rb').read())
if section == 'header':
    data[40:48] = b'\xf8' + b'\xff' * 7 if how == 'ones' else bytes((len(data) - 8).to_bytes(8, 'little'))
    data[60:64] = b'\xff\xff\x01\x00'
    open(target, 'wb').write(data)
    os.chmod(target, 0o755)
    sys.exit()
for line in subprocess.run(['readelf', '-SW', source], capture_output=True, text=True).stdout.splitlines():
    found = re.match(r'\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+\S+\s+(\S+)\s+(\S+)', line)
    if found and found[1] == section:
        start, size = int(found[2], 16), int(found[3], 16)
        data[start:start + size] = bytes(size) if how == 'zero' else b'\xff' * size if how == 'ones' else bytes((i * 167 + 13) % 256 for i in range(size))
        break
else:
    sys.exit('no such section')
open(target, 'wb').write(data)
os.chmod(target, 0o755)
END
if [ -x /usr/bin/python3 ] && type readelf >/dev/null 2>&1; then
  while read -r program section how; do
    name=damaged-$program$section-$how
    /usr/bin/python3 damage.py "$program" "$name" "$section" "$how"
    hostile "$name" "./$name" f
  done <<'END'
static .eh_frame ones
static .eh_frame mixed
static .symtab mixed
static .strtab ones
static header ones
main .eh_frame zero
main .eh_frame ones
main .eh_frame mixed
main .eh_frame_hdr ones
main .eh_frame_hdr mixed
main .symtab ones
main header near
END
else
  skip "damaged files" 'python3 or readelf is not installed'
fi
cat >pivot.c <<'END'
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Opens the file with a frame pointer and a stack that lead around in a circle. */
int main(int count, char **words)
{
	static void *circle[4096] __attribute__((aligned(4096)));
	long result = SYS_open;

	(void)count;
	for (int i = 0; i < 4096; i++)
		circle[i] = &circle[(i + 2) % 4096];
	__asm__ volatile("push %%rbp; mov %%rsp, %%r12; mov %3, %%rbp; mov %3, %%rsp; syscall; mov %%r12, %%rsp; pop %%rbp"
			 : "+a"(result)
			 : "D"(words[1]), "S"(0), "r"(&circle[64])
			 : "rcx", "r11", "r12", "memory");
	return result < 0;
}
END
cat >gone.c <<'END'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
/* What the kernel calls the file that is mapped is by now the name of a pipe, whose opening waits. */
int main(int count, char **words)
{
	(void)count;
	return mkfifo("gone (deleted)", 0600) < 0 || unlink("gone") < 0 || open(words[1], O_RDONLY) < 0;
}
END
gcc -O1 -static -o gone gone.c
hostile gone ./gone f
check "gone: a pipe is there" test -p 'gone (deleted)'
is "gone: and is not waited for" "$(missing gone f)" none

# The helper is a process of the same user: the program may end it.
cat >killer.sh <<'END'
read -r _ <f
for status in /proc/[0-9]*/status; do
  { read -r _ name && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ parent; } <"$status"
  [ "$name" = trace-learn-st ] && [ "$parent" = "$PPID" ] && kill -s KILL "${status//[!0-9]/}" && echo killed
done
read -r _ <g
read -r _ <g1
read -r _ <h
exit 0
END
if [ "$(uname -m)" = x86_64 ]; then
  gcc -O0 -o pivot pivot.c
  hostile pivot ./pivot f
fi
echo more >h
stacked killed bash killer.sh
is "a program that kills the helper goes on" "$status $out" '0 killed'
isnt "before it, there was a stack" "$(functions killed f)" ''
is "the stack in hand is missing, and the record says why" \
  "$(jq -r 'select(.stack_missing) | .stack_missing' killed.jsonl | sort | uniq -c | sed 's/^ *//')" \
  '1 what the program maps, or its stack, stopped the helper that reads it'
isnt "later there is one again, from a new helper" "$(functions killed h)" ''
valid killed

# helpers COUNT: so many helpers of ours are there.
helpers() {
  local comm count=0
  for comm in /proc/[0-9]*/comm; do
    [ "$(cat "$comm" 2>/dev/null)" = trace-learn-st ] && tr '\0' '\n' 2>/dev/null <"${comm%comm}environ" | grep -qxF "TL_DIR=$TL_DIR" &&
      count=$((count + 1))
  done
  [ "$count" -eq "$1" ]
}
check "no helper is left" wait_for helpers 0
"$TRACE_LEARN" -q -k -f -o p.ini -l tool.jsonl -- sh -c 'read -r _ <f; : >going; exec sleep 300' >/dev/null 2>&1 &
pid=$!
wait_for test -e going
check "one while there is a session" helpers 1
for comm in /proc/[0-9]*/comm; do
  [ "$(cat "$comm" 2>/dev/null)" = trace-learn-st ] && tr '\0' '\n' <"${comm%comm}environ" | grep -qxF "TL_DIR=$TL_DIR" && helper=${comm%/comm}
done
like "it has two seconds of processor time for a stack" "$(cat "$helper/limits")" $'Max cpu time +[23] +unlimited'
filters() {
  sed -n 's/^Seccomp_filters:[[:space:]]*//p' "$1/status"
}
is "it has a filter that the tool has not" "$(filters "$helper")" "$(($(filters "/proc/$pid") + 1))"
is "no descriptor but its socket and the null device" \
  "$(for fd in "$helper"/fd/*; do readlink "$fd"; done | sed 's/:.*//' | sort | uniq -c | sed 's/^ *//' | paste -sd,)" '3 /dev/null,1 socket'
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
check "none when the tool was killed" wait_for helpers 0
finish
