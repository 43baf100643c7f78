// export --format ctf: babeltrace2 reads what report --json prints, event for event: calls of two processes, counters, marks, stacks, calls of the function tracer; what cannot be written is refused.
// RUN: %traced_cc -I%include %s -o %t && rm -rf %t.graph %t.function %t.stacks
// RUN: %nophook record --args --retval -S perf_counters=page-faults -o %t.data -- %t && %nophook export --format ctf -o %t.graph %t.data
// RUN: %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.graph | FileCheck %s --check-prefix=GRAPH
// RUN: babeltrace2 %t.graph | FileCheck %s --check-prefix=TEXT
// RUN: %nophook record -p function -o %t.data -- %t && %nophook export --format ctf -o %t.function %t.data
// RUN: %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.function | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record -p function -l leaf -S trace_options=func_stack_trace -o %t.data -- %t && %nophook export --format ctf -o %t.stacks %t.data
// RUN: %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.stacks | FileCheck %s --check-prefix=STACK
// RUN: %exits 1 %nophook export --format ctf -o %t.graph %t.data 2>&1 | FileCheck %s --check-prefix=THERE
// RUN: %exits 1 %nophook export --format ctf -o /proc/none %t.data 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: rm -rf %t.alone && mkdir -p %t.alone/bin && cp %nophook %t.alone/bin && %exits 1 %t.alone/bin/nophook export --format ctf -o %t.none %t.data 2>&1 | FileCheck %s --check-prefix=ALONE
// The command is not linked to the library, which takes longer to load than the command.
// RUN: %readelf -d %nophook | FileCheck %s --check-prefix=NEEDED --implicit-check-not=babeltrace --implicit-check-not=glib
// NEEDED: Shared library: [libc.so.6]
// GRAPH: 2 threads, 4 entry, 4 exit, 2 mark, 0 discarded
// TEXT: entry: { cpu_id = {{[0-9]+}}, pid = [[PID:[0-9]+]], tid = [[PID]], comm = "{{.*}}" }, { function = "leaf", depth = 1, arguments = { n = 3, short_ = "\"three\"" } }
// TEXT: exit: {{.*}} { function = "leaf", depth = 1, duration_ns = {{[0-9]+}}, counters = { page_faults = {{[0-9]+}} }, result = 8 }
// TEXT: mark: {{.*}} { function = "forks", text = "from [[PID]]" }
// FUNCTION: 2 threads, 4 function, 2 mark, 0 discarded
// STACK: 2 threads, 2 function, 2 mark, 2 stack, 0 discarded
// THERE: nophook: {{.*}}.graph: is there already: remove it, or choose another folder with --output
// FOLDER: nophook: /proc/none: cannot be created: No such file or directory
// ALONE: nophook: {{.*}}/nophook_ctf.so: the writer of this format is missing
#include <string.h>
#include <sys/wait.h>
#include <trace_marker.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n, const char *short_) { return n + (int)strlen(short_); }
__attribute__((noinline)) int forks(void) {
  pid_t child = fork();
  trace_printk("from %d", (int)getpid());
  if (child == 0)
    _exit(leaf(4, "four") != 8);
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}
int main(void) { return leaf(3, "three") - 8 + forks(); }
