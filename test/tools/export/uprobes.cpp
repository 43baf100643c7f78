// export --uprobes: a probe behind the site of each function that is chosen, with a name that the kernel takes and no other has; of returns, too, where they are traced; on the site if asked.
// RUN: %traced_cxx %s -o %t && %nophook export --uprobes --returns %t > %t.probes
// RUN: %python %S/Inputs/probes.py %t.probes %t 9 | FileCheck %s
// RUN: %traced_cxx -fPIC -shared %s -o %t.so && %nophook export --uprobes %t.so > %t.probes && %python %S/Inputs/probes.py %t.probes %t.so 5
// RUN: %nophook export --uprobes --at-site %t > %t.sites && %python %S/Inputs/probes.py %t.sites %t 5 0
// RUN: %nophook export --uprobes --function 'Shape::*' %t | FileCheck %s --check-prefix=CHOSEN
// RUN: %exits 1 %nophook export --uprobes --function nothing %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook export %t
// CHECK-DAG: p Shape_area
// CHECK-DAG: r Shape_area__return
// CHECK-DAG: p twice
// CHECK-DAG: p twice_1
// CHECK-DAG: p variadic
// CHECK-DAG: p main
// CHECK-NOT: variadic__return
// CHOSEN: p:nophook/Shape_area {{/.*}}:0x{{[0-9a-f]+}}
// CHOSEN-NOT: p:
// NONE: nophook: {{.*}}: none of its functions matches
#include <cstdarg>
#define SEEN __attribute__((noinline, used))
struct Shape { SEEN int area(int n) const { asm volatile("" : "+r"(n)); return n; } };
SEEN int twice(int n) { asm volatile("" : "+r"(n)); return n + n; }
SEEN float twice(float n) { asm volatile("" : "+x"(n)); return n + n; }
SEEN int variadic(int n, ...) { va_list list; va_start(list, n); n = va_arg(list, int); va_end(list); return n; }
int main() { return Shape().area(0) + twice(0) + (int)twice(0.f) + variadic(1, 0); }
