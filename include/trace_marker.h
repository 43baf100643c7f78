// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks: the program's own messages in its trace, between the calls, in the order of time.
//
//      trace_printk("%d of %d items\n", done, all);
//
// Include it anywhere; nothing has to be linked, because the reference to the runtime is weak.
// Without the runtime (the program was started without `nophook record`), a call only tests a
// pointer. Text is recorded while tracing is on, with any tracer; `nophook record -p nop` records
// only marks.
//
// Thread safety: any thread. Signal safety: all but trace_printk, whose vsnprintf has libc's.
// Fork: as events. No thread waits for another.
//
// Source: trace_printk, trace_puts, tracefs trace_marker and trace_marker_raw of the kernel.

#ifndef NOPHOOK_TRACE_MARKER_H
#define NOPHOOK_TRACE_MARKER_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ftrace.h"

#ifdef __cplusplus
extern "C" {
#endif

// The most bytes of one mark; the rest is left out.
#define NOPHOOK_MARK_BYTES 1000

// The runtime's part. `ip`: an address in the function that writes the mark; 0: unknown.
// Returns the number of bytes recorded.
// -EBADF   tracing is off
// -EINVAL  raw data begin with a number of four bytes
__attribute__((weak)) long nophook_mark(unsigned long ip, const char *text, size_t bytes);
__attribute__((weak)) long nophook_mark_raw(const void *data, size_t bytes);

// The equivalent of a write to trace_marker. Also -ENODEV: there is no runtime.
static inline long trace_marker_write(const char *text, size_t bytes) {
  return nophook_mark ? nophook_mark(0, text, bytes) : -ENODEV;
}

// The equivalent of a write to trace_marker_raw: a number (int), then bytes; the program chooses
// their meaning.
static inline long trace_marker_raw_write(const void *data, size_t bytes) {
  return nophook_mark_raw ? nophook_mark_raw(data, bytes) : -ENODEV;
}

// Text with the name of the function that writes it. Returns the number of bytes recorded.
NOPHOOK_NOTRACE __attribute__((noinline, unused)) static int trace_puts(const char *text) {
  unsigned long ip = (unsigned long)__builtin_return_address(0);
  long taken = nophook_mark ? nophook_mark(ip, text, strlen(text)) : 0;
  return taken > 0 ? (int)taken : 0;
}

NOPHOOK_NOTRACE __attribute__((noinline, unused, format(printf, 1, 2))) static int
trace_printk(const char *format, ...) {
  char text[NOPHOOK_MARK_BYTES + 1];
  if (!nophook_mark)
    return 0;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0)
    return 0;
  size_t bytes = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
  long taken = nophook_mark((unsigned long)__builtin_return_address(0), text, bytes);
  return taken > 0 ? (int)taken : 0;
}

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_TRACE_MARKER_H
