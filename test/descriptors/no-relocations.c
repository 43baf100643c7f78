// Prototypes cost the loader nothing: constants in a segment that nobody writes, without relocations.
// REQUIRES: lld, gnu-ld
// RUN: %describe_cc -O1 -fPIE -pie -Wl,--fatal-warnings -Wl,--gc-sections -ffunction-sections %s -o %t.lld
// RUN: %readelf -S %t.lld | FileCheck %s
// RUN: %readelf -r %t.lld > %t.with
// RUN: %describe_cc -O1 -fPIE -pie -fplugin-arg-nophook-descriptors=off -Wl,--gc-sections -ffunction-sections %s -o %t.off
// RUN: %readelf -r %t.off > %t.without
// RUN: grep -c R_X86_64 %t.without > %t.count && grep -c R_X86_64 %t.with | diff - %t.count
// RUN: %describe_cc -O1 -fPIC -shared -fuse-ld=bfd -Wl,--fatal-warnings %s -o %t.so
// RUN: %readelf -S %t.so | FileCheck %s
// CHECK-DAG: __ftrace_proto PROGBITS {{[0-9a-f]+ [0-9a-f]+ [0-9a-f]+}} 00 A {{ *}}0 0 4
// CHECK-DAG: __ftrace_str PROGBITS {{[0-9a-f]+ [0-9a-f]+ [0-9a-f]+}} 01 AMS {{ *}}0 0 1
struct point { long x, y; };
long work(struct point *p, const char *text) { return p->x + *text; }
int main(int argc, char **argv) { struct point p = {argc, 0}; return (int)work(&p, argv[0]); }
