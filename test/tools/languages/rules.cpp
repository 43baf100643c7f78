// Rules and triggers mean the same for C++ as for C, and know its names, colons, brackets and all.
// RUN: %traced_cxx %s -o %t
// RUN: %nophook record -S 'set_ftrace_filter=space::work space::Gate::close:traceoff:1 space::Gate::open:traceon' -o %t.data -- %t && %nophook report --top %t.data | FileCheck %s --check-prefix=ONCE
// RUN: %nophook record -p function -S 'set_ftrace_filter=space::work space::Gate::*:traceoff !space::Gate::*:traceoff' -o %t.data -- %t && %nophook report --top %t.data | FileCheck %s --check-prefix=NONE
// RUN: rm -f %t.data* && %nophook record --overwrite -S 'set_ftrace_filter=space::work space::Gate::open():snapshot:1' -o %t.data -- %t && %nophook report --top %t.data.snapshot1 | FileCheck %s --check-prefix=SNAPSHOT
// RUN: rm -f %t.data* && %nophook record --overwrite -S 'set_ftrace_filter=space::work* *Gate::open*:dump:1' -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: %nophook record -S 'set_graph_function=space::twice<*>' -S max_graph_depth=2 -o %t.data -- %t && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data | FileCheck %s --check-prefix=ROOT
// RUN: %nophook record -S set_graph_notrace=space::twice* -o %t.data -- %t && %nophook report --top %t.data | FileCheck %s --check-prefix=HIDDEN --implicit-check-not=twice
// RUN: %nophook record -S tracing_thresh=2000 -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=THRESH
// RUN: %nophook record -p profile -S tracing_thresh=2000 -o %t.data -- %t && %nophook report --json %t.data | FileCheck %s --check-prefix=PROFILE
#include <time.h>
#define SEEN [[gnu::noinline, gnu::used]]
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
namespace space {
SEEN void work(int n) { KEEP(n); }
struct Gate {
  SEEN void open() { KEEP(this); }
  SEEN void close() { KEEP(this); }
};
template <class T> SEEN void twice(T value) {
  work((int)value), work((int)value + 1);
  timespec time = {0, 5000000};
  nanosleep(&time, nullptr);
}
} // namespace space
int main() {
  space::Gate gate;
  for (int i = 0; i < 3; i++) {
    space::work(1);
    gate.close();
    space::work(2);
    gate.open();
    space::work(3);
  }
  space::twice(1.5f);
}
// ONCE: {{ 10 +}}space::work{{$}}
// NONE: {{ 11 +}}space::work{{$}}
// SNAPSHOT: {{ 2 +}}space::work{{$}}
// DUMP: the trace so far is in
// DUMP: nophook: 4 events of a snapshot in {{.*}}.data.snapshot1
// ROOT: {{^}}space::twice<float>() {
// ROOT-NEXT: space::work();
// ROOT-NEXT: space::work();
// ROOT-NEXT: }
// HIDDEN: {{ 9 +}}space::work{{$}}
// THRESH-NOT: {{[{]}}
// THRESH: |    } /* space::twice<float> */
// THRESH-NEXT: |  } /* main */
// PROFILE: "function":"space::twice<float>","hits":1
