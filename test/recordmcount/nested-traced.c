// gcc's nested functions and non-local gotos work while they are traced, with the right callers, arguments and depths.
// REQUIRES: gcc, lld
// RUN: %gcc -Wno-infinite-recursion -g -O1 -pg -mfentry -c %s -o %t.o && %recordmcount -q %t.o && %clang -fuse-ld=lld -Wl,-z,execstack %tables %t.o -o %t
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record --args --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook record -p profile -o %t.data -- %t && %nophook record -p hits -o %t.data -- %t
// RUN: %gcc -Wno-infinite-recursion -Os -pg -mfentry -c %s -o %t.o && %recordmcount -q %t.o && %clang -fuse-ld=lld -Wl,-z,execstack %tables %t.o -o %t
// RUN: %nophook record -p function -o %t.data -- %t
// Behind the prologue.
// RUN: %gcc -Wno-infinite-recursion -O2 -pg -c %s -o %t.o && %recordmcount -q %t.o && %clang -fuse-ld=lld -Wl,-z,execstack %tables %t.o -o %t
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: twice <-main
// FUNCTION: inner{{.*}} <-twice
// FUNCTION: inner{{.*}} <-twice
// FUNCTION: leave <-main
// FUNCTION: jump{{.*}} <-leave
// FUNCTION: jump{{.*}} <-jump
// GRAPH: inner{{.*}}(d=1); /* ret=8 */
// GRAPH: inner{{.*}}(d=2); /* ret=9 */
__attribute__((noipa)) static int twice(int (*call)(int)) { return call(1) + call(2); }
__attribute__((noipa)) static int leave(int depth) {
  __label__ out;
  __attribute__((noipa)) void jump(int d) {
    if (d == 0)
      goto out;
    jump(d - 1);
    __asm__ volatile("");
  }
  jump(depth);
  return 1;
out:
  return 2;
}
int main(int argc, char **argv) {
  (void)argv;
  const int k = 6 + argc;
  __attribute__((noipa)) int inner(int d) { return d + k; }
  return twice(inner) == 17 && leave(1) == 2 ? 0 : 1;
}
