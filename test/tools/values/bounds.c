// Values are bounded: of an object over 256 bytes its size is shown, and what comes after 448 bytes of a call is not; registers still are.
// RUN: %traced_cc %s -o %t && %nophook record --args -n main -o %t.data -- %t && %nophook report %t.data | FileCheck %s
#define SEEN __attribute__((noinline, used))
#define KEEP(value) __asm__ volatile("" : : "g"(&(value)) : "memory")
struct most { char text[256]; };
struct more { char text[257]; };
struct half { long x[16]; };
SEEN void fits(struct most most, int i) { KEEP(most); KEEP(i); }
SEEN void is_larger(struct more more, int i) { KEEP(more); KEEP(i); }
SEEN void four(struct half a, struct half b, struct half c, struct half d, int i) {
  KEEP(a); KEEP(b); KEEP(c); KEEP(d); KEEP(i);
}
int main(void) {
  fits((struct most){"text"}, 1);
  is_larger((struct more){"text"}, 2);
  four((struct half){{4}}, (struct half){{5}}, (struct half){{6}}, (struct half){{7}}, 3);
}
// CHECK: fits(most={text="text"}, i=1);
// CHECK-NEXT: is_larger(more=<257 bytes>, i=2);
// CHECK-NEXT: four(a={x=[4, 0,{{[ 0,]+}}]}, b={x=[5, 0,{{[ 0,]+}}]}, c={x=[6, 0,{{[ 0,]+}}]}, d=<unreadable>, i=3);
