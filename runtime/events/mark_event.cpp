// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds the only event of marks, and copies a text into a record of its fields.

#include "events/mark_event.h"

#include "base/own_identity.h"

namespace nophook {

static TextEvent g_event;

TextEvent *mark_event() {
  g_event.id = kKernelPrint;
  return &g_event;
}

MarkRecord mark_record(const char *text, uint64_t bytes) {
  MarkRecord record = {};
  record.head.common = {kKernelPrint, 0, 0, own_thread_id()};
  bytes -= bytes && text[bytes - 1] == '\n';
  bytes = bytes < kMaxMarkText ? bytes : kMaxMarkText;
  copy_bytes(record.text, text, bytes);
  record.word = (uint32_t)(bytes + 1) << 16 | offsetof(MarkRecord, text);
  return record;
}

} // namespace nophook
