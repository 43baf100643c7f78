// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints steps with the options of `trace`, and follows the process's clock and functions.

#include "show/live/live_text.h"

#include "show/live/live_clock.h"

namespace nophook {

static LiveText::State state_of(const SharedBuffer &buffer) {
  const nophook_buffer &header = buffer.header();
  return {function_list_bytes(buffer), __atomic_load_n(&header.clock, __ATOMIC_ACQUIRE),
          header.start_tsc};
}

Result<std::unique_ptr<LiveText>> LiveText::create(const SharedBuffer &buffer,
                                                   const TraceOptions &options, NameStyle names) {
  State state = state_of(buffer);
  auto recording = describe_process(buffer);
  NOPHOOK_TRY(recording);
  recording->use_clock(live_clock(buffer.header(), recording->clock()));
  return std::make_unique<LiveText>(std::move(*recording), state, options, names);
}

// Renews the clock, whose rate is over a longer time by now.
void LiveText::follow_clock(const SharedBuffer &buffer) {
  const nophook_buffer &header = buffer.header();
  TscClock clock = live_clock(header, recording_.clock());
  if (clock.moments && clock.moments->back().tsc > header.start_tsc)
    clock.ns_per_tick = (double)(clock.moments->back().ns - header.start_ns) /
                        (double)(clock.moments->back().tsc - header.start_tsc);
  recording_.use_clock(clock);
}

bool LiveText::is_old(const SharedBuffer &buffer) const {
  return state_ != state_of(buffer) ||
         recording_.info().text("tracer") != events_tracer(buffer.header());
}

bool LiveText::has_clock_of(const SharedBuffer &buffer) const {
  State now = state_of(buffer);
  return state_.clock == now.clock && state_.start == now.start;
}

} // namespace nophook
