/* What Python's headers need to know about macOS and Linux on arm64, to check sources for them without
   their Python. Both have the same widths of types; pyconfig.h of a real Python has much more. */
#ifndef Py_CONFIG_H
#define Py_CONFIG_H

#define WITH_THREAD
#define HAVE_PTHREAD_H 1
#define PTHREAD_SYSTEM_SCHED_SUPPORTED 1

#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define ALIGNOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 16
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_OFF_T 8
#define SIZEOF_FPOS_T 16
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_PTHREAD_T 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF__BOOL 1
#define DOUBLE_IS_LITTLE_ENDIAN_IEEE754 1

#define HAVE_ERRNO_H 1
#define HAVE_FCNTL_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_PROTOTYPES 1
#define HAVE_SSIZE_T 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_WCHAR_H 1
#define STDC_HEADERS 1

#endif
