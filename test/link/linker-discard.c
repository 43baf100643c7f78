// ftrace_discard.lds leaves no table behind, only NOPs: the program runs and lists no function.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -c %s -o %t.o && %clang -O1 -DOTHER -fpatchable-function-entry=5 -c %s -o %t.2.o
// RUN: %clang %t.o %t.2.o -fuse-ld=lld -Wl,--fatal-warnings -Wl,-T,%lib/../share/nophook/ftrace_discard.lds -o %t.lld && %t.lld
// RUN: %clang %t.o %t.2.o -fuse-ld=bfd -Wl,--fatal-warnings -Wl,-T,%lib/../share/nophook/ftrace_discard.lds %module -o %t.bfd && %t.bfd
// RUN: not %nophook list %t.lld 2>&1 | FileCheck %s && not %nophook list %t.bfd 2>&1 | FileCheck %s
// RUN: %readelf -S %t.lld | FileCheck %s --check-prefix=SECTIONS && %readelf -S %t.bfd | FileCheck %s --check-prefix=SECTIONS
// RUN: %objdump -d --no-show-raw-insn %t.lld | FileCheck %s --check-prefix=CODE && %objdump -d --no-show-raw-insn %t.bfd | FileCheck %s --check-prefix=CODE
// CHECK: no traceable functions
// SECTIONS-NOT: {{mcount_loc|patchable|ftrace|nophook\.}}
// CODE: <main>:
// CODE-NEXT: nopl 0x8(%rax,%rax)
#ifdef OTHER
int other(int a) { return a * 2; }
#else
int other(int a);
int main(void) { return other(0); }
#endif
