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

// The section of the mark: one byte that no thread executes. In front of the address where the
// kernel would continue are the four bytes with which glibc registered the area. The kernel
// compares them even where the thread is outside the section, and kills it if they differ.
extern "C" const char nophook_rseq_section[], nophook_rseq_abort[];
__asm__(".pushsection .text.nophook_rseq, \"ax\", %progbits\n"
        "        .balign 8\n"
        "        .long " NOPHOOK_RSEQ_SIGNATURE "\n"
        "        .hidden nophook_rseq_abort\n"
        "        .globl nophook_rseq_abort\n"
        "nophook_rseq_abort:\n"
        "        .long " NOPHOOK_RSEQ_SIGNATURE "\n"
        "        .hidden nophook_rseq_section\n"
        "        .globl nophook_rseq_section\n"
        "nophook_rseq_section:\n"
        "        .long " NOPHOOK_RSEQ_SIGNATURE "\n"
        "        .popsection\n");

// struct rseq_cs of <linux/rseq.h>
struct alignas(32) CriticalSection {
  uint32_t version, flags;
  const char *start;
  uint64_t bytes;
  const char *abort;
};
static constexpr CriticalSection kMark = {0, 0, nophook_rseq_section, 1, nophook_rseq_abort};

uint64_t rseq_mark() {
  return reinterpret_cast<uint64_t>(&kMark);
}

} // namespace nophook
