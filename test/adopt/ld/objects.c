// The linker records copies of the objects that need it, and leaves the objects alone: by GNU ld and lld, for programs, libraries and -r.
// REQUIRES: gnu-ld, lld
// RUN: rm -rf %t && mkdir %t && cd %t && gcc -g -O1 -fPIC -fpatchable-function-entry=5 -DF=main -c %s -o main.o && gcc -g -O1 -fPIC -pg -mfentry -DF=part -c %s -o part.o && cp main.o kept.o
// RUN: gcc -B%folder main.o part.o -o bfd && ./bfd && %nophook list --args bfd 2>&1 | FileCheck %s && cmp main.o kept.o
// RUN: gcc -B%folder -fuse-ld=lld main.o part.o -o lld && ./lld && %nophook list --args lld 2>&1 | FileCheck %s
// RUN: %clang --ld-path=%folder/ld main.o part.o -o clang && ./clang && %nophook list --args clang 2>&1 | FileCheck %s
// RUN: env NOPHOOK_LD=ld.lld %nophook ld -shared main.o part.o -o lib.so && %nophook list --args lib.so 2>&1 | FileCheck %s && readelf -p .comment lib.so | FileCheck %s --check-prefix=LLD
// RUN: gcc -B%folder -r main.o part.o -o whole.o && readelf -SW whole.o | FileCheck %s --check-prefix=RELOCATABLE
// RUN: gcc -B%folder whole.o -o again && ./again && %nophook list --args again 2>&1 | FileCheck %s
// RUN: gcc -B%folder -r main.o part.o -o whole.o && gcc whole.o -o plain && ./plain
// RUN: %nophook record -o data -- ./bfd && %nophook report data | FileCheck %s --check-prefix=TRACE
// CHECK-DAG: call-through {{ *}}int main(int n, char **words)
// CHECK-DAG: call-through {{ *}}int part(int n, char **words)
// CHECK: 2 functions: 2 call-through
// LLD: LLD
// RELOCATABLE: __mcount_loc
// TRACE: main() {
// TRACE-NEXT: part();
int part(int n, char **words);
int F(int n, char **words) { return n > 1 || !words ? n : part(n + 1, words) - 2; }
