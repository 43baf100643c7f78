// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// set_usdt_filter: the functions whose entry and return reach USDT probes (arch/x86_64/usdt.S), so
// that perf, bpftrace, SystemTap and gdb see calls by their own means.
//
// Such a tool cannot ask us for functions: the set is chosen here. An empty set, as at the start,
// means no probes, which cost nothing. With a set, and no tool attached, a call costs a callback
// that reads a semaphore.

#pragma once

#include "ops/filter.h"

namespace nophook {

// Replaces the set by the tokens. As Filter::change, misses allowed. Hold the runtime's lock.
Status set_usdt_filter(const char *text, uint64_t bytes, const char *separators);

// The filter, for an edit of a copy, as for every set of functions; follow_usdt() without the lock
// behind it.
Status usdt_filter(Filter **filter);
Status replace_usdt_filter(Filter *changed);
Status follow_usdt();

// Whether there is a set; and the function that starts it once modules are known.
bool has_usdt();
void report_usdt_misses(); // logs the patterns that no function matches
Status start_usdt();

} // namespace nophook
