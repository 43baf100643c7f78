// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from an event into libc. C may use vector registers, which hold values of the traced
// function.

#pragma once

#include "arch/vectors.h"
#include "base/memory.h"

namespace nophook {

// Runs `function` between a save of the vector registers and their return. They are kept in memory
// that is none of the program's stack, which may be small: two system calls. Without memory
// `function` does not run. After find_vector_state(). Thread, signal and fork safe, if `function`
// is.
template <class Function> void keep_vectors(Function function) {
  const uint64_t bytes = vector_state_bytes();
  void *area = map_pages(bytes);
  if (!area)
    return;
  save_vectors(area);
  function();
  restore_vectors(area);
  unmap_pages(area, bytes);
}

} // namespace nophook
