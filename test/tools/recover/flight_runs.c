// A flight recorder that runs may be read again and again: each copy has calls in their order, and
// between its first and its last none is missing.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/snapshots.py %nophook %lib/libnophook.so 6 %t
__attribute__((noinline)) static void a(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) static void b(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) static void c(int n) { asm volatile("" : "+r"(n)); }
int main(void) {
  for (int i = 0;; i++)
    a(i), b(i), c(i);
}
