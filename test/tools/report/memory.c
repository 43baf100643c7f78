// Memory of report does not grow with the recording, whatever is shown of it, and with filters.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python -c "import os,sys; assert os.path.getsize(sys.argv[1]) > 48 << 20" %t.data
// RUN: %python %S/Inputs/peak.py 24 %nophook report --top %t.data
// RUN: %python %S/Inputs/peak.py 24 %nophook report %t.data
// RUN: %python %S/Inputs/peak.py 24 %nophook report --json --min-duration 1ms --depth 3 %t.data
// RUN: rm %t.data
#include <pthread.h>
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void *thread(void *result) { *(volatile int *)result = fib(28); return 0; }
int main(void) {
  pthread_t threads[7];
  int results[7];
  for (int i = 0; i < 7; i++) if (pthread_create(&threads[i], 0, thread, &results[i])) return 1;
  for (int i = 0; i < 7; i++) if (pthread_join(threads[i], 0)) return 1;
}
