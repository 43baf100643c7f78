// On a CPU that does not promise an even time-stamp counter events have CLOCK_MONOTONIC, and a line says so. A user that asks for the counter by name gets it, and a warning.
// RUN: %traced_cxx -O1 -I%include/../runtime %s -o %t %static
// RUN: %trace_linked -p function_graph -- %t
// RUN: %show --count %t.buf | FileCheck --check-prefixes=EVENTS,MONO %s
// RUN: %show --python 'buffers[0].clock == 1 and all(0 <= e.tsc - buffers[0].start_ns < 3600e9 for e in buffers[0].rings[0].events)' %t.buf
// RUN: %trace_linked -p function -- %t && %show --python 'buffers[0].clock == 1 and len(buffers[0].rings[0].events) == 1001' %t.buf
// RUN: %trace_linked -p function -s trace_clock=mono -- %t && %show --python 'buffers[0].clock == 1 and len(buffers[0].rings[0].events) == 1001' %t.buf
// RUN: %trace_linked -p function_graph -s trace_clock=x86-tsc -- %t && %show --count %t.buf | FileCheck --check-prefixes=EVENTS,ASKED %s
// RUN: %show --python 'buffers[0].clock == 0' %t.buf
#include "arch/clock.h"
#include "program.h"

// This program's CPU, instead of the runtime's own look at it.
UNTRACED nophook::CounterWords nophook::read_counter_words() {
  return {nophook::kPowerLeaf, 0};
}

NOINLINE void work(int n) { KEEP(n); }
int main() {
  for (int i = 0; i < 1000; i++)
    work(i);
  return failures;
}
// MONO: the time-stamp counter of this CPU does not run evenly: trace_clock is mono
// ASKED: log: the time-stamp counter of this CPU may stop or change its speed: times may be wrong
// EVENTS: _Z4worki: 1000 entry, 1000 exit
