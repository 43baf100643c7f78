// Every trampoline hands on all registers but x16 and x17, on its fast and on its slow ways.
//
// RUN: %with_trampolines %s -o %t && %aarch64-run %t
// RUN: %gcc_with_trampolines %s -o %t && %aarch64-run %t
#include "Inputs/call_states.h"

int main(void) {
  begin_writer();
  for (int trampoline = 0; trampoline < kTrampolines; trampoline++)
    for (enum way way = 0; way < (calls_back(trampoline) ? kWays : kNested); way++) {
      static char name[64];
      snprintf(name, sizeof name, "%s, way %d", kNames[trampoline], way);
      what = name;
      writer.pos = (uint64_t)events;
      for (int i = 0; i < 50; i++)
        check_call(trampoline, way);
    }
  what = "ways";
  CHECK(slow_events == 50 * (1 + 2 + 2 + 1) && slow_profiles == 50 * 3);
  CHECK(exit_calls == 50 * kWays && first_calls == 50 * 4);
  return 0;
}
