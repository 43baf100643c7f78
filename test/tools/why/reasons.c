// why distinguishes each reason: traceable, entry only, left out, not instrumented, inlined, removed, misspelt.
// RUN: %clang -c -O1 -g -DPLAIN %s -o %t.o && %traced_cc %s %t.o -o %t
// RUN: %nophook why whole %t | FileCheck %s --check-prefix=WHOLE --match-full-lines
// RUN: %nophook why several %t | FileCheck %s --check-prefix=VARIADIC
// RUN: %nophook why hidden %t | FileCheck %s --check-prefix=HIDDEN
// RUN: %nophook why foreign %t | FileCheck %s --check-prefix=FOREIGN
// RUN: %nophook why small %t | FileCheck %s --check-prefix=INLINED
// RUN: %exits 1 %nophook why whola %t 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: %clang -O1 -g %s -DPLAIN -DMAIN -o %t.plain && %nophook why foreign %t.plain | FileCheck %s --check-prefix=PLAIN
// RUN: %strip --strip-debug %t && %nophook why hidden %t | FileCheck %s --check-prefix=STRIPPED
// RUN: %exits 1 %nophook why small %t 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: %exits 2 %nophook why small 2>&1 | FileCheck %s --check-prefix=USAGE
#ifdef PLAIN
__attribute__((noinline)) int foreign(int n) { asm volatile("" : "+r"(n)); return n; }
#ifdef MAIN
int main(void) { return foreign(0); }
#endif
#else
int foreign(int);
static inline __attribute__((always_inline)) int small(int n) { asm volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int whole(int n) { return small(n) + small(n); }
__attribute__((noinline)) int several(int n, ...) { return small(n); }
__attribute__((noinline, no_instrument_function)) int hidden(int n) { asm volatile("" : "+r"(n)); return n; }
int main(void) { return whole(0) + several(0, 1) + hidden(0) + foreign(0); }
#endif
// WHOLE: whole: traceable: function and function_graph
// WHOLE-NEXT: call-through, site 0x{{[0-9a-f]+}}
// WHOLE-NOT: {{.}}
// VARIADIC: several: traceable: function whole, function_graph without exits and durations
// VARIADIC-NEXT: entry only: variadic, site
// VARIADIC-NEXT: to do: let it call a function with a va_list
// HIDDEN: hidden: not traceable: it was left out when {{.*}}reasons.c was compiled. To do: remove notrace
// FOREIGN: foreign: not traceable: {{.*}}reasons.c was compiled without the plugin
// INLINED: small: not traceable: all its calls are inlined
// INLINED-NEXT: inlined in 3 places, where it has no events: several, whole{{$}}
// INLINED-NEXT: to do: __attribute__((noinline))
// MISSPELT: has no function 'whola', but whole
// PLAIN: foreign: not traceable: no traceable functions: compile and link with `nophook cc`
// STRIPPED: hidden: not traceable: it has no site. To do: compile its file with the plugin
// GONE: has no function 'small'
// USAGE: BINARY is required
