// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers that a callback may change beside general ones, and a round trip that shows whether
// they survive it.

#pragma once

#include <stdint.h>

struct VectorState {
  uint8_t registers[32][64];
  uint64_t masks[8];
  uint32_t mxcsr;
  uint16_t x87_control, x87_status;
  uint8_t st0[16]; // ten bytes
};

// The registers of a CPU: 16 or 32 of `most` bytes, which are 16, 32 or 64.
struct VectorTrip {
  const VectorState *before, *callback;
  VectorState *after;
  void *area;
  void (*save)(void *area);
  void (*restore)(void *area);
  uint32_t most;
  uint32_t width_before, width_callback; // the other bytes are 0
};

// Loads `before`, saves, loads `callback`, restores, and stores the registers then.
extern "C" void vector_round_trip(const VectorTrip *trip);
