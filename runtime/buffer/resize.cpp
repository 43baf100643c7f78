// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes buffer_size_kb while threads write. Each thread would have to learn of a new file, and
// late threads would write into the old one. So the file is made larger than its used part, as a
// hole. A change moves one number, which a thread checks when it begins a sub-buffer. Events cost
// nothing for it.

#include "base/limit_text.h"
#include "base/memory.h"
#include "buffer/trace_buffer.h"

#include <errno.h>

namespace nophook {
namespace {

bool has_hole(const nophook_subbuf *subbuf) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  bool found = false;
  for (uint32_t i = 0; i < subbuf->used / 8 && !found; i++)
    found = words[i] == 0;
  return found;
}

// Frees the sub-buffers beyond the new size that their owners have left. No other thread or reader
// gives any back in the meantime.
void give_up_beyond(Buffer &buffer) {
  for (uint32_t i = buffer.most; i < buffer.header->subbuf_used; i++) {
    nophook_subbuf *subbuf = subbuf_at(buffer, i);
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) != NOPHOOK_SUBBUF_FULL ||
        has_hole(subbuf))
      continue;
    // The events are not added to the ring's `lost`: only its own thread changes that while it
    // lives.
    __atomic_fetch_add(&buffer.header->lost, count_events(buffer, subbuf, subbuf->used),
                       __ATOMIC_RELAXED);
    __atomic_store_n(&subbuf->used, 0, __ATOMIC_RELEASE); // stored first, as readers do
    release_subbuf(buffer, i);
  }
}

// Gives sub-buffers up for all threads that need it; one thread at a time does it.
void give_up(Buffer &buffer) {
  uint32_t asked = __atomic_add_fetch(&buffer.beyond, 1, __ATOMIC_ACQ_REL);
  if (asked > 1)
    return;
  do
    with_reader_lock(buffer, give_up_beyond); // if a recorder has the lock, it will take them
  while (!__atomic_compare_exchange_n(&buffer.beyond, &asked, 0, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE));
}

Status grow(Buffer &buffer, uint32_t most) {
  uint32_t had = buffer.header->subbuf_used;
  if (most > had) {
    char *states = reinterpret_cast<char *>(
        round_down(reinterpret_cast<uint64_t>(buffer.states + had), kPageBytes));
    uint64_t state_bytes = (uint64_t)(reinterpret_cast<char *>(buffer.states + most) - states);
    if (sys_failed(
            sys(SYS_madvise, states, round_up(state_bytes, kPageBytes), MADV_POPULATE_WRITE)))
      return failure(ENOMEM, "the file system of buffer_dir is full, or the kernel too old");
  }
  // A reader may have given back memory of the part beyond the old limit.
  for (uint32_t i = buffer.most; i < most; i++)
    set_backed(buffer, i, 0);
  if (most > had)
    __atomic_store_n(&buffer.header->subbuf_used, most, __ATOMIC_RELEASE);
  return {};
}

} // namespace

bool is_beyond(const Buffer &buffer, const Writer *w) {
  return !buffer_overwrites(buffer) && w->index >= __atomic_load_n(&buffer.most, __ATOMIC_SEQ_CST);
}

void leave_beyond(Buffer &buffer, Writer *w) {
  leave_subbuf(buffer, w);
  give_up(buffer);
}

void release_subbuf(Buffer &buffer, uint32_t index) {
  nophook_subbuf *subbuf = subbuf_at(buffer, index);
  if (sys_failed(sys(SYS_madvise, subbuf, NOPHOOK_SUBBUF_BYTES, MADV_REMOVE))) {
    auto *words = reinterpret_cast<uint64_t *>(subbuf);
    const uint64_t bytes = readable_bytes(buffer, index);
    for (uint64_t i = 0; i < bytes / 8; i++)
      __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
  } else {
    set_backed(buffer, index, 0);
  }
  __atomic_store_n(&buffer.states[index], (uint32_t)NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
  tell_freed(buffer);
}

Status buffer_resize(Buffer &buffer, uint64_t kib) {
  if (kib < kLeastBufferKib)
    return failure(EINVAL, limit_text<"buffer_size_kb must be at least ", kLeastBufferKib, "">);
  auto most = (uint32_t)(kib * 1024 / NOPHOOK_SUBBUF_BYTES);
  if (!buffer.process) {
    buffer.kib = kib;
    return {};
  }
  bool is_open = buffer_is_open(buffer);
  if (most > (is_open ? buffer.header->subbuf_count : buffer.made_for))
    return failure(ENOMEM, limit_text<limit_text_of<"a buffer grows to ", kMostGrowth,
                                                    " times the size that it began with, and ">,
                                      kMostGrownGib, " GiB">);
  if (is_open && most > buffer.most)
    NOPHOOK_TRY(grow(buffer, most));
  buffer.kib = kib;
  if (!is_open)
    return {};
  __atomic_store_n(&buffer.no_more_segments, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.most, most, __ATOMIC_SEQ_CST);
  __atomic_store_n(&buffer.header->subbuf_most, most, __ATOMIC_RELEASE);
  tell_freed(buffer);
  if (!buffer_overwrites(buffer)) {
    give_up(buffer);
    end_fast_paths(buffer); // their threads leave the sub-buffers beyond it when they come here
  }
  return {};
}

} // namespace nophook
