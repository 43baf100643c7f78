// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// events/ftrace/print: the event of each text that is written to trace_marker. As in the kernel, it
// is always on and has no filter. It has triggers: `snapshot` sets aside the events that led to
// each mark.

#pragma once

#include "events/text_events.h"

#include <nophook/kernel_events.h>

namespace nophook {

// The record that its triggers' filters read: the field `buf`, without a newline at the end.
constexpr uint32_t kMaxMarkText = 1000;
struct MarkRecord {
  KernelPrint head;
  uint32_t word; // word of the text
  char text[kMaxMarkText + 1];
};

MarkRecord mark_record(const char *text, uint64_t bytes);

// It is not in the list of first_event().
TextEvent *mark_event();

} // namespace nophook
