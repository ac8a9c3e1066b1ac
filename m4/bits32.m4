# Whether programs of 32 bits can be built beside those of 64 (M32_CFLAGS, the conditional BITS32). Debian's gcc-multilib
# makes the kernel's headers visible to them, but conflicts with every cross compiler; gcc-12-multilib alone does not, and
# then they are named here.
AC_DEFUN([TL_BITS32_TRY], [
  AS_IF([test "$tl_cv_bits32" = no], [
    tl_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
#include <sys/socket.h>
typedef char is_32_bit[sizeof(long) == 4 ? 1 : -1];]], [[puts("");]])], [tl_cv_bits32="$1"])
    CFLAGS=$tl_saved_CFLAGS
  ])
])

AC_DEFUN([TL_BITS32], [
  AC_CACHE_CHECK([how $CC builds programs of 32 bits], [tl_cv_bits32], [
    tl_cv_bits32=no
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[typedef char is_64_bit[sizeof(long) == 8 ? 1 : -1];]], [])], [
      TL_BITS32_TRY([-m32])
      tl_multiarch=`$CC -print-multiarch 2>/dev/null`
      AS_IF([test -n "$tl_multiarch"], [TL_BITS32_TRY([-m32 -idirafter /usr/include/$tl_multiarch])])
    ])
  ])
  AM_CONDITIONAL([BITS32], [test "$tl_cv_bits32" != no])
  AS_IF([test "$tl_cv_bits32" = no], [M32_CFLAGS=], [M32_CFLAGS=$tl_cv_bits32])
  AC_SUBST([M32_CFLAGS])
])
