// For AArch64 NOPHOOK_RUNTIME links that target's runtime, as a library or an archive, and the program traces itself.
// REQUIRES: aarch64-cross, qemu-aarch64, aarch64-runtime, lld
// RUN: env NOPHOOK_RUNTIME=1 %cc --target=aarch64-linux-gnu -I%include -O1 %s -o %t.shared
// RUN: %aarch64-run -E LD_LIBRARY_PATH=%build/aarch64/lib %t.shared | FileCheck %s
// RUN: env NOPHOOK_RUNTIME=static %cc --target=aarch64-linux-gnu -fuse-ld=lld -I%include -O1 %s -o %t.archive && %aarch64-run %t.archive | FileCheck %s
// RUN: env NOPHOOK_RUNTIME=static %cc --target=aarch64-linux-gnu -fuse-ld=lld -static -I%include -O1 %s -o %t.static && %aarch64-run %t.static | FileCheck %s
// A program of another machine does not get a folder of this one.
// RUN: %readelf -d %t.shared | FileCheck %s --check-prefix=DYNAMIC --implicit-check-not=RUNPATH
// DYNAMIC: NEEDED{{.*}}libnophook.so.0
// CHECK: registered: 0, calls: 2
#include <ftrace.h>
#include <stdio.h>
static int calls;
static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) { calls++; }
static struct ftrace_ops ops = {.func = count};
__attribute__((noinline)) int work(int x) {
  __asm__ volatile("" : "+r"(x));
  return x * 3;
}
int main(void) {
  int registered = register_ftrace_function(&ops);
  int sum = work(1) + work(2);
  unregister_ftrace_function(&ops);
  printf("registered: %d, calls: %d\n", registered, calls + work(sum) - 27);
}
