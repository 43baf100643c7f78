// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lines of all tracers are made from, and the parts that they have in common.

#pragma once

#include "foundation/output.h"
#include "foundation/wall_text.h"
#include "read/decode/merge.h"
#include "read/symbols/functions.h"
#include "show/print/probe_event.h"
#include "show/print/trace_options.h"

namespace nophook {

// What the header says of it.
struct EntryCounts {
  uint64_t held = 0;
  uint64_t written = 0; // with those that were lost or overwritten
};

// `EVENT: (func+0x0/0x40) a=1`.
std::string located_event_text(Functions &functions, uint32_t process, const ProbeEvent &event);

struct TraceContext {
  TraceContext(Output &out, Functions &names, const Recording &source,
               const TraceOptions &how_to_show);

  Output &output;
  Functions &functions;
  const Recording &recording;
  TraceOptions options;
  uint32_t cpus;     // that there may be
  size_t cpu_digits; // of the last of them

  std::string cpu_text(uint32_t cpu) const;

  // "SECONDS.MICROSECONDS", five columns or more before the point.
  std::string time_text(uint64_t tsc) const;
  void add_time(uint64_t tsc) const; // the same, to the output
  // How much wider that is than "    0.000000": a time of day is.
  size_t wide_time() const { return options.wall ? 14 : 0; }

  // `a=1, b="x"`, or nothing.
  std::string arguments(const Thread &thread, const Step &step) const;

  // `ret=5`, or nothing.
  std::string result(const Thread &thread, const Step &step) const;

  // `file.c:12`, or nothing.
  std::string source_line(const Thread &thread, const Step &step) const;

  std::string event_text(const Thread &thread, const ProbeEvent &event) const;

  // The kernel's ` => func` lines.
  void stack_lines(const Thread &thread, const std::vector<uint64_t> &stack) const;

  void lost_line(const Step &step) const;

private:
  mutable WallText wall_;
};

} // namespace nophook
