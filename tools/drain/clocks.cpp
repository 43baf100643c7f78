// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "drain/clocks.h"

#include <nophook/buffer.h>

#include <ctime>

namespace nophook {

static uint64_t clock_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1'000'000'000 + (uint64_t)now.tv_nsec;
}

uint64_t clock_now(uint32_t clock) {
  switch (clock) {
  case NOPHOOK_CLOCK_TSC:
    return __builtin_readcyclecounter();
  case NOPHOOK_CLOCK_MONO_RAW:
    return clock_ns(CLOCK_MONOTONIC_RAW);
  case NOPHOOK_CLOCK_BOOT:
    return clock_ns(CLOCK_BOOTTIME);
  default:
    return clock_ns(CLOCK_MONOTONIC);
  }
}

// The reading that took the shortest time is the most exact one.
ClockPair read_clocks() {
  ClockPair best = {};
  uint64_t shortest = ~uint64_t{0};
  for (int i = 0; i < 16; i++) {
    uint64_t before = __builtin_readcyclecounter();
    uint64_t monotonic = clock_ns(CLOCK_MONOTONIC);
    uint64_t after = __builtin_readcyclecounter();
    if (after - before < shortest) {
      shortest = after - before;
      best = {before + shortest / 2, monotonic, clock_ns(CLOCK_REALTIME)};
    }
  }
  return best;
}

void write_clock(RecordingWriter &writer, const ClockPair &pair) {
  writer.append(ChunkType::kClock, kNoProcess,
                {reinterpret_cast<const uint8_t *>(&pair), sizeof pair});
}

} // namespace nophook
