// Names of a stripped program come from its separate debug file: by link, or by build-id.
// RUN: rm -rf %t.d && mkdir -p %t.d/.debug
// RUN: %traced_cc -Wl,--build-id=0x0123456789abcdef %s -o %t.d/full
// RUN: %objcopy --only-keep-debug %t.d/full %t.d/.debug/full.debug
// RUN: %objcopy --strip-all %t.d/full %t.d/stripped
// RUN: %nophook list %t.d/stripped 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %objcopy --strip-all --add-gnu-debuglink=%t.d/.debug/full.debug %t.d/full %t.d/linked
// RUN: %nophook list %t.d/linked 2>&1 | FileCheck %s --check-prefix=WITH
// RUN: mkdir -p %t.d/root/.build-id/01 && cp %t.d/.debug/full.debug %t.d/root/.build-id/01/23456789abcdef.debug
// RUN: env NOPHOOK_DEBUG_DIR=%t.d/root %nophook list %t.d/stripped 2>&1 | FileCheck %s --check-prefix=WITH
// WITHOUT: stripped+0x
// WITH-DAG: {{ }}a_static_function
// WITH-DAG: {{ }}main
__attribute__((noinline)) static int a_static_function(int n) { asm volatile("" : "+r"(n)); return n; }
int main(void) { return a_static_function(0); }
