// export --format trace.dat: the packaged trace-cmd reads the calls of all threads of C++ with both tracers, with names, tasks, CPUs, times, durations and depths, marks and stacks, as report shows them.
// REQUIRES: trace-cmd
// RUN: %traced_cxx -I%include %s -o %t && rm -f %t.dat
// RUN: %nophook record -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat && %python %S/Inputs/same_events.py %nophook %t.data %t.dat | FileCheck %s --check-prefix=GRAPH
// With --uncompressed it is of version 6, which every trace-cmd reads: the same events.
// RUN: head -c 12 %t.dat | tail -c 2 | FileCheck %s --check-prefix=SEVEN
// RUN: %nophook export %t.data --format trace.dat --uncompressed -o %t.6.dat && head -c 12 %t.6.dat | tail -c 2 | FileCheck %s --check-prefix=SIX
// RUN: %python %S/Inputs/same_events.py %nophook %t.data %t.6.dat | FileCheck %s --check-prefix=GRAPH
// RUN: %exits 2 %nophook export %t.data --format chrome --uncompressed 2>&1 | FileCheck %s --check-prefix=OTHER
// SEVEN: 7
// SIX: 6
// OTHER: nophook: export: --uncompressed: is for trace.dat: no other format is compressed
// RUN: %nophook record -p function -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat && %python %S/Inputs/same_events.py %nophook %t.data %t.dat | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record -p function -l leaf -S trace_options=func_stack_trace -o %t.data -- %t && %nophook export %t.data --format trace.dat -o %t.dat && %python %S/Inputs/same_events.py %nophook %t.data %t.dat | FileCheck %s --check-prefix=STACK
// GRAPH: 4 threads, 1[[N:[0-9]+]] entry, 1[[N]] exit, 3 mark
// FUNCTION: 4 threads, 1{{[0-9]+}} function, 3 mark
// STACK: 3 threads, 3 function, 3 mark, 3 stack
#include <trace_marker.h>
#include <thread>
#include <vector>
#define SEEN __attribute__((noinline))
SEEN void leaf() { asm volatile(""); }
template <class T, class U> SEEN T area(T a, U b) { asm volatile("" : "+r"(a)); return a * (T)b; }
struct Box {
  int edge;
  SEEN int faces() const { return area<int, unsigned int>(edge, 6); }
  SEEN int operator+(int more) const { return faces() + more; }
};
SEEN void work(int boxes) {
  int sum = 0;
  for (int i = 0; i < boxes; i++) sum += Box{i} + 1;
  trace_marker_write("so many", 7);
  leaf();
  asm volatile("" : : "r"(sum));
}
SEEN void thread_begins(int boxes) { work(boxes); }
int main() {
  std::vector<std::thread> threads;
  for (int boxes : {100, 200, 240}) threads.emplace_back(thread_begins, boxes);
  for (std::thread &thread : threads) thread.join();
}
