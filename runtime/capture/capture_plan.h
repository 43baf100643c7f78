// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a function: the data to keep of a call, so that its arguments or its result can be
// shown later. These are registers, bytes of the stack, and memory behind pointers.
//
// The plan follows from the function's prototype (nophook/prototype.h), and is made before the
// function is traced. A traced call only runs its steps, which do not depend on types.

#pragma once

#include "base/status.h"
#include "sites/module.h"

#include <stdint.h>

namespace nophook {

// The source of eight bytes while the steps of a call are run.
struct CaptureSource {
  enum Where : uint8_t {
    kGeneral, // register of DWARF number `number`
    kStack,   // `offset` bytes behind the return address
    kChunk,   // `offset` bytes into the memory that memory step `number` has read
  };
  Where where;
  uint8_t number;
  uint16_t offset;
};

struct CaptureStep {
  enum What : uint8_t {
    kGeneral, // register of DWARF number `number`
    kSse,     // `bytes` of vector register `number`
    kX87,     // st(number)
    kStack,   // `bytes` at at.offset behind the return address
    kMemory,  // `bytes` at `at`; this step and the next two count as memory steps
    kCString, // a text ending in 0 at `at`, at most `bytes`
    kText,    // as many bytes at `at` as `length` says, at most `bytes`
  };
  What what;
  uint8_t number;
  uint16_t bytes;
  CaptureSource at;
  CaptureSource length;
};

constexpr uint32_t kMaxCaptureSteps = 64; // the most steps of an entry, or a return
constexpr uint32_t kMaxCaptureChunks = 16;

// The registers of steps that keep nothing but general registers, as most functions' steps do.
constexpr uint32_t kMaxRegisters = 9; // the most registers of arguments: AArch64's x0 to x8
struct RegisterList {
  static constexpr uint8_t kHasOthers = 255;
  uint8_t count; // number of registers; kHasOthers: there are other steps, or more
  uint8_t numbers[kMaxRegisters];
};

struct CapturePlan {
  uint16_t entry_steps;
  uint16_t exit_steps; // number of the exit's steps, which follow the entry's
  const CaptureStep *steps;
  RegisterList entry, exit; // the same steps, for register_values.h
};

// Makes the plans of modules that have been found since the last time. Under the runtime's lock.
// Errors: ENOMEM.
Status prepare_capture_plans();

// The plans of functions, by id; null: the function has no prototype. Any thread, signal handlers.
extern const CapturePlan **g_capture_plans;
extern const CapturePlan kDefaultPlan;
inline const CapturePlan *capture_plan(uint32_t id) {
  const CapturePlan *plan = __atomic_load_n(&g_capture_plans, __ATOMIC_ACQUIRE)[id];
  return plan ? plan : &kDefaultPlan;
}

} // namespace nophook
