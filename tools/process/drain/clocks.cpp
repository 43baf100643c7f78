// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the counter before and after CLOCK_MONOTONIC, 16 times, and keeps the closest pair.

#include "process/drain/clocks.h"

#include "foundation/processor.h"

#include <ctime>

namespace nophook {

static uint64_t clock_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1'000'000'000 + (uint64_t)now.tv_nsec;
}

static uint64_t counter_now(const nophook_buffer &header) {
  if (processor_of(header.machine) == kOwnProcessor)
    return read_counter();
  constexpr uint64_t kSecond = 1'000'000'000;
  const uint64_t ns = clock_ns(CLOCK_MONOTONIC) - header.start_ns;
  return header.start_tsc + ns / kSecond * header.counter_hz +
         ns % kSecond * header.counter_hz / kSecond;
}

uint64_t clock_now(const nophook_buffer &header) {
  switch (__atomic_load_n(&header.clock, __ATOMIC_ACQUIRE)) {
  case NOPHOOK_CLOCK_TSC:
    return counter_now(header);
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
    uint64_t before = read_counter();
    uint64_t monotonic = clock_ns(CLOCK_MONOTONIC);
    uint64_t after = read_counter();
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
