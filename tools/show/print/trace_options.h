// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's trace options (tracefs `trace_options`), as far as they are about what is shown.
//
// Names, defaults and `no` in front are the kernel's. The kernel has many more: one that is not
// here is refused with the list, and one that a process has no events for, with the reason.
// docs/reference/trace-format.md shows what each does.

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
  // function
  bool func_args = true; // if they were recorded
  bool func_no_repeats = false;
  // function_graph
  bool abstime = false;
  bool cpu = true;
  bool proc = false;
  bool duration = true;
  bool overhead = true;
  bool tail = false;
  bool overrun = false;
  bool args = true;   // if they were recorded
  bool retval = true; // the same
  bool retval_hex = false;
  bool graph_time = true;
  // Not the kernel's: where functions are in the sources, and times of day.
  bool srcline = false;
  bool wall = false;
};

// `NAME` or `noNAME`.
Result<> set_trace_option(const std::string &text, TraceOptions *options);

// All names, the `no` in front of those that are on.
std::string trace_option_list();

} // namespace nophook
