// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a process's buffer at this moment, copied while the process keeps writing.
//
// A writer may recycle a sub-buffer during the copy (docs/design/ring_buffer.md): a copy is valid
// only if the sub-buffer is still the same one afterwards. Consumed and cleared events are not part
// of a copy. An event that is just being written ends it: events behind a hole come with the next
// copy.

#pragma once

#include "process/drain/shared_buffer.h"

#include <memory>
#include <vector>

namespace nophook {

struct HeldSubbuf {
  uint32_t ring;
  int32_t tid;
  uint64_t seq;
  uint32_t index;
};

// The sub-buffers that have been written to, by ring, thread and number.
std::vector<HeldSubbuf> held_subbufs(const SharedBuffer &buffer);

// The longest part without a gap, among the sub-buffers of one thread. They are looked at one after
// the other. So a sub-buffer that was begun in the meantime may be present without the one before
// it, whose place still held an older one at that time.
std::span<const HeldSubbuf> longest_run(std::span<const HeldSubbuf> held);

// Copies a whole sub-buffer, its header first. Null: it has been recycled, before or during the
// copy. `*is_full`: its thread had left it before.
std::unique_ptr<uint64_t[]> copy_held(const SharedBuffer &buffer, const HeldSubbuf &held,
                                      bool *is_full);

// The events of its ring that were written in front of a sub-buffer. False: it has been recycled.
bool events_before(const SharedBuffer &buffer, const HeldSubbuf &held, uint64_t *events);

// Words of a sub-buffer, and a header that holds for the first of them.
struct SubbufPart {
  nophook_subbuf header;
  std::shared_ptr<const uint64_t[]> memory;
  std::span<const uint64_t> words;
  SharedBuffer::Place begin;
  bool is_left = false; // no more will be written there
  uint64_t begun = 0;   // time at which it was begun, even if that part has been cleared since
  uint64_t before = 0;  // events of the ring in front of the sub-buffer (nophook/buffer.h)
  uint64_t cleared = 0; // time of the buffer's clearing: earlier events are left out
};

// Copies from the word `from` on, or from the first one that is not cleared. `is_gone`: the thread
// has ended, so holes stay for ever. False: the place contains another sub-buffer by now.
bool copy_part(const SharedBuffer &buffer, const HeldSubbuf &held, uint32_t from, bool is_gone,
               SubbufPart *part);

} // namespace nophook
