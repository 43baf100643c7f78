// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeping a call's values: the steps of its plan, into the bytes that go behind its event
// (nophook/buffer.h, "Values").
//
// Runs in callbacks: no libc, no lock, no vector register but to read it. Memory that pointers
// lead to is read by the kernel (base/safe_read.h), which knows whether it is there,
// now and not a moment ago: a bad pointer costs a system call and nothing else.

#pragma once

#include "arch/callback_path.h"
#include "base/status.h"
#include "capture/capture_plan.h"
#include "capture/counters.h"

#include <nophook/buffer.h>

namespace nophook {

struct CapturedValues {
  uint32_t bytes = 0;
  // Room for the items that are written in front of the values.
  uint8_t room[16 + kMostCounterBytes];
  uint8_t text[NOPHOOK_VALUES_MAX_BYTES];
};

// Captures the values of a call, at its entry or its return. Values that do not fit are left out.
// `regs`: all registers, of the entry or of the return; vector and x87 registers are the call's
// own.
void capture_entry(const CapturePlan *plan, const ftrace_regs *regs, CapturedValues *values);
void capture_exit(const CapturePlan *plan, const ftrace_regs *regs, CapturedValues *values);

// Whether the kernel lets us read our own memory; if not, pointers are the only values of memory.
bool can_read_memory();

} // namespace nophook
