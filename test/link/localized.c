// Objects whose hidden symbols were made local (objcopy --localize-hidden, --keep-global-symbol, -G; wlroots, libui and .NET do so) link with each other, and keep their types.
// REQUIRES: gnu-ld, lld, gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %instrument -O1 -g -c %s -DNAME=one -o one.o && %clang %instrument -O1 -g -c %s -DNAME=two -o two.o && %clang %instrument -O1 -g -c %s -DMAIN -o main.o
// RUN: objcopy --localize-hidden one.o && objcopy -G two two.o
// RUN: %clang -fuse-ld=lld %tables main.o one.o two.o -o lld && ./lld && %nophook list --args lld 2>&1 | FileCheck %s
// RUN: %clang -fuse-ld=bfd %tables one.o two.o main.o -o bfd && ./bfd && %nophook list --args bfd 2>&1 | FileCheck %s
// recordmcount's.
// RUN: gcc -pg -mfentry -O1 -g -c %s -DNAME=one -o one.o && gcc -pg -mfentry -O1 -g -c %s -DNAME=two -o two.o && %lib/../bin/recordmcount -q one.o two.o
// RUN: objcopy --localize-hidden one.o && objcopy --keep-global-symbol=two two.o
// RUN: %clang -fuse-ld=lld %tables one.o two.o main.o -o lld && ./lld && %nophook list --args lld 2>&1 | FileCheck %s
// RUN: %clang -fuse-ld=bfd %tables main.o one.o two.o -o bfd && ./bfd && %nophook list --args bfd 2>&1 | FileCheck %s
// CHECK-DAG: {{int|long}} one(struct pair *of)
// CHECK-DAG: {{int|long}} two(struct pair *of)
struct pair { int first, second; };
long one(struct pair *of), two(struct pair *of);
#ifdef MAIN
int main(void) {
  struct pair of = {1, -3};
  return (int)(one(&of) + two(&of) + 4);
}
#else
__attribute__((noinline)) long NAME(struct pair *of) { return of->first + of->second; }
#endif
