// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the area by glibc's symbols. Only glibc registers the area for each thread, from 2.35 on,
// and publishes its place. With another libc, or if a tunable switches that off, CPU numbers are
// unknown.

#include "base/rseq.h"

#include "arch/arch.h"

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

// The section of the mark, which no thread executes: so it need not be code. In front of the
// address where the kernel would continue are the four bytes with which glibc registered the area.
// The kernel compares them even where the thread is outside the section, and kills it if they
// differ.
static constexpr struct {
  uint32_t signature, abort, section;
} kNoCode = {Arch::kRseqSignature, 0, 0};

// struct rseq_cs of <linux/rseq.h>
struct alignas(32) CriticalSection {
  uint32_t version, flags;
  const uint32_t *start;
  uint64_t bytes;
  const uint32_t *abort;
};
static constexpr CriticalSection kMark = {0, 0, &kNoCode.section, 1, &kNoCode.abort};

uint64_t rseq_mark() {
  return reinterpret_cast<uint64_t>(&kMark);
}

} // namespace nophook
