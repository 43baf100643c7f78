// The function tracer shows arguments in front of the caller, as the kernel's func-args does; without a prototype, the six registers that integers are passed in.
// RUN: %traced_cc %s -o %t && %nophook record -p function --args -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: gcc -O1 -pg -mfentry -c %s -o %t.o && %recordmcount -q --no-descriptors %t.o && gcc %t.o %tables -o %t.plain
// RUN: %nophook record -p function --args -o %t.data -- %t.plain && %nophook report %t.data | FileCheck %s --check-prefix=PLAIN
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=PLAIN-JSON
// RUN: %exits 2 %nophook record -p function --retval -- %t 2>&1 | FileCheck %s --check-prefix=NONE
__attribute__((noinline)) long work(int a, const char *text, long c, long d, long e, long f, long g) {
  __asm__ volatile("" : : "g"(&g), "r"(text) : "memory");
  return a + c + d + e + f + g;
}
int main(void) { return (int)work(1, "x", 3, 4, 5, -6, 7) & 0; }
// CHECK: work(a=1, text="x", c=3, d=4, e=5, f=-6, g=7) <-main
// PLAIN: work(0x1, 0x{{[0-9a-f]+}}, 0x3, 0x4, 0x5, 0xfffffffffffffffa) <-main
// PLAIN-JSON: "function":"work","arguments":[{"value":"0x1"},
// NONE: --retval needs the tracer function_graph
