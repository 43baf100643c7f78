// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdint.h>

namespace nophook {

// Numbers that the process keeps for its readers. Under the runtime's lock.
struct ReaderSettings {
  uint32_t page_kib; // buffer_subbuf_size_kb: of trace_pipe_raw's pages
  uint32_t percent;  // buffer_percent: how full the buffer is when a reader that waits goes on
};
extern ReaderSettings g_reader_settings;

} // namespace nophook
