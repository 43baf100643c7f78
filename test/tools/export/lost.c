// Each format says how many events are missing, with a time axis also where; the other events are complete.
// REQUIRES: trace-cmd
// RUN: %traced_cc -D_GNU_SOURCE -O1 %s -o %t && %nophook record -m 1 -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: %debian_python %S/Inputs/every_format.py %nophook %t.data %t.formats | FileCheck %s --check-prefix=FORMATS
// RUN: babeltrace2 %t.formats/exported.ctf 2>&1 >%t.text | FileCheck %s --check-prefix=CTF
// RUN: callgrind_annotate %t.formats/exported.callgrind | FileCheck %s --check-prefix=CALLGRIND
// RUN: %browses %S/Inputs/speedscope.mjs %t.formats/exported.speedscope
// RUN: FileCheck %s --check-prefix=SPEEDSCOPE --input-file=%t.formats/exported.speedscope.shown
// CHECK: {{[1-9][0-9]*}} events lost
// FORMATS: 11 formats, {{[1-9][0-9]*}} events lost
// CTF: WARNING: Tracer discarded {{[1-9][0-9]*}} events between
// CALLGRIND: Events lost: {{[1-9][0-9]*}}
// SPEEDSCOPE: "[{{[1-9][0-9]*}} events lost]"
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
