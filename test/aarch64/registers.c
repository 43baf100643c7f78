// Every trampoline hands on all registers but x16 and x17, on its fast and on its slow ways. The profiler's counts are right.
//
// RUN: %with_trampolines %s -o %t && %aarch64-run %t
// RUN: %gcc_with_trampolines %s -o %t && %aarch64-run %t
#include "Inputs/call_states.h"

static void check_hits(void) {
  memset(counts[kHits], 0, sizeof counts[0]);
  for (int i = 1; i <= 50; i++) {
    check_call(kHits, i % 2 ? kFast : kSlow);
    CHECK(counts[kHits][0] == (uint64_t)i);
  }
  for (int i = 1; i < 6; i++)
    CHECK(counts[kHits][i] == 0);
}

// A call's time is added to each sum once, and its square with the carry.
static void check_counts(int trampoline) {
  uint64_t *of = counts[trampoline], all = 0;
  for (int i = 0; i < 50; i++) {
    memcpy(of, (uint64_t[6]){0, 0, 0, UINT64_MAX}, sizeof counts[0]);
    profile.child = 7;
    check_call(trampoline, kFast);
    const uint64_t took = of[1];
    CHECK(of[0] == 1 && of[2] == took && of[5] == took && profile.child == 7 + took);
    CHECK(((unsigned __int128)of[4] << 64 | of[3]) == (unsigned __int128)took * took + UINT64_MAX);
    all += took;
  }
  CHECK(all);
}

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
  what = "counts";
  check_counts(kProfile);
  check_counts(kProfileCopy);
  what = "ways";
  CHECK(slow_events == 50 * (1 + 2 + 2 + 1) && slow_profiles == 50 * 4);
  CHECK(exit_calls == 50 * kWays && first_calls == 50 * 4);
  what = "hits";
  check_hits();
  return 0;
}
