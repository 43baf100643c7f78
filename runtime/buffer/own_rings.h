// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's rings in instances. The main buffer's writer is a pointer in thread-local storage, of
// which there is little. So for the fifteen instances a thread has one pointer, to a table from a
// pool. The table has rings by number and by the buffer's generation: a pointer would outlive its
// instance.
//
// The pool is never unmapped, and zeroed in a fork child; a thread that ends gives its table to the
// next one.

#pragma once

#include "buffer/trace_buffer.h"

namespace nophook {

struct OwnRings {
  int32_t tid; // thread that has the table; 0: it is free
  // Ring in each instance, by number - 1: generation << kRingBits | ring; 0: none.
  uint64_t ring[kMaxInstances];
};
constexpr uint32_t kRingBits = 16;
static_assert(kRingCount <= 1u << kRingBits);

extern constinit thread_local OwnRings *g_own_rings
    __attribute__((tls_model("initial-exec"))); // the calling thread's table, or null

// Makes the pool; before the first instance has a buffer. Under the runtime's lock. Errors: ENOMEM.
Status prepare_own_rings();

// Keeps `ring` as the calling thread's, whose signals are blocked. False: there are more threads
// than tables.
bool keep_own_ring(const Buffer &buffer, uint32_t ring);

// Gives up the table of the calling thread, which ends: the thread has no ring in any instance
// then.
void leave_own_rings();

// The calling thread's writer in an instance's buffer, or null.
inline Writer *own_ring_writer(const Buffer &buffer) {
  const OwnRings *own = g_own_rings;
  uint64_t ring = own ? own->ring[buffer.number - 1] : 0;
  return ring >> kRingBits == buffer.generation ? &buffer.writers[ring % (1u << kRingBits)]
                                                : nullptr;
}

} // namespace nophook
