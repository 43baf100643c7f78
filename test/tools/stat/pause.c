// stat shows the contents of each thread's ring, --pause stops events of a running process, --continue lets them flow.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK="current_tracer=function_graph set_ftrace_filter=step* buffer_size_kb=4096 tracing_on=0" %t %nophook > %t.out
// RUN: FileCheck %s < %t.out
// RUN: %nophook stat --json %t.run/nophook | FileCheck %s --check-prefix=AFTER
// RUN: %nophook stat %t.run/nophook > %t.text && FileCheck %s --check-prefix=TEXT < %t.text
// RUN: %nophook stat --json %t.run/nophook | %python -c "import json,sys; (r,) = json.load(sys.stdin)['rings']; row = open('%t.text').read().splitlines()[-1].split(); assert row == [r['comm'] if c == 'comm' else str(r[c] // (1024 if c == 'bytes' else 1)) for c in ('tid', 'comm', 'events', 'lost', 'overwritten', 'bytes')] and r['events'] >= 20, row"
// RUN: %nophook recover -o %t.data %t.run/nophook && %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// RUN: not %nophook stat %t.run 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: "state":"paused"{{.*}}"when_full":"drop"{{.*}}"rings":[]
// CHECK: "state":"tracing"{{.*}}
// CHECK: "state":"tracing"{{.*}}"events":20,{{.*}}"lost":0
// CHECK: "state":"paused"{{.*}}"events":20,
// CHECK: the paused steps made no events
// AFTER: "state":"ended"{{.*}}"most_bytes":4{{[0-9]+}},"when_full":"drop"
// TEXT: {{^[0-9]+}} pause.c.tmp: ended, tracer function_graph
// TEXT-NEXT: memory: {{[0-4]\.[0-9]}} MiB of 4.{{[0-9]}} at most; when full: drop
// TEXT-NEXT: {{^ +}}TID THREAD EVENTS LOST OVERWRITTEN KIB{{$}}
// TOP-NOT: step_never
// NONE: nophook: {{.*}}has no buffers
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function))
NOINLINE static void step(int n) { __asm__ volatile("" : "+r"(n)); }
NOINLINE static void step_until_noticed(int n) { __asm__ volatile("" : "+r"(n)); }
NOINLINE static void step_never(int n) { __asm__ volatile("" : "+r"(n)); }
UNTRACED static void stat(const char *nophook, const char *option) {
  char command[4096];
  snprintf(command, sizeof command, "unset LD_PRELOAD NOPHOOK; %s stat --json %s %d", nophook, option, getpid());
  fflush(stdout);
  if (system(command))
    puts("stat fails");
}
UNTRACED int main(int count, char **arguments) {
  const char *nophook = arguments[count - 1];
  for (int i = 0; i < 10; i++)
    step_never(i);
  stat(nophook, "");
  stat(nophook, "--continue");
  for (int i = 0; i < 10; i++)
    step(i);
  stat(nophook, "");
  stat(nophook, "--pause");
  clock_t begin = clock(); // this thread's own CPU time
  while (clock() - begin < CLOCKS_PER_SEC / 2)
    step_until_noticed(0);
  for (int i = 0; i < 10; i++)
    step_never(i);
  puts("the paused steps made no events");
  return 0;
}
