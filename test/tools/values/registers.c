// A general register keeps its value whatever its upper bits are; functions with other values keep them as before.
// RUN: %traced_cc %s -o %t && %nophook record --args --retval -n main -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook record -p function --args -n main -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record --retval -n main -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=RESULT
#define SEEN __attribute__((noinline, used))
#define KEEP(value) __asm__ volatile("" : : "g"(&(value)) : "memory")
SEEN long invert(long a, unsigned long b) { KEEP(a); KEEP(b); return ~a; }
SEEN long seven(long a, long b, long c, long d, long e, long f, long g) {
  KEEP(a); KEEP(b); KEEP(c); KEEP(d); KEEP(e); KEEP(f); KEEP(g);
  return a + g;
}
SEEN __int128 wide(long low, long high) { KEEP(low); return (__int128)high << 64 | (unsigned long)low; }
int main(void) {
  invert(0x7fffffffffff, 0x800000000000);
  invert(-0x800000000000, ~0ul);
  invert(-0x800000000001, 0xfedcba9876543210);
  invert((long)(1ul << 63), 1ul << 63);
  seven(-1, 1l << 50, 3, -(1l << 50), 5, 6, 7);
  wide(-2, 1);
}
// CHECK: invert(a=140737488355327, b=140737488355328); /* ret=-140737488355328 */
// CHECK-NEXT: invert(a=-140737488355328, b=18446744073709551615); /* ret=140737488355327 */
// CHECK-NEXT: invert(a=-140737488355329, b=18364758544493064720); /* ret=140737488355328 */
// CHECK-NEXT: invert(a=-9223372036854775808, b=9223372036854775808); /* ret=9223372036854775807 */
// CHECK-NEXT: seven(a=-1, b=1125899906842624, c=3, d=-1125899906842624, e=5, f=6, g=7); /* ret=6 */
// CHECK-NEXT: wide(low=-2, high=1); /* ret=36893488147419103230 */
// FUNCTION: invert(a=140737488355327, b=140737488355328) <-main
// FUNCTION-NEXT: invert(a=-140737488355328, b=18446744073709551615) <-main
// FUNCTION-NEXT: invert(a=-140737488355329, b=18364758544493064720) <-main
// FUNCTION-NEXT: invert(a=-9223372036854775808, b=9223372036854775808) <-main
// FUNCTION-NEXT: seven(a=-1, b=1125899906842624, c=3, d=-1125899906842624, e=5, f=6, g=7) <-main
// FUNCTION-NEXT: wide(low=-2, high=1) <-main
// RESULT: invert(); /* ret=-140737488355328 */
// RESULT-NEXT: invert(); /* ret=140737488355327 */
// RESULT-NEXT: invert(); /* ret=140737488355328 */
// RESULT-NEXT: invert(); /* ret=9223372036854775807 */
// RESULT-NEXT: seven(); /* ret=6 */
// RESULT-NEXT: wide(); /* ret=36893488147419103230 */
