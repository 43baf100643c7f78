// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the file `trace`: the events in the buffer when the file was opened. Nothing is
// consumed.
//
// The text of a full buffer has gigabytes and most readers stop early, so lines are made when a
// reader asks for them, from a copy of the events.

#pragma once

#include "show/live/live_events.h"
#include "show/live/live_text.h"

namespace nophook {

constexpr int kAllCpus = -1;

class TraceFile {
public:
  // Opens the text of one CPU, or of all. Reads `buffer`, which may be destroyed afterwards.
  static Result<std::unique_ptr<TraceFile>> open(SharedBuffer &buffer, const TraceOptions &options,
                                                 int cpu = kAllCpus);

  // Up to `bytes` of the text; empty: the end. Text far before the last read is dropped.
  std::string read(uint64_t offset, size_t bytes);

private:
  void make(uint64_t end);

  std::unique_ptr<LiveText> text_;
  std::unique_ptr<LiveEvents> events_;
  int cpu_ = kAllCpus;
  bool is_whole_ = false;
  uint64_t kept_from_ = 0; // offset of kept_ in the text
  std::string kept_;
};

// The text of `trace` for a process that has never been traced.
std::string empty_trace();

} // namespace nophook
