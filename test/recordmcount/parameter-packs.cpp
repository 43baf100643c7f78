// A function that g++ has made from a template with a parameter pack gets all of its arguments while it is traced, also on the stack and by a tail call, and shows them.
// REQUIRES: gcc
// RUN: env NOPHOOK_CXX=g++ %nophook c++ -std=c++17 -O0 %s -o %t.0 && %nophook record -a -r -o %t.0.data -- %t.0 && %nophook report %t.0.data | FileCheck %s
// RUN: env NOPHOOK_CXX=g++ %nophook c++ -std=c++17 -O2 %s -o %t.2 && %nophook record -a -r -o %t.2.data -- %t.2 && %nophook report %t.2.data | FileCheck %s
#define SEEN __attribute__((noipa))
struct Large { long a[3]; };
SEEN long sum(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
template <class... A> SEEN long forward(A... a) { return sum(a...); }
template <class... A> SEEN long pointers(A... a) {
  const Large *all[] = {&a...};
  __asm__ volatile("" : : "r"(all) : "memory");
  return all[1]->a[2];
}
template <class... A> SEEN long behind(A... a, int last) { return (0 + ... + a) * 10 + last; }

int main() {
  Large x{{1, 2, 3}}, y{{4, 5, 6}};
  return forward(1, 2, 3, 4, 5, 6, 7, 8) == 36 && pointers(x, y) == 6 && behind<int, int>(1, 2, 3) == 33 ? 0 : 1;
}
// CHECK: forward<{{.*}}>(1, 2, 3, 4, 5, 6, 7, 8) {
// CHECK: sum(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8)
// CHECK: ret=36 */
// CHECK: pointers<Large, Large>({a=[1, 2, 3]}, {a=[4, 5, 6]}); /* ret=6 */
// CHECK: behind<int, int>(1, 2, last=3); /* ret=33 */
