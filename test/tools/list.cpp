// list: each function once, ascending, with how it is traced, in every kind of linked file.
// RUN: %traced_cxx %s -o %t.pie
// RUN: %nophook list %t.pie 2>&1 | FileCheck %s
// RUN: %traced_cxx -no-pie %s -o %t.fixed && %nophook list %t.fixed 2>&1 | FileCheck %s
// RUN: %traced_cxx -static %s -o %t.static && %nophook list %t.static 2>&1 | FileCheck %s
// RUN: %traced_cxx -shared -fPIC %s -o %t.so && %nophook list %t.so 2>&1 | FileCheck %s
// RUN: %traced_cxx -Wl,-z,pack-relative-relocs %s -o %t.relr && %nophook list %t.relr 2>&1 | FileCheck %s
// RUN: %nophook list --summary %t.pie | FileCheck %s --check-prefix=SUMMARY
// RUN: %nophook list --json %t.pie | FileCheck %s --check-prefix=JSON
// Without symbols, and without section headers: only the names are missing.
// RUN: %objcopy --strip-all --strip-sections %t.pie %t.bare
// RUN: %nophook list %t.bare 2>&1 | FileCheck %s --check-prefix=BARE
#include <cstdarg>
namespace ns {
[[gnu::noinline]] int plain(int n) { asm volatile("" : "+r"(n)); return n; }
}
[[gnu::noinline]] int eight(int, int, int, int, int, int, int g, int h) { asm volatile("" : "+r"(g)); return g + h; }
[[gnu::noinline]] int variadic(int n, ...) { va_list list; va_start(list, n); n = va_arg(list, int); va_end(list); return n; }
int main() { return ns::plain(0) + eight(0, 0, 0, 0, 0, 0, 0, 0) + variadic(1, 0); }
// CHECK: {{^[0-9a-f]+}} call-through ns::plain(int)
// CHECK-NEXT: {{^[0-9a-f]+}} call-through, copies 16 bytes eight(int, int, int, int, int, int, int, int)
// CHECK-NEXT: {{^[0-9a-f]+}} entry only: variadic variadic(int, ...)
// CHECK-NEXT: {{^[0-9a-f]+}} call-through main
// CHECK-NEXT: 4 functions: 2 call-through, 1 call-through with a copy of stack arguments, 1 entry only
// CHECK-NOT: {{.}}
// SUMMARY: 4 functions: 2 call-through, 1 call-through with
// JSON: {"function":"ns::plain(int)","site":{{[0-9]+}},"how":"call_through"}
// JSON: {"function":"eight({{.*}})","site":{{[0-9]+}},"how":"call_through_copy","stack_bytes":16}
// JSON: {"function":"variadic({{.*}})","site":{{[0-9]+}},"how":"entry_only","reason":"variadic"}
// BARE: call-through list.cpp.tmp.bare+0x
// BARE: 4 functions: 2 call-through
