// Arguments and return values of C functions are shown by name and type: integers by their sign, text, enumerators, structures field by field wherever the ABI puts them.
// RUN: %traced_cc %s -o %t && %nophook record --args --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: env NOPHOOK_CC=gcc %nophook cc -std=gnu17 -O1 -g %s -o %t.gcc && %nophook record --args --retval -o %t.data -- %t.gcc && %nophook report %t.data | FileCheck %s
#include <stdbool.h>
#include <stddef.h>

#define SEEN __attribute__((noinline, used))
#define KEEP(value) __asm__ volatile("" : : "g"(&(value)) : "memory")
enum color { kRed, kGreen = 5 };
struct pair { long a; int b; };
struct mixed { double d; long l; };
struct big { long x[4]; };

SEEN int add(int a, unsigned b) { KEEP(a); return a + (int)b; }
SEEN bool text(const char *text, char c, bool flag) { KEEP(c); return text && flag; }
SEEN double scale(double d, float f, enum color color) { KEEP(color); return d * (double)f; }
SEEN long sum(struct pair p, struct mixed m) { KEEP(p); return p.a + p.b + (long)m.d + m.l; }
SEEN long in_memory(struct big b, int i) { KEEP(b); return b.x[i]; }
SEEN struct pair two(long a, int b) { KEEP(a); return (struct pair){a, b}; }
SEEN struct mixed both(double d, long l) { KEEP(d); return (struct mixed){d, l}; }
SEEN struct big many(long a) { KEEP(a); return (struct big){{a, 1, 2, 3}}; }
SEEN long double wide(long double x, int a, int b, int c, int d, int e, int f, int seventh) {
  KEEP(x);
  return x + a + b + c + d + e + f + seventh;
}
SEEN enum color pick(int i) { KEEP(i); return i ? kGreen : kRed; }
SEEN const char *name(int i) { KEEP(i); return i ? "one" : NULL; }
SEEN void nothing(void *p) { KEEP(p); }
SEEN _Complex double turn(_Complex double z) { KEEP(z); return z * 2; }

static const char *volatile none = NULL;
static volatile bool zero = false;

int main(void) {
  add(-1, 4000000000);
  text("say \"hi\"\n", 'c', true);
  text(none, (char)zero, zero); // or LLVM 19 makes a function of its own for these arguments
  text((const char *)0x10, 'c', false);
  text("1234567890123456789012345678901234567890123456789012345678901234", 'c', false);
  text("12345678901234567890123456789012345678901234567890123456789012345", 'c', false);
  scale(2.5, 0.5f, kGreen);
  sum((struct pair){1, -2}, (struct mixed){2.5, 7});
  in_memory((struct big){{1, 2, 3, 4}}, 1);
  two(4, 5);
  both(0.25, -6);
  many(7);
  wide(1.5L, 1, 2, 3, 4, 5, 6, 7);
  pick(1);
  pick(0);
  name(1);
  name(0);
  nothing((void *)0x1234);
  turn(1.5 + 2i);
  return 0;
}
// CHECK: add(a=-1, b=4000000000); /* ret=-294967297 */
// CHECK-NEXT: text(text="say \"hi\"\n", c='c', flag=true); /* ret=true */
// CHECK-NEXT: text(text=0x0, c='\x00', flag=false); /* ret=false */
// CHECK-NEXT: text(text=0x10, c='c', flag=false); /* ret=false */
// CHECK-NEXT: text(text="1234567890123456789012345678901234567890123456789012345678901234", c
// CHECK-NEXT: text(text="1234567890123456789012345678901234567890123456789012345678901234"..., c
// CHECK-NEXT: scale(d=2.5, f=0.5, color=kGreen); /* ret=1.25 */
// CHECK-NEXT: sum(p={a=1, b=-2}, m={d=2.5, l=7}); /* ret=8 */
// CHECK-NEXT: in_memory(b={x=[1, 2, 3, 4]}, i=1); /* ret=2 */
// CHECK-NEXT: two(a=4, b=5); /* ret={a=4, b=5} */
// CHECK-NEXT: both(d=0.25, l=-6); /* ret={d=0.25, l=-6} */
// CHECK-NEXT: many(a=7); /* ret={x=[7, 1, 2, 3]} */
// CHECK-NEXT: wide(x=1.5, a=1, b=2, c=3, d=4, e=5, f=6, seventh=7); /* ret=29.5 */
// CHECK-NEXT: pick(i=1); /* ret=kGreen */
// CHECK-NEXT: pick(i=0); /* ret=kRed */
// CHECK-NEXT: name(i=1); /* ret="one" */
// CHECK-NEXT: name(i=0); /* ret=0x0 */
// CHECK-NEXT: nothing(p=0x1234);
// CHECK-NEXT: turn(z=1.5+2i); /* ret=3+4i */
// CHECK-NEXT: /* main ret=0 */
