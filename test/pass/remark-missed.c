// -Rpass-missed=nophook says of each function without a site why.
// RUN: printf '# list\nfun:listed\n' > %t.list && echo 'fun:*' > %t.in && echo 'fun:other' > %t.other
// RUN: %clang -O1 %instrument %option-exclude=%t.list %option-min-size=3 %option-only-exported -Rpass-missed=nophook -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 %instrument %option-include=%t.other -Rpass-missed=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=INCLUDE
// RUN: %clang -O1 %instrument -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: is not traceable
// CHECK: remark-missed.c:[[@LINE+1]]:{{[0-9]+}}: remark: bare is not traceable: a naked function has no ordinary entry [-Rpass-missed=nophook]
__attribute__((naked)) void bare(void) { __asm__("ret"); }
// CHECK: remark: quiet is not traceable: an attribute in the source keeps it out
__attribute__((no_instrument_function)) void quiet(void) {}
// CHECK: remark: foreign is not traceable: it has NOPs of another patchable_function_entry
__attribute__((patchable_function_entry(2))) void foreign(void) {}
// CHECK: remark: listed is not traceable: excluded by {{.*}}.list:2
int listed(int x) { return x; }
// CHECK: remark: local is not traceable: it is not exported
__attribute__((used)) static int local(int x) { return x; }
// CHECK: remark: small is not traceable: it has 1 instructions and no loop, min-size is 3
// INCLUDE: remark: small is not traceable: not in the include list
int small(int x) { return x; }
