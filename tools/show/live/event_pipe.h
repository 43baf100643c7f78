// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of trace_pipe and trace_pipe_raw, of all CPUs or of one: each event once, for all
// readers together.
//
// Events of all CPUs are in the rings of their threads. So a reader of one CPU also finds the
// events of others. They are kept for their readers while there is room, as in the
// kernel's buffer. Clearing the buffer also clears the kept events.

#pragma once

#include "show/live/kernel_pages.h"
#include "show/live/live_events.h"
#include "show/live/live_text.h"

#include <chrono>
#include <mutex>

namespace nophook {

class EventPipe {
public:
  // `buffer`: the file of the process. May be called by several threads.
  // `names`: how lines show functions.
  static Result<std::unique_ptr<EventPipe>> open(const std::string &buffer, uint32_t page_bytes,
                                                 NameStyle names = NameStyle::kFull);

  EventPipe(SharedBuffer buffer, uint32_t page_bytes, NameStyle names)
      : buffer_(std::move(buffer)), names_(names), pages_(page_bytes) {}

  const std::string &path() const { return buffer_.path(); }

  // Whole lines, with the one that crosses `bytes`; empty: there are none now. `cpu`: -1 for all.
  // A reader that takes only part of a line keeps the rest: another would begin in its middle.
  Result<std::string> read(int cpu, size_t bytes, const TraceOptions &options);

  // A page of the kernel's format, or empty; `partial`: one that is not full will do.
  Result<std::string> read_page(uint32_t cpu, bool partial);

  // Whether read() and read_page() would give something, without `partial`. That of one CPU may
  // have to read others' events, too, which are then kept for them.
  bool has_lines(int cpu, const TraceOptions &options);
  bool has_page(uint32_t cpu);

private:
  bool has_words() const;
  void drop_cleared();                         // having the lock
  Result<> begin(const TraceOptions &options); // having the lock
  Result<> pull(const std::function<bool()> &is_enough, const TraceOptions &options, bool raw);
  void keep(uint32_t cpu, std::string lines);

  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  SharedBuffer buffer_;
  const NameStyle names_;
  std::unique_ptr<LiveText> text_;
  Clock::time_point clock_followed_;
  std::unique_ptr<LiveEvents> events_;
  KernelPages pages_;
  uint64_t cleared_ = 0;                  // what is kept was pulled after the clearing of that time
  std::map<uint32_t, std::string> lines_; // by CPU, not read yet
  std::string rest_;                      // of what was begun for readers of all
};

} // namespace nophook
