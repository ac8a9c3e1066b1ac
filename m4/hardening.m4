# Each flag is probed by itself: another compiler, or an older one, gets what it knows.
AC_DEFUN([TL_FLAG], [
  AS_VAR_PUSHDEF([tl_cache], [tl_cv_flag_$1])
  AC_CACHE_CHECK([whether $CC accepts $1], [tl_cache], [
    tl_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]], [[puts("");]])],
                   [AS_VAR_SET([tl_cache], [yes])], [AS_VAR_SET([tl_cache], [no])])
    CFLAGS=$tl_saved_CFLAGS
  ])
  AS_VAR_IF([tl_cache], [yes], [$2="${$2} $1"])
  AS_VAR_POPDEF([tl_cache])
])

AC_DEFUN([TL_HARDENING], [
  WARNING_CFLAGS=
  m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
                        -Wwrite-strings -Wvla -Wformat=2 -Wundef],
               [TL_FLAG(m4_defn([flag]), [WARNING_CFLAGS])])
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--disable-werror], [let compiler warnings pass])], [], [enable_werror=yes])
  AS_IF([test "$enable_werror" = yes], [WARNING_CFLAGS="$WARNING_CFLAGS -Werror"])
  HARDENING_CFLAGS=
  HARDENING_LDFLAGS=
  AS_IF([test -z "$tl_sanitizing"], [
    m4_foreach_w([flag], [-fstack-protector-strong -fstack-clash-protection -fcf-protection=full -fPIE
                          -ftrivial-auto-var-init=zero],
                 [TL_FLAG(m4_defn([flag]), [HARDENING_CFLAGS])])
    AS_CASE([" $CFLAGS "], [*" -O0 "*], [], [TL_FLAG([-D_FORTIFY_SOURCE=2], [HARDENING_CFLAGS])])
    m4_foreach_w([flag], [-pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed],
                 [TL_FLAG(m4_defn([flag]), [HARDENING_LDFLAGS])])
  ])
  AC_SUBST([WARNING_CFLAGS])
  AC_SUBST([HARDENING_CFLAGS])
  AC_SUBST([HARDENING_LDFLAGS])
])

AC_DEFUN([TL_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UBSan])])
  AC_ARG_ENABLE([fuzzers], [AS_HELP_STRING([--enable-fuzzers], [build for libFuzzer (clang), with the sanitizers])])
  tl_sanitizing=
  AS_IF([test "$enable_fuzzers" = yes], [
    enable_sanitizers=yes
    CFLAGS="$CFLAGS -fsanitize=fuzzer-no-link"
  ])
  AS_IF([test "$enable_sanitizers" = yes], [
    tl_sanitizing=yes
    CFLAGS="$CFLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
  ])
  AM_CONDITIONAL([SANITIZERS], [test -n "$tl_sanitizing"])
])

AC_DEFUN([TL_COVERAGE], [
  AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [build for gcov])])
  AS_IF([test "$enable_coverage" = yes], [CFLAGS="$CFLAGS --coverage -O0 -g"])
])
