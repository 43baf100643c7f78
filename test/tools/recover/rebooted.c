// A buffer from before the machine's last start has its times all the same: it has its own clock.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK="current_tracer=function_graph buffer_size_kb=4096" %t
// RUN: %python %S/Inputs/rebooted.py %t.run/nophook
// RUN: %nophook report --top %t.run/nophook 2>&1 | FileCheck %s
// CHECK-NOT: speed of the clock
// CHECK: work
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0; i < 30000; i++)
    work(i);
  return 0;
}
