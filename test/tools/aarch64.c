// A program for AArch64 is read on every CPU, with the names of its own registers.
// REQUIRES: aarch64-cross, lld
// RUN: %clang --target=aarch64-linux-gnu -O1 -g -fuse-ld=lld %instrument -Wl,-T,%lds %aarch64-module %s -o %t
// RUN: %nophook list --args --json %t | FileCheck %s --check-prefix=LIST
// RUN: %nophook list %t | FileCheck %s --check-prefix=NAMES --implicit-check-not='$x' --implicit-check-not='$d'
// RUN: %nophook why whole %t | FileCheck %s --check-prefix=WHOLE
// RUN: %nophook why hidden %t | FileCheck %s --check-prefix=HIDDEN
// RUN: %nophook why small %t | FileCheck %s --check-prefix=SMALL
// RUN: %exits 1 %nophook why whola %t 2>&1 | FileCheck %s --check-prefix=WHOLA
struct Two { double x, y; };
struct Large { long a[3]; };
static inline __attribute__((always_inline)) int small(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int whole(int n, const char *text, struct Two two) { return small(n) + (text == 0) + (two.x > two.y); }
__attribute__((noinline)) struct Large large(struct Large by, __int128 wide) { by.a[0] += wide; return by; }
__attribute__((noinline, no_instrument_function)) int hidden(int n) { asm volatile("" : "+r"(n)); return n; }
int main(void) { return whole(0, "", (struct Two){1, 2}) + large((struct Large){{1}}, 2).a[1] + hidden(0); }
// LIST-DAG: "function":"whole",{{.*}}"result":{{[^}]*}}"place":"x0"},"parameters":[{"name":"n",{{[^}]*}}"place":"x0"},{"name":"text",{{[^}]*}}"place":"x1"},{"name":"two",{{[^}]*}}"place":"v0:v1"}]
// LIST-DAG: "function":"large",{{.*}}"result":{{[^}]*}}"place":"unknown"},"parameters":[{"name":"by",{{[^}]*}}"place":"*x0"},{"name":"wide",{{[^}]*}}"place":"x2:x3"}]
// NAMES-DAG: {{^ *[0-9a-f]+}} call-through whole
// NAMES-DAG: {{^ *[0-9a-f]+}} call-through large
// NAMES-DAG: {{^ *[0-9a-f]+}} call-through main
// WHOLE: whole: traceable: function and function_graph
// HIDDEN: hidden: {{.*}}no_instrument_function
// SMALL: small: not traceable: all its calls are inlined
// SMALL-NEXT: inlined in 1 place, where it has no events: whole
// WHOLA: whole
