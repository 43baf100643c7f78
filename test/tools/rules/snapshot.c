// A snapshot that is taken while a program is recorded becomes a recording of its own; without a recorder, a buffer by its own name.
// RUN: %traced_cc %s -o %t && rm -f %t.data*
// RUN: %nophook record --overwrite -S set_ftrace_filter=work,now:snapshot -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %nophook report --top %t.data.snapshot1 | FileCheck %s --check-prefix=SNAPSHOT
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=ALL
// RUN: rm -rf %t.buf && mkdir %t.buf && chmod 700 %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf current_tracer=function_graph set_ftrace_filter=work,now:snapshot" LD_PRELOAD=%lib/libnophook.so %t
// RUN: %nophook report --top %t.buf/*.s1.buf | FileCheck %s --check-prefix=SNAPSHOT
// RUN: %nophook report --top %t.buf | FileCheck %s --check-prefix=ALL
__attribute__((noinline)) void work(int n) { asm volatile("" : : "r"(n) : "memory"); }
__attribute__((noinline)) void now(void) { asm volatile("" : : : "memory"); }
int main(void) {
  for (int i = 0; i < 300; i++)
    work(i);
  now();
  for (int i = 0; i < 200; i++)
    work(i);
  return 0;
}
// SAID: nophook: 600 events of a snapshot in {{.*}}.data.snapshot1
// SAID: nophook: 1000 events of 1 function
// SNAPSHOT: {{(^| )300 }}{{.*}}work
// ALL: {{(^| )500 }}{{.*}}work
