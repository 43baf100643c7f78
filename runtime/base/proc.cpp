// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads files of /proc by system calls, and finds fields in their text.

#include "base/proc.h"

#include "base/bytes.h"
#include "base/syscall.h"

#include <fcntl.h>

namespace nophook {

bool read_proc(const char *path, ProcText &text) {
  text[0] = 0;
  long fd = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  long n = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  text[sys_failed(n) ? 0 : n] = 0;
  return text[0];
}

// Fields are counted from the last ')', since the name before it may hold anything.
const char *stat_field(const char *stat, int wanted) {
  size_t at = text_length(stat);
  while (at > 0 && stat[at - 1] != ')')
    at--;
  int field = 2;
  for (; at > 0 && stat[at]; at++)
    if (stat[at] == ' ' && ++field == wanted)
      return stat + at + 1;
  return nullptr;
}

uint64_t number_at(const char *text, unsigned base, const char **end) {
  uint64_t value = 0;
  for (;; text++) {
    unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                     : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10)
                                                    : 99;
    if (digit >= base) {
      if (end)
        *end = text;
      return value;
    }
    value = value * base + digit;
  }
}

} // namespace nophook
