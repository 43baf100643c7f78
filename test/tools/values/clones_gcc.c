// A copy of a function that gcc has changed (-O2: .constprop, .isra) has the arguments that it still takes; the others are named as optimised away, and a condition on one of these is an error.
// REQUIRES: gcc
// RUN: env NOPHOOK_CC=gcc %nophook cc -O2 -g %s -o %t && %nophook record -a -r -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook report --where 'scaled.n > 1' %t.data | FileCheck %s --check-prefix=WHERE --implicit-check-not=n=1
// RUN: %nophook report --where 'scaled.1 == 2' %t.data | FileCheck %s --check-prefix=WHERE --implicit-check-not=n=1
// RUN: %exits 2 %nophook report --where 'scaled.factor == 3' %t.data 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: %nophook why scaled %t | FileCheck %s --check-prefix=WHY --implicit-check-not=removed
// CHECK: scaled{{.*}}(n=1, factor=<optimized out>); /* ret=3 */
// CHECK: sum{{.*}}(p=<optimized out>, n=5)
// CHECK-NOT: ret
// CHECK: scaled{{.*}}(n=2, factor=<optimized out>); /* ret=6 */
// WHERE: scaled{{.*}}(n=2,
// GONE: nophook: report: --where: 'factor' of 'scaled' was optimised away: its callers do not pass it (scaled.constprop.0)
// WHY: scaled{{.*}}: traceable
struct pair { long a, b; };
__attribute__((noinline)) static int scaled(int n, int factor) { __asm__ volatile("" : "+r"(n)); return n * factor; }
__attribute__((noinline)) static void sum(const struct pair *p, long n) { __asm__ volatile("" ::"r"(p->a), "r"(n)); }
int main(int count, char **arguments) {
  struct pair pair = {count, 2};
  int total = scaled(count, 3);
  sum(&pair, count + 4);
  sum(&pair, count + 5);
  return total + scaled(count + 1, 3) == (long)arguments;
}
