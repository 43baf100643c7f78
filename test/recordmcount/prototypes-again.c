// A file of -r from an object that was recorded and one that was not: the second time, records that are there are used.
// REQUIRES: gcc, lld
// RUN: %gcc -g -pg -mfentry -fPIC -ffunction-sections -c %s -o %t.1.o && %gcc -DSECOND -g -pg -mfentry -fPIC -ffunction-sections -c %s -o %t.2.o && %recordmcount -q %t.1.o
// RUN: %clang -fuse-ld=lld -r -nostdlib %t.1.o %t.2.o -o %t.o && cp %t.o %t.before
// RUN: %recordmcount --verify %t.o | FileCheck %s --check-prefix=SUMMARY
// RUN: %readelf -s %t.o | grep -o '__nophook.*' | sort | uniq -d | count 0
// RUN: %clang -shared -fuse-ld=lld %tables %t.o -o %t.so && %nophook list --args %t.so | FileCheck %s
// SUMMARY: 2 sites in 1 objects, 1 new; 1 of 1 files changed
struct Point { long x, y; };
#ifdef SECOND
// CHECK-DAG: long second(struct Point *where, const char *text, float only_here)
long second(struct Point *where, const char *text, float only_here) { return where->x + *text + (long)only_here; }
#else
// CHECK-DAG: long first(struct Point *where, const char *text)
long first(struct Point *where, const char *text) { return where->x + *text; }
#endif
