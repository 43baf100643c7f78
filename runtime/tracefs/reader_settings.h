// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings that only readers use, such as the size of pages; writers never look at them.

#pragma once

#include <stdint.h>

namespace nophook {

// Numbers that the process keeps for its readers.
struct ReaderSettings {
  uint32_t page_kib = 4;        // buffer_subbuf_size_kb: size of trace_pipe_raw's pages
  uint32_t percent = 50;        // buffer_percent: fill level at which a waiting reader continues
  uint32_t named_threads = 128; // saved_cmdlines_size, with the kernel's default
  uint64_t generation = 0;      // instance that they belong to
};
// The settings of readers of the main buffer (0) or of an instance's. Under the runtime's lock.
ReaderSettings &reader_settings(uint64_t instance);

} // namespace nophook
