// descriptors=file: nothing of them is loaded, and a stripped program's are found by its build-id.
// REQUIRES: lld
// RUN: rm -rf %t.d && mkdir -p %t.d/root/.build-id/01
// RUN: %describe_cc -O1 -fplugin-arg-nophook-descriptors=file -Wl,--fatal-warnings -Wl,--build-id=0x0123456789abcdef %s -o %t.d/full
// RUN: %t.d/full
// RUN: %readelf -S %t.d/full | FileCheck %s --check-prefix=SECTIONS
// RUN: %nophook list --args %t.d/full 2>/dev/null | FileCheck %s
// RUN: %objcopy --only-keep-debug %t.d/full %t.d/root/.build-id/01/23456789abcdef.debug
// RUN: %strip %t.d/full -o %t.d/stripped
// RUN: %nophook list --args %t.d/stripped 2>/dev/null | FileCheck %s --check-prefix=ABSENT
// RUN: env NOPHOOK_DEBUG_DIR=%t.d/root %nophook list --args %t.d/stripped 2>/dev/null | FileCheck %s
// SECTIONS-DAG: .debug_nophook_args PROGBITS {{.*}} 00 WL 
// SECTIONS-DAG: .debug_nophook_proto PROGBITS {{.*}} 00 0 0 4
// SECTIONS-DAG: .debug_nophook_str PROGBITS {{.*}} 01 MS 
// SECTIONS-NOT: {{__ftrace_str|\.nophook\.}}
// CHECK: call-through{{ +}}long work(long amount, const char *text)
// ABSENT: entry only: no descriptor
// ABSENT-NOT: amount
__attribute__((noinline)) long work(long amount, const char *text) { return amount + *text; }
int main(void) { return (int)work(0, ""); }
