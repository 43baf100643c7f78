// nophook script runs Python programs over the events of a recording: the three examples count calls, print them as a tree, and find the slow ones with their arguments; errors of the recording reach the program.
// RUN: %traced_cxx %s -o %t && %nophook record --args --retval -o %t.data -- %t && %nophook record -p function -o %t.pairs -- %t
// RUN: %nophook script %examples/count.py %t.data | FileCheck %s --check-prefix=COUNT --match-full-lines
// RUN: %nophook script %examples/count.py %t.data leaf middle none | FileCheck %s --check-prefix=COUNTS --match-full-lines
// RUN: %nophook script %examples/count.py %t.pairs leaf | FileCheck %s --check-prefix=PAIRS --match-full-lines
// RUN: %nophook script %examples/replay.py %t.data | FileCheck %s --check-prefix=REPLAY
// RUN: %nophook script %examples/slow.py %t.data 100ms | FileCheck %s --check-prefix=SLOW --match-full-lines
// RUN: %nophook script %examples/slow.py %t.data 0ns leaf | FileCheck %s --check-prefix=LEAF
// RUN: %exits 1 %nophook script %examples/slow.py %t.data 10 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: %nophook script %S/Inputs/each_event.py %t.data --odd "two words"
// RUN: %exits 1 %nophook script %examples/count.py %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: head -c -40 %t.data > %t.cut && %exits 1 %nophook script %examples/count.py %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: %exits 1 %nophook script %t.py 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %exits 1 %nophook script --python no-such-python %examples/count.py 2>&1 | FileCheck %s --check-prefix=PYTHON
// RUN: %exits 2 %nophook script 2>&1 | FileCheck %s --check-prefix=USAGE
#include <time.h>
#define SEEN __attribute__((noinline))
SEEN int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
SEEN int middle(int n, const char *name) { int sum = 0; for (int i = 0; i < n; i++) sum += leaf(i); return sum + (name == nullptr); }
SEEN int slow(int ms) { timespec pause = {0, ms * 1000000}; nanosleep(&pause, nullptr); return ms; }
int main() { return middle(2, "two") + middle(3, "three") + slow(200) == 0; }
// COUNT: 9
// COUNTS: 5 leaf
// COUNTS-NEXT: 2 middle
// COUNTS-NEXT: 0 none
// PAIRS: 5 leaf
// REPLAY: # DURATION TID FUNCTION
// REPLAY-NEXT: | main() {
// REPLAY-NEXT: | middle(n=2, name="two") {
// REPLAY-NEXT: | leaf(n=0) {
// REPLAY-NEXT: {{[0-9.]+ [mu]?s +[0-9]+ .*}} } /* leaf = 0 */
// REPLAY: } /* middle = 1 */
// REPLAY: } /* slow = 200 */
// REPLAY-NEXT: } /* main = 0 */
// SLOW: {{ *[0-9.]+ m?s  [0-9]+  slow\(ms=200\)}}
// SLOW-NEXT: {{ *[0-9.]+ m?s  [0-9]+  main\(\)}}
// SLOW-NEXT: # 2 of 9 calls
// LEAF: leaf(n=0)
// LEAF: leaf(n=2)
// LEAF-NEXT: # 5 of 5 calls
// UNIT: slow.py: 10: a time has a unit
// NONE: nophook.Error: nophook: {{.*}}.none: No such file or directory
// CUT: nophook.Error: nophook: {{.*}}.cut: {{.*}}cut
// FILE: nophook: {{.*}}.py: there is no such script
// PYTHON: nophook: no-such-python: cannot be run (the scripts need Python 3): No such file
// USAGE: nophook: script: FILE is required (see nophook script --help)
