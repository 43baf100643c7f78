// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that must be left in the end: counts that are as low as they were, and NOPs.

#include "torture.h"

#include <fmt/format.h>

static int check(const ftrace_record *record, void *raw) {
  const bool seen = *static_cast<const bool *>(raw) && record->ip != unwatched_site;
  const unsigned flags = seen ? 1u | 1u << 29 : 0; // one, ENABLED; neither wants nor has registers
  if (record->flags != flags)
    fail(fmt::format("the flags of function {} are {:#x}, not {:#x}", record->index,
                     (unsigned)record->flags, flags));
  if (is_nop(record->ip) == seen)
    fail(fmt::format("function {} {} a NOP at its entry", record->index,
                     is_nop(record->ip) ? "has" : "has not"));
  return 0;
}

void expect_records(bool seen) {
  if (ftrace_for_each_record(check, &seen))
    fail("the records cannot be read");
}
