# TL_PKG(VARIABLE, MODULE, DEBIAN-PACKAGE)
# Finds a library with pkg-config; a missing one is remembered together with the Debian package that holds it, so that one
# run of configure names them all.
AC_DEFUN([TL_PKG], [
  PKG_CHECK_MODULES([$1], [$2], [:], [tl_missing="$tl_missing $3"])
])

# The archive asks the processor what it can do before main(), and each question is an exit of a virtual machine: put off until
# something is hashed (base/hash.c), where the linker can.
AC_DEFUN([TL_CRYPTO_LATE], [
  AC_MSG_CHECKING([whether SHA-256 can ask for the processor late])
  LIBS="-Wl,--wrap=OPENSSL_cpuid_setup $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
void early(void) __asm__("__wrap_OPENSSL_cpuid_setup");
void late(void) __asm__("__real_OPENSSL_cpuid_setup");
void early(void) {}
    ]], [[
      SHA256_CTX context;
      late();
      return !SHA256_Init(&context) || !SHA256_Update(&context, "", 0);
    ]])], [
    tl_late=yes
    CRYPTO_LIBS="-Wl,--wrap=OPENSSL_cpuid_setup $CRYPTO_LIBS"
    AC_DEFINE([CRYPTO_SETS_UP_LATE], [1], [OPENSSL_cpuid_setup() is called by base/hash.c, and not before main().])
  ], [tl_late=no])
  AC_MSG_RESULT([$tl_late])
])

# SHA-256 from libcrypto's archive where there is one: three objects that need nothing else of it, while the shared library
# takes longer to start than a short session. CRYPTO_LIBS=-lcrypto asks for the latter.
AC_DEFUN([TL_CRYPTO], [
  tl_given=$CRYPTO_LIBS
  TL_PKG([CRYPTO], [libcrypto], [libssl-dev])
  AS_IF([test -z "$tl_given" && test -n "$CRYPTO_LIBS"], [
    AC_MSG_CHECKING([whether SHA-256 can be linked statically])
    tl_archive=`AS_ECHO(["$CRYPTO_LIBS"]) | $SED 's/-lcrypto/-l:libcrypto.a/'`
    tl_saved_CFLAGS=$CFLAGS tl_saved_LIBS=$LIBS
    CFLAGS="$CFLAGS $CRYPTO_CFLAGS" LIBS="$tl_archive $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
      ]], [[
        SHA256_CTX context;
        unsigned char bytes[SHA256_DIGEST_LENGTH];
        SHA256_Init(&context);
        SHA256_Update(&context, "", 0);
        return !SHA256_Final(bytes, &context);
      ]])], [tl_static=yes; CRYPTO_LIBS=$tl_archive], [tl_static=no])
    AC_MSG_RESULT([$tl_static])
    AS_IF([test $tl_static = yes], [TL_CRYPTO_LATE])
    CFLAGS=$tl_saved_CFLAGS LIBS=$tl_saved_LIBS
  ])
])

# The numbers of calls come from libseccomp by a program that the build runs (base/make_call_numbers.c).
AC_DEFUN([TL_CALL_NUMBERS], [
  AC_ARG_VAR([CC_FOR_BUILD], [C compiler for what the build itself runs, when it is not CC])
  AC_ARG_VAR([SECCOMP_FOR_BUILD], [flags for libseccomp beside CC_FOR_BUILD])
  AS_IF([test "$cross_compiling" != yes], [
    AS_IF([test -z "$CC_FOR_BUILD"], [CC_FOR_BUILD='$(CC)'])
    AS_IF([test -z "$SECCOMP_FOR_BUILD"], [SECCOMP_FOR_BUILD='$(SECCOMP_CFLAGS) $(SECCOMP_LIBS)'])
  ], [
    AC_CHECK_PROGS([CC_FOR_BUILD], [gcc cc clang])
    AS_IF([test -z "$SECCOMP_FOR_BUILD"], [SECCOMP_FOR_BUILD=-lseccomp])
    AC_MSG_CHECKING([for libseccomp on the machine that builds])
    AS_ECHO(["#include <seccomp.h>"]) >conftest.c
    AS_ECHO(["int main(void) { return seccomp_syscall_resolve_name(\"read\") < 0; }"]) >>conftest.c
    AS_IF([$CC_FOR_BUILD -o conftest.build conftest.c $SECCOMP_FOR_BUILD >&AS_MESSAGE_LOG_FD 2>&1 && ./conftest.build],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([the build runs a program that asks libseccomp for numbers; set CC_FOR_BUILD and SECCOMP_FOR_BUILD])])
    rm -f conftest.c conftest.build
  ])
])

AC_DEFUN([TL_DEPENDENCIES], [
  PKG_PROG_PKG_CONFIG([0.29])
  tl_missing=
  TL_PKG([SECCOMP], [libseccomp >= 2.5], [libseccomp-dev])
  TL_CALL_NUMBERS
  TL_PKG([UNWIND], [libunwind-ptrace libunwind-generic], [libunwind-dev])
  TL_PKG([INIH], [inih], [libinih-dev])
  TL_PKG([JANSSON], [jansson >= 2.13], [libjansson-dev])
  TL_CRYPTO
  AC_CHECK_HEADER([uthash.h], [:], [tl_missing="$tl_missing uthash-dev"])
  TL_PKG([CRITERION], [criterion >= 2.4], [libcriterion-dev])
  AC_SEARCH_LIBS([pthread_create], [pthread])
  AS_IF([test -n "$tl_missing"], [
    AC_MSG_ERROR([libraries are missing; on Debian: apt-get install$tl_missing])
  ])
])
