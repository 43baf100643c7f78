// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data from which the lines of all tracers are made, and the parts that they have in common.

#pragma once

#include "foundation/output.h"
#include "foundation/wall_text.h"
#include "read/steps/merge.h"
#include "read/steps/probe_event.h"
#include "read/symbols/functions.h"
#include "show/print/trace_options.h"

namespace nophook {

// The numbers of events in the header.
struct EntryCounts {
  uint64_t held = 0;
  uint64_t written = 0; // number of events, including those that were lost or overwritten
};

// A text such as `EVENT: (func+0x0/0x40) a=1`.
std::string located_event_text(Functions &functions, uint32_t process, const ProbeEvent &event);

// `innermost <- its caller <- ...`.
std::string stack_text(Functions &functions, uint32_t process, const std::vector<uint64_t> &stack);

struct TraceContext {
  TraceContext(Output &out, Functions &names, const Recording &source,
               const TraceOptions &how_to_show);

  Output &output;
  Functions &functions;
  const Recording &recording;
  TraceOptions options;
  uint32_t cpus;     // number of possible CPUs
  size_t cpu_digits; // digits of the last CPU's number

  std::string cpu_text(uint32_t cpu) const;

  // The text "SECONDS.MICROSECONDS", five columns or more before the point.
  std::string time_text(uint64_t tsc) const;
  void add_time(uint64_t tsc) const; // adds the same to the output
  // Columns that a time takes beyond those of "    0.000000": a time of day is wider.
  size_t wide_time() const { return options.wall ? 14 : 0; }

  // The arguments, such as `a=1, b="x"`, or nothing.
  std::string arguments(const Thread &thread, const Step &step) const;

  // The result, such as `ret=5`, or nothing.
  std::string result(const Thread &thread, const Step &step) const;

  // The source line, such as `file.c:12`, or nothing.
  std::string source_line(const Thread &thread, const Step &step) const;

  std::string event_text(const Thread &thread, const ProbeEvent &event) const;

  // Prints the kernel's ` => func` lines.
  void stack_lines(const Thread &thread, const std::vector<uint64_t> &stack) const;

  void lost_line(const Step &step) const;

private:
  mutable WallText wall_;
};

} // namespace nophook
