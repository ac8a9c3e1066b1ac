#!/usr/bin/env bash
# Time: 1200 s
# No room knows the architecture: all four compile for aarch64, with every warning an error. Compile only: neither libraries
# nor a machine of that kind need be there. The libraries' headers are those of this machine, where Debian's compiler looks
# too; they are the same everywhere.
. "$TL_SRC/tests/lib.sh"

host=aarch64-linux-gnu
type "$host-gcc" >/dev/null 2>&1 ||
  skip_all "there is no $host-gcc (Debian: gcc-aarch64-linux-gnu, beside which gcc-multilib cannot be, but gcc-12-multilib)"
echo '#include <stdio.h>' | "$host-gcc" -E - >/dev/null 2>&1 ||
  skip_all "$host-gcc has no C library (Debian: libc6-dev-arm64-cross)"

fresh
mkdir build
cd build || exit 1
nothing=' ' # known, and empty: pkg-config is not asked
libraries=()
for name in SECCOMP UNWIND INIH JANSSON CRYPTO CRITERION; do
  libraries+=("${name}_CFLAGS=$nothing" "${name}_LIBS=$nothing")
done
libraries+=("CRYPTO_CFLAGS=-idirafter /usr/include/$(gcc -print-multiarch)") # where Debian has one header of libcrypto's
limit=500
exits "configure" 0 "$TL_SRC/configure" -q --host="$host" "${libraries[@]}"
run make -s -k -j2 libbase.a libprofile.a libtracer.a librunner.a
is "the rooms compile" "$status $err" "0 "
for command in learn run diff profile; do
  objects=$(cat "$TL_SRC"/*/Makemodule.am | sed -n "s/^trace_${command}_SOURCES = //p" | tr ' ' '\n' | sed -n 's/\.c$/.o/p')
  # shellcheck disable=SC2086 # one word for each file
  run make -s $objects
  is "trace-$command's own files compile" "$status $err ${objects:+some}" "0  some"
done
for object in libbase.a tracer/trace_learn_main.o runner/trace_run_main.o; do
  like "$object is for another machine" "$("$host-readelf" -h "$object" | grep Machine | sort -u)" 'AArch64$'
done
missing=$(cd "$TL_SRC" && for file in {base,profile,tracer,runner}/*.c; do
  name=${file##*/}
  [ "$name" != make_call_numbers.c ] || continue # the build runs it
  compgen -G "$TL_DIR/1/build/${file%/*}/*${name%.c}.o" >/dev/null || echo "$file"
done)
is "no file was left out" "$missing" ''

# The two places with names of registers keep them behind a question, as does the one that says what this is built for.
registers='\<(orig_[re]?ax|r[abcd]x|r[sd]i|user_regs_struct|__x86_64__|__i386__|__aarch64__)\>'
is "registers and architectures are named in three files" \
  "$(cd "$TL_SRC" && grep -lwE "$registers" {base,profile,tracer,runner}/*.[ch])" $'base/architecture.c\ntracer/rewrite.c\ntracer/stack_unwind.c'
is "architectures stand in one table" \
  "$(cd "$TL_SRC" && grep -lE 'AUDIT_ARCH_[A-Z]+[0-9]|SCMP_ARCH_(X|A)[A-Z0-9_]+' {base,profile,tracer,runner}/*.[ch])" \
  $'base/architecture.c\ntracer/rewrite.c'

# Control: this compiler does refuse what is of another architecture.
printf '%s\n' '#include <sys/user.h>' 'long f(struct user_regs_struct *r) { return (long)r->orig_rax; }' >control.c
fails "control: a register of x86-64 does not compile" "$host-gcc" -c control.c
check "control: and does here" cc -c -o native.o control.c
finish
