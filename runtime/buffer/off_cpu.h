// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that a thread was off the CPU, noticed and measured by the thread itself.
//
// Each event compares one word of the thread (Writer::watch). Without this it is the number of the
// thread's CPU. With it, it is the mark in the thread's rseq area (base/rseq.h), which is gone
// after a switch. A thread cannot change its CPU without a switch, so the mark does for both, and
// an event costs what it cost. Only the event that finds the mark gone reads the thread's CPU
// clock: the rest of the time since it was last read is the time off the CPU.
//
// docs/design/off_cpu.md has the protocol. Signals are blocked in follow_thread().

#pragma once

#include "arch/fast_path.h"
#include "base/status.h"
#include "buffer/trace_buffer.h"

namespace nophook {

// Switches it on or off for all threads. Under the runtime's lock. Errors: EINVAL; ENODEV (libc
// registers no rseq area); ENOTSUP (this kernel does not show there that a thread has slept, or the
// buffer's clock is the counter of events).
Status set_off_cpu(uint64_t on);
bool off_cpu_is_on();

// The state of the thread in front of an event: its CPU, and the time since the last reading if it
// was off the CPU in it.
struct TimeOff {
  uint32_t cpu = 0;    // number
  uint64_t ticks = 0;  // on the buffer's clock; 0: the thread was not off
  uint64_t cpu_ns = 0; // the part of it on the CPU
  bool ends = false;   // the program uses rseq, too: the time is unknown from here on
};
// Looks at the watched word, and makes the next events do so. `reads`: reads the clocks in any
// case, so that a rest of interrupts and of a stolen virtual CPU is not taken for time off.
TimeOff follow_thread(const Buffer &buffer, Writer *w, bool reads);

// Writes it in front of an event that is `dt` ticks behind the time base.
constexpr uint64_t kTimeOffBytes = 88;
void put_time_off(Writer *w, uint64_t dt, const TimeOff &off);

} // namespace nophook
