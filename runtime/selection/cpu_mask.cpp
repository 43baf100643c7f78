// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a mask, and stores it word by word.

#include "selection/cpu_mask.h"

#include <errno.h>
#include <unistd.h>

namespace nophook {

static int32_t hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

Status CpuMask::set(const char *text, uint64_t bytes) {
  uint64_t mask[kMost / 64] = {};
  uint64_t bit = 0;
  for (uint64_t i = bytes; i-- > 0;) {
    if (text[i] == ',' || (text[i] == '\n' && i + 1 == bytes))
      continue;
    int32_t digit = hex_digit(text[i]);
    if (digit < 0 || bit >= kMost)
      return failure(EINVAL, "a mask of CPUs is a hexadecimal number");
    mask[bit / 64] |= (uint64_t)digit << bit % 64;
    bit += 4;
  }
  if (!bit)
    return failure(EINVAL, "a mask of CPUs is a hexadecimal number");
  for (uint32_t i = 0; i < kMost / 64; i++)
    __atomic_store_n(&bits_[i], mask[i], __ATOMIC_RELAXED);
  is_set_ = true;
  return {};
}

uint64_t CpuMask::cpus() {
  long count = sysconf(_SC_NPROCESSORS_CONF);
  return count < 1 ? 1 : (uint64_t)count < kMost ? (uint64_t)count : kMost;
}

} // namespace nophook
