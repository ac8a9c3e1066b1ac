# TL_PKG(VARIABLE, MODULE, DEBIAN-PACKAGE)
# Finds a library with pkg-config; a missing one is remembered together with the Debian package that holds it, so that one
# run of configure names them all.
AC_DEFUN([TL_PKG], [
  PKG_CHECK_MODULES([$1], [$2], [:], [tl_missing="$tl_missing $3"])
])

AC_DEFUN([TL_DEPENDENCIES], [
  PKG_PROG_PKG_CONFIG([0.29])
  tl_missing=
  TL_PKG([SECCOMP], [libseccomp >= 2.5], [libseccomp-dev])
  TL_PKG([UNWIND], [libunwind-ptrace libunwind-generic], [libunwind-dev])
  TL_PKG([INIH], [inih], [libinih-dev])
  TL_PKG([JANSSON], [jansson >= 2.13], [libjansson-dev])
  TL_PKG([MD], [libmd], [libmd-dev])
  AC_CHECK_HEADER([uthash.h], [:], [tl_missing="$tl_missing uthash-dev"])
  TL_PKG([CRITERION], [criterion >= 2.4], [libcriterion-dev])
  AC_SEARCH_LIBS([pthread_create], [pthread])
  AS_IF([test -n "$tl_missing"], [
    AC_MSG_ERROR([libraries are missing; on Debian: apt-get install$tl_missing])
  ])
])
