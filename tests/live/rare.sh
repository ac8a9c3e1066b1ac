#!/usr/bin/env bash
# What few programs do comes to the same natively, while learning and under the profile.
. "$TL_SRC/tests/lib.sh"

# thrice NAME CMD…: status and output, three times. $native has what they were at first.
thrice() {
  local name=$1
  shift
  run "$@"
  native="$status $out"
  learn "$@"
  is "$name: while learning as natively" "$status $out" "$native"
  confined "$@"
  is "$name: under the profile as natively" "$status $out" "$native"
}

fresh
echo text >f
for case in $("$FIXTURES/rare"); do
  thrice "$case" "$FIXTURES/rare" "$case"
  case $case in
    into-group) like "$case: a child was made" "$native" '^0 child 0$' ;;
    end-during-exec) like "$case: each ended as it may" "$native" '^0 ended 30$' ;;
    arguments-elsewhere) like "$case: the file is read" "$native" 'open: works$' ;;
    filter-of-all-threads) is "$case: it has effect" "$native" $'0 filter: works\nrefused 4, opened 4' ;;
    same-memory) like "$case: it has effect" "$native" 'child 7 read 1, and then it is called none' ;;
    by-pidfd) like "$case: it ends" "$native" 'ended by 9$' ;;
  esac
  [ "$case" = end-during-exec ] || grants "$case: what it read" "$PWD/f" read_file
  has "$case: nothing is left out" 'complete = yes'
done

# A ring that the kernel serves by a thread of its own, which is no task of anybody's to trace.
run "$FIXTURES/uses_ring" f /bin/cat
if [ "$status $out" != $'0 open: works\ntext' ]; then
  skip "a ring with a thread of the kernel" "there is none here: $out"
else
  learn_options=(--allow-io-uring)
  thrice "a ring with a thread of the kernel" "$FIXTURES/uses_ring" f /bin/cat
  learn_options=()
fi

# A supervisor of its own over a call that the tracer does not stop, and one that it does.
for call in getppid mkdir; do
  rm -rf made
  run "$FIXTURES/supervises_call" $call mkdir made
  rmdir made
  learn "$FIXTURES/supervises_call" $call mkdir made
  is "a supervisor of its own over $call: while learning" "$status$(rmdir made 2>&1)" 0
done

# Linked without a loader, at whatever place.
cat >alone.c <<'END'
#include <stdio.h>
int main(void)
{
	FILE *file = fopen("f", "r");
	char text[9] = "";

	printf("alone %s", file && fgets(text, sizeof text, file) ? text : "without it\n");
	return 3;
}
END
if cc -static-pie -o alone alone.c 2>cc-says; then
  thrice "a static program at any place" ./alone
  is "a static program at any place: really" "$native" "3 alone text"
  grants "a static program at any place: it takes no more than itself" "$PWD/alone" execute,read_file
  hasnt "a static program at any place: and no loader" 'ld-linux|libc\.so'
else
  skip "a static program at any place" "cc -static-pie makes none here: $(head -1 cc-says)"
fi
finish
