// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's trace options (tracefs `trace_options`), as far as they change the output.
//
// Names, defaults and `no` in front are the kernel's. The kernel has many more: one that is not
// here is refused with the list, and one that a process has no events for, with the reason.
// docs/reference/trace-format.md shows the effect of each.

#pragma once

#include "foundation/result.h"

#include <string>

namespace nophook {

struct TraceOptions {
  // Options of all tracers.
  bool print_parent = true;
  bool sym_offset = false;
  bool sym_addr = false;
  bool irq_info = true;
  bool record_tgid = false;
  // Options of function.
  bool func_args = true; // whether arguments are shown, if they were recorded
  bool func_no_repeats = false;
  // Options of function_graph.
  bool abstime = false;
  bool cpu = true;
  bool proc = false;
  bool duration = true;
  bool overhead = true;
  bool tail = false;
  bool overrun = false;
  bool args = true;   // whether arguments are shown, if they were recorded
  bool retval = true; // whether results are shown, if they were recorded
  bool retval_hex = false;
  bool graph_time = true;
  bool sleep_time = true; // whether the time off the CPU counts, if it was recorded
  // Options that the kernel lacks: places of functions in the sources, and times of day.
  bool srcline = false;
  bool wall = false;
};

// Sets an option by `NAME` or `noNAME`.
Result<> set_trace_option(const std::string &text, TraceOptions *options);

// All names, with `no` in front of those that are on.
std::string trace_option_list();

} // namespace nophook
