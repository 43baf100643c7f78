// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fork child that cannot make a buffer (after setuid or chroot, without a free descriptor) counts
// itself and its events in the header of its parent's buffer. It may do so after its parent has
// ended, been recorded whole and lost its files: a daemon. So the page of each header stays mapped
// until the recording ends.

#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include <nophook/buffer.h>

namespace nophook {

// "3 fork children could not be recorded (the last one, 4711: REASON: No such file or directory)";
// empty: there is none. `count` may sum up several buffers; `last` is the header of one.
std::string lost_children_text(uint64_t count, const nophook_buffer &last);

class LostChildren {
public:
  LostChildren() = default;
  LostChildren(const LostChildren &) = delete;
  LostChildren &operator=(const LostChildren &) = delete;
  ~LostChildren();

  // Watches the buffer at `path`, of the recording's process `index`: for all its children, or only
  // for later ones.
  enum class Since { kStart, kNow };
  void watch(const std::string &path, uint32_t index, Since since);

  // The losses that its header counts by now have been recorded; later ones come from children.
  void parent_recorded(const std::string &path);

  // Takes the events of children that were counted since then: calls `found` with process and
  // number.
  template <class Found> void take_events(Found found) {
    for (Page &page : pages_)
      if (uint64_t lost = page.is_recorded ? lost_of(page) : 0; lost > page.lost) {
        found(page.index, lost - page.lost);
        page.lost = lost;
      }
  }

  uint64_t count() const;
  std::string text() const; // lost_children_text() of all

private:
  struct Page {
    const nophook_buffer *header;
    std::string path;
    uint32_t index;
    uint32_t children = 0; // number counted before it was watched
    uint64_t lost = 0;
    bool is_recorded = false;
  };
  static uint64_t lost_of(const Page &page) {
    return __atomic_load_n(&page.header->lost, __ATOMIC_ACQUIRE);
  }
  static uint32_t children_of(const Page &page);
  void forget_oldest();

  std::deque<Page> pages_;
  uint64_t forgotten_ = 0; // number of children in headers whose pages are gone
};

} // namespace nophook
