// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from an event into libc. C may use vector registers, which hold values of the traced
// function.

#pragma once

#include "arch/vectors.h"
#include "base/memory.h"

namespace nophook {

// A spare area that is not in use, or null. It saves two system calls and a page fault for each
// thread.
inline void *g_spare_vectors = nullptr;

// Runs `function` between a save of the vector registers and their return. They are kept in memory
// that is none of the program's stack, which may be small. Without memory `function` does not run.
// After find_vector_state(). Thread, signal and fork safe, if `function` is.
template <class Function> void keep_vectors(Function function) {
  const uint64_t bytes = vector_state_bytes();
  void *area = __atomic_exchange_n(&g_spare_vectors, nullptr, __ATOMIC_ACQ_REL);
  if (!area && !(area = map_pages(bytes)))
    return;
  save_vectors(area);
  function();
  restore_vectors(area);
  void *none = nullptr;
  if (!__atomic_compare_exchange_n(&g_spare_vectors, &none, area, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    unmap_pages(area, bytes);
}

} // namespace nophook
