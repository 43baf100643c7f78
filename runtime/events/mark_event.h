// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// events/ftrace/print: what is written to trace_marker. As in the kernel, it is always on and has
// no filter. It has triggers: `snapshot` sets aside what led to each mark.

#pragma once

#include "events/text_events.h"

#include <nophook/kernel_events.h>

namespace nophook {

// What filters of its triggers look at: its field `buf`, without a newline at the end.
constexpr uint32_t kMaxMarkText = 1000;
struct MarkRecord {
  KernelPrint head;
  uint32_t word; // of the text
  char text[kMaxMarkText + 1];
};

// It is not in the list of first_event().
TextEvent *mark_event();

// Call it when such a text has been written to the main buffer (0), or to an instance's. Without
// the runtime's lock.
void run_mark_triggers(uint32_t instance, const char *text, uint64_t bytes);

} // namespace nophook
