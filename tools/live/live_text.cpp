// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live/live_text.h"

namespace nophook {

Result<std::unique_ptr<LiveText>> LiveText::create(const SharedBuffer &buffer,
                                                   const TraceOptions &options) {
  uint64_t list_bytes = function_list_bytes(buffer);
  auto recording = describe_process(buffer);
  NOPHOOK_TRY(recording);
  return std::make_unique<LiveText>(std::move(*recording), list_bytes, options);
}

bool LiveText::is_old(const SharedBuffer &buffer) const {
  return list_bytes_ != function_list_bytes(buffer) ||
         json_text(recording_.info(), "tracer") != events_tracer(buffer.header().tracer);
}

} // namespace nophook
