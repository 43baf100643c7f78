// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room for a call's values that is not on the program's stack: where other callbacks keep the
// vector registers. There is none if too many handlers have interrupted each other.

#pragma once

#include "arch/vectors.h"
#include "buffer/trace_buffer.h"
#include "capture/capture.h"
#include "ops/recursion.h"
#include "ops/thread.h"

namespace nophook {

static_assert(sizeof(CapturedValues) <= kLeastVectorBytes);

class CaptureScratch {
public:
  CaptureScratch(const ftrace_regs *regs, bool is_wanted)
      : is_taken_(is_wanted && enter_callback(this, reinterpret_cast<uint64_t>(regs), false,
                                              regs->general.continues_at(), 0, &index_)) {
    if (!is_taken_)
      return;
    values_ = static_cast<CapturedValues *>(vector_area(this_thread(), index_));
    values_->bytes = 0;
  }
  ~CaptureScratch() {
    if (is_taken_)
      leave_callback(index_);
  }
  CaptureScratch(const CaptureScratch &) = delete;
  CaptureScratch &operator=(const CaptureScratch &) = delete;

  CapturedValues *values() { return values_; } // the room, or null

  // Writes the event with the captured values.
  uint64_t write(NewEvent event) const { return write_event(with_values(event)); }
  uint64_t write(Buffer &buffer, NewEvent event) const {
    return write_event(buffer, with_values(event));
  }

private:
  NewEvent with_values(NewEvent event) const {
    event.values = values_ ? values_->text : nullptr;
    event.value_bytes = values_ ? values_->bytes : 0;
    return event;
  }

  uint32_t index_ = 0;
  bool is_taken_;
  CapturedValues *values_ = nullptr;
};

} // namespace nophook
