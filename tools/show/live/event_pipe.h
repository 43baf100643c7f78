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
  // Opens the pipe of a process; `buffer`: its file. Several threads may call this. `names`: the
  // style of functions' names.
  static Result<std::unique_ptr<EventPipe>> open(const std::string &buffer, uint32_t page_bytes,
                                                 NameStyle names = NameStyle::kFull);

  EventPipe(SharedBuffer buffer, uint32_t page_bytes, NameStyle names)
      : buffer_(std::move(buffer)), names_(names), pages_(page_bytes) {}

  const std::string &path() const { return buffer_.path(); }

  // Whole lines, including the one that crosses `bytes`; empty: there are none now. `cpu`: -1 for
  // all. A reader that uses only part of a line must keep the rest: another reader would begin in
  // the middle of the line.
  Result<std::string> read(int cpu, size_t bytes, const TraceOptions &options);

  // A page of the kernel's format, or empty; `partial`: also one that is not full.
  Result<std::string> read_page(uint32_t cpu, bool partial);

  // Whether read() and read_page() would return something, without `partial`. To answer for one
  // CPU, it may have to read events of others, which are then kept for them.
  bool has_lines(int cpu, const TraceOptions &options);
  bool has_page(uint32_t cpu);

private:
  bool has_words() const;
  void drop_cleared();                         // needs the lock
  Result<> begin(const TraceOptions &options); // needs the lock
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
  uint64_t cleared_ = 0; // time of the clearing after which the kept events were pulled
  std::map<uint32_t, std::string> lines_; // unread lines by CPU
  std::string rest_;                      // rest of a line for readers of all CPUs
};

} // namespace nophook
