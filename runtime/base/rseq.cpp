// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the area by glibc's symbols. Only glibc registers the area for each thread, from 2.35 on,
// and publishes its place. With another libc, or if a tunable switches that off, CPU numbers are
// unknown.

#include "base/rseq.h"

#include <stddef.h>

extern "C" {
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));
}

namespace nophook {

int64_t rseq_cpu_offset() {
  constexpr ptrdiff_t kCpuId = 4; // offsetof(struct rseq, cpu_id)
  return &__rseq_size && __rseq_size != 0 ? __rseq_offset + kCpuId : 0;
}

} // namespace nophook
