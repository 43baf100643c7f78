// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes a buffer's clock, or its treatment of a full buffer, while threads write to it. Both
// clear the buffer. Times of two clocks cannot be distinguished in one ring. And sub-buffers that a
// thread has left to readers are not in the table of those that may be overwritten.
//
// Threads are not stopped. The buffer is paused, so each event enters the slow path and returns. An
// event that is being written at that moment may still be completed. Its time is on either clock.
// Since the new clock continues from the old one, that event is cleared with the rest, or is the
// first one.

#include "buffer/trace_buffer.h"

#include "buffer/trace_clock.h"

namespace nophook {

Status buffer_change_clock(Buffer &buffer, const ClockName &name) {
  NOPHOOK_TRY(follow_clock(&buffer.clock, name));
  if (!buffer_is_open(buffer))
    return {};
  nophook_buffer *header = buffer.header;
  if (!__atomic_exchange_n(&header->clock_busy, 1, __ATOMIC_ACQUIRE)) {
    // These times are the old clock's.
    header->clock_tsc = header->clock_ns = header->clock_realtime_ns = 0;
    __atomic_store_n(&header->clock_busy, 0, __ATOMIC_RELEASE);
  }
  tell_clock_kind(buffer, header);
  tell_cleared(buffer);
  take_back_cleared(buffer);
  return {};
}

// Changes the treatment of a full buffer. Sub-buffers are given back while no thread overwrites
// yet, or none does any more.
Status buffer_change_full(Buffer &buffer, uint32_t full) {
  if (full == NOPHOOK_FULL_OVERWRITE)
    NOPHOOK_TRY(map_ages(buffer));
  bool is_open = buffer_is_open(buffer);
  auto change = [&] {
    __atomic_fetch_add(&buffer.full_changes, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&buffer.full, full, __ATOMIC_RELEASE);
    if (is_open)
      __atomic_store_n(&buffer.header->full, full, __ATOMIC_RELEASE);
  };
  if (full != NOPHOOK_FULL_OVERWRITE)
    change();
  if (is_open) {
    tell_cleared(buffer);
    take_back_cleared(buffer);
  }
  if (full == NOPHOOK_FULL_OVERWRITE) {
    forget_ages(buffer);
    change();
  }
  if (is_open)
    tell_freed(buffer);
  return {};
}

} // namespace nophook
