// Formats with a time axis say how many events are missing, and where; all others are complete.
// RUN: %traced_cc -D_GNU_SOURCE -O1 %s -o %t && %nophook record -m 1 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %nophook report --json %t.data > %t.json
// RUN: %python -c "import json; print(sum(json.loads(l).get('lost', 0) for l in open('%t.json')))" > %t.lost
// RUN: not grep -x 0 %t.lost
// RUN: %nophook report --top 100 --json %t.data > %t.top
// RUN: %nophook export --format perfetto -o %t.pftrace %t.data && %python %S/Inputs/same_costs.py perfetto %t.pftrace %t.top %t.lost
// RUN: %nophook export --format chrome %t.data > %t.chrome && %python %S/Inputs/same_costs.py chrome %t.chrome %t.top %t.lost
// RUN: %nophook export --format speedscope %t.data > %t.speedscope && %python %S/Inputs/same_costs.py speedscope %t.speedscope %t.top %t.lost
// RUN: %nophook export --format firefox %t.data > %t.firefox && %python %S/Inputs/same_costs.py firefox %t.firefox %t.top %t.lost
// RUN: %nophook export --format pprof -o %t.pb %t.data && %python %S/Inputs/same_costs.py pprof %t.pb %t.top
// RUN: rm -rf %t.ctf && %nophook export --format ctf -o %t.ctf %t.data && %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.ctf | FileCheck %s --check-prefix=CTF
// RUN: babeltrace2 %t.ctf 2>&1 >%t.text | FileCheck %s --check-prefix=DISCARDED
// CTF: 1 threads, {{[0-9]+}} entry, {{[0-9]+}} exit, {{[1-9][0-9]*}} lost, {{[1-9][0-9]*}} discarded
// DISCARDED: WARNING: Tracer discarded {{[1-9][0-9]*}} events between
// CHECK: {{[1-9][0-9]*}} events lost
#include <signal.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
__attribute__((noinline)) int middle(int n) { return leaf(n) + leaf(n + 1); }
__attribute__((noinline)) int outer(int n) { return middle(n) + middle(n + 1); }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += outer(i);
  kill(getppid(), SIGSTOP); // the recorder: the buffer is full soon
  for (int i = 0; i < 200000; i++)
    sum += outer(i);
  kill(getppid(), SIGCONT);
  usleep(300000);
  for (int i = 0; i < 1000; i++)
    sum += outer(i);
  return sum == 1;
}
