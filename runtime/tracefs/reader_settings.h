// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdint.h>

namespace nophook {

// Numbers that the process keeps for its readers.
struct ReaderSettings {
  uint32_t page_kib = 4; // buffer_subbuf_size_kb: of trace_pipe_raw's pages
  uint32_t percent = 50; // buffer_percent: how full the buffer is when a reader that waits goes on
  uint32_t named_threads = 128; // saved_cmdlines_size; the kernel's
  uint64_t generation = 0;      // of the instance that they are of
};
// The settings of readers of the main buffer (0) or of an instance's. Under the runtime's lock.
ReaderSettings &reader_settings(uint64_t instance);

} // namespace nophook
