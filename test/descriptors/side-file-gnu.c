// descriptors=file with GNU ld and GNU strip, in a shared library and in a PIE.
// REQUIRES: gnu-ld
// RUN: rm -rf %t.d && mkdir -p %t.d/root/.build-id/01
// RUN: %describe_cc -O1 -fPIC -shared -fuse-ld=bfd -fplugin-arg-nophook-descriptors=file -Wl,--fatal-warnings %s -o %t.d/lib.so
// RUN: %nophook list --args %t.d/lib.so 2>/dev/null | FileCheck %s
// RUN: %describe_cc -O1 -fPIE -pie -fuse-ld=bfd -fplugin-arg-nophook-descriptors=file -Wl,--fatal-warnings -Wl,--build-id=0x0123456789abcdef %s -o %t.d/full
// RUN: objcopy --only-keep-debug %t.d/full %t.d/root/.build-id/01/23456789abcdef.debug
// RUN: strip %t.d/full -o %t.d/stripped && %t.d/stripped
// RUN: %readelf -S %t.d/stripped | FileCheck %s --check-prefix=STRIPPED --implicit-check-not=nophook_
// RUN: env NOPHOOK_DEBUG_DIR=%t.d/root %nophook list --args %t.d/stripped 2>/dev/null | FileCheck %s
// STRIPPED: __mcount_{{loc|rel}}
// CHECK: call-through{{ +}}long work(long amount, const char *text)
__attribute__((noinline)) long work(long amount, const char *text) { return amount + *text; }
int main(void) { return (int)work(0, ""); }
