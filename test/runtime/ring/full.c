// A ring that is full drops the newest events and counts them; a reader's room is used again.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function_graph -l work -k 1024 -- %t
#include "drain.h"

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED int main(void) {
  const long calls = 200000, words = 15 * 8128 + 8128 / 16 * 15; // 16 sub-buffers, slack at each end
  EXPECT(drain_start());
  drain_finish(); // nobody reads now
  for (int i = 0; i < calls; i++)
    work(i);
  long lost = (long)drain_lost(), kept = 2 * calls - lost;
  EXPECT(lost > 0 && kept > words && kept <= 16 * 8184);
  uint32_t *states = (uint32_t *)((char *)drained + drained->states_offset);
  for (uint32_t i = 0; i < drained->subbuf_used; i++)
    EXPECT_EQ(states[i], NOPHOOK_SUBBUF_FULL);
  drain_once(NOPHOOK_SUBBUF_FULL);
  EXPECT_EQ(drained_events[NOPHOOK_EVENT_ENTRY] + drained_events[NOPHOOK_EVENT_EXIT], kept);
  EXPECT_EQ(drained_events[NOPHOOK_EVENT_ENTRY] - drained_events[NOPHOOK_EVENT_EXIT], kept & 1);
  for (int i = 0; i < 1000; i++)
    work(i);
  EXPECT_EQ(drain_lost(), lost);
  drain_once(NOPHOOK_SUBBUF_ACTIVE);
  EXPECT_EQ(drained_events[NOPHOOK_EVENT_ENTRY] + drained_events[NOPHOOK_EVENT_EXIT], kept + 2000);
  struct nophook_ring *rings = (struct nophook_ring *)((char *)drained + drained->rings_offset);
  EXPECT_EQ(rings[0].subbufs, 17);
  return failures != 0;
}
