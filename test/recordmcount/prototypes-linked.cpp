// Two g++ objects that share an inline, and one of the plugin's: prototypes are there once, in every kind of link.
// REQUIRES: gcc, lld, gnu-ld
// RUN: %gxx -fno-ipa-sra -g -pg -mfentry -ffunction-sections -fPIE -c %s -o %t.1.o && %gxx -fno-ipa-sra -g -DSECOND -pg -mfentry -ffunction-sections -fPIE -c %s -o %t.2.o
// RUN: %clangxx -g -O2 -DTHIRD -ffunction-sections %instrument -fPIE -c %s -o %t.3.o && %recordmcount --verify -q %t.1.o %t.2.o
// RUN: g++ -Wl,--fatal-warnings -Wl,--gc-sections %tables %t.1.o %t.2.o %t.3.o -o %t.bfd && %t.bfd && %nophook list --args %t.bfd > %t.bfd.list
// RUN: %clangxx -fuse-ld=lld -Wl,--fatal-warnings -Wl,--gc-sections %tables %t.1.o %t.2.o %t.3.o -o %t.lld && %t.lld && %nophook list --args %t.lld > %t.lld.list
// RUN: %strip -s %t.lld -o %t.stripped && %readelf -p __ftrace_str %t.stripped | FileCheck %s --check-prefix=TEXT
// RUN: %clangxx -fuse-ld=lld -r -nostdlib %t.1.o %t.2.o %t.3.o -o %t.r.o && g++ -Wl,--gc-sections %tables %t.r.o -o %t.r && %t.r && %nophook list --args %t.r > %t.r.list
// RUN: ld.bfd -r %t.1.o %t.2.o -o %t.r.o && %clangxx -fuse-ld=lld %tables %t.r.o %t.3.o -o %t.r && %t.r && %nophook list --args %t.r > %t.rb.list
// RUN: bash -ec 'for f in bfd lld r; do FileCheck %s --implicit-check-not=shared --implicit-check-not=unused < %t.$f.list; done' && FileCheck %s --implicit-check-not=shared < %t.rb.list
// CHECK: int shared(const Point &where, int by)
// TEXT: const Point &
// TEXT-NOT: const Point &{{$}}
struct Point { int x, y; };
inline __attribute__((noinline)) int shared(const Point &where, int by) { static int n; return n += where.x * by; }
int second(Point where);
int third(Point where);
#ifdef SECOND
int unused(const Point &where) { return where.y; }
int second(Point where) { return shared(where, 1); }
#elif defined(THIRD)
int third(Point where) { return shared(where, 1); }
#else
int main(int argc, char **) { Point p{argc, 0}; return shared(p, 1) + second(p) + third(p) - 6; }
#endif
