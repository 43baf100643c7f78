// A thread that gives itself another name is shown with its last one, and the change is an instant among its calls, in the text, as JSON, and in exports.
// RUN: %traced_cc %s -o %t && %nophook record -p function_graph -o %t.data %t
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook export --format chrome -o %t.json %t.data && FileCheck %s --check-prefix=CHROME < %t.json
// CHECK: work();
// CHECK: /* task_rename: newcomm=second */
// CHECK: work();
// JSON: "kind":"event"{{.*}}"comm":"second"{{.*}}"event":"task_rename","arguments":{"newcomm":"second"}
// CHROME: "ph":"i","name":"task_rename"{{.*}}"newcomm":"second"
#include <sys/prctl.h>
#include <unistd.h>
static __attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void) {
  prctl(PR_SET_NAME, "first");
  work();
  usleep(600000); // the recorder reads names every 100 ms of a thread's first second
  prctl(PR_SET_NAME, "second");
  usleep(600000);
  work();
}
