// A reader begins a stopped buffer again while threads run: every later event is there, and no earlier one.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l before -l after -k 16384 -- %t
// RUN: %show --python 'buffers[0].stop == 0 and buffers[0].clears == 1 and buffers[0].lost_events() == 0' %t.buf
// RUN: %show --python 'sum(buffers[0].maps.name(e.id) == "after" for r in buffers[0].rings for e in r.events) == 4 * 1000' %t.buf
// RUN: %show --python 'all(e.tsc >= buffers[0].cleared for r in buffers[0].rings for e in r.events)' %t.buf
#include "drain.h"

NOINLINE static void before(int n) { KEEP(n); }
NOINLINE static void after(int n) { KEEP(n); }
static int phase, resting; // 1: stopped, 2: begun again

UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&phase, __ATOMIC_ACQUIRE))
    before(0);
  for (int i = 0; i < 20000; i++) // until it has left its sub-buffer, and noticed
    before(i);
  __atomic_fetch_add(&resting, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&phase, __ATOMIC_ACQUIRE) < 2)
    before(1);
  for (int i = 0; i < 1000; i++)
    after(i);
  return unused;
}
UNTRACED int main(void) {
  pthread_t threads[4];
  EXPECT(drain_start());
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  struct nophook_ring *rings = (struct nophook_ring *)((char *)drained + drained->rings_offset);
  while (__atomic_load_n(&rings[3].subbufs, __ATOMIC_ACQUIRE) < 3)
    usleep(100);
  __atomic_store_n(&drained->stop, 1, __ATOMIC_RELEASE); // as a recorder that goes
  __atomic_store_n(&phase, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&resting, __ATOMIC_ACQUIRE) < 4)
    usleep(100);
  drain_stop_thread();
  drain_once(NOPHOOK_SUBBUF_FULL);
  drain_begin_anew();
  __atomic_store_n(&phase, 2, __ATOMIC_RELEASE);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return failures != 0;
}
