// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps counters by chunks of ids. A table of chunks keeps addresses valid while more come.

#include "selection/call_counters.h"

#include "base/memory.h"
#include "ops/filter.h"

#include <nophook/buffer.h>

#include <errno.h>

namespace nophook {
namespace {

constexpr uint64_t kIds = uint64_t{1} << NOPHOOK_ID_BITS;

} // namespace

Status CallCounters::reserve() {
  uint64_t **table = chunks_;
  if (!table)
    table = static_cast<uint64_t **>(map_pages((kIds >> kShift) * sizeof(uint64_t *)));
  for (uint32_t i = 0; table && i << kShift < id_limit(); i++) {
    if (table[i])
      continue;
    auto *chunk = static_cast<uint64_t *>(map_pages(kChunkIds * sizeof(uint64_t)));
    __atomic_store_n(&table[i], chunk, __ATOMIC_RELEASE);
    if (!chunk)
      table = nullptr;
  }
  if (!table)
    return failure(ENOMEM, "no memory to count calls");
  __atomic_store_n(&chunks_, table, __ATOMIC_RELEASE);
  return {};
}

void CallCounters::release() {
  for (uint64_t i = 0; chunks_ && i < kIds >> kShift; i++)
    if (chunks_[i])
      unmap_pages(chunks_[i], kChunkIds * sizeof(uint64_t));
  if (chunks_)
    unmap_pages(chunks_, (kIds >> kShift) * sizeof(uint64_t *));
  chunks_ = nullptr;
}

void CallCounters::forget_muted() {
  for (uint32_t id = 0; id < id_limit(); id++)
    if (has_muted(id))
      __atomic_store_n(of(id), 0, __ATOMIC_RELAXED);
}

} // namespace nophook
