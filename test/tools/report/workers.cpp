// The sums that several workers read are byte for byte what one worker reads: by function, thread, module and file, percentiles, every filter, conditions on arguments and results, latency and diff; also of a damaged recording and of one that is cut.
// REQUIRES: two-cpus
// RUN: %traced_cxx -DLIBRARY -shared -fPIC %s -o %t.so && %traced_cxx %s %t.so -o %t
// RUN: %nophook record --args --retval -o %t.data -- %t && %nophook record -p function -o %t.pairs -- %t
// RUN: %python %S/Inputs/workers.py %nophook %t.data %t.pairs %t.damaged %t.cut
#include <pthread.h>
#define SEEN __attribute__((noinline))
#ifdef LIBRARY
SEEN int in_library(int n) { asm volatile("" : "+r"(n)); return n; }
#else
int in_library(int n);
SEEN int leaf(int n) { asm volatile("" : "+r"(n)); return n % 3; }
SEEN int recursive(int n) { int below = n ? recursive(n - 1) : in_library(n); asm volatile("" : "+r"(below)); return below + leaf(n); }
SEEN void throws(int n) { if (n % 50 == 0) throw n; }
static void *many(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    recursive((int)i % 5);
    try { throws((int)i); } catch (int) {}
  }
  return nullptr;
}
int main() { // more events than one worker is worth
  pthread_t threads[8];
  for (long i = 0; i < 8; i++)
    if (pthread_create(&threads[i], nullptr, many, (void *)(700 * (i + 1)))) return 1;
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}
#endif
