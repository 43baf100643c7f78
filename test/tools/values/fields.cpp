// The value that a function loads from a field and returns is shown, wherever the field is: numbers, pointers, structures of one register and of two.
// RUN: %traced_cxx -O0 %s -o %t && %nophook record --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %traced_cxx -O2 %s -o %t && %nophook record --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: env NOPHOOK_CXX=g++ %nophook c++ -O2 %s -o %t && %nophook record --retval -o %t.data -- %t && %nophook report %t.data | FileCheck %s
#define SEEN __attribute__((noinline, used))
struct One { long a; };
struct Two { long a, b; };
struct All {
  long first, second;
  const char *text;
  double number;
  int small, other;
  One one;
  Two two;
  SEEN long get_second() const { __asm__ volatile(""); return second; }
};
SEEN long second(const All *all) { __asm__ volatile(""); return all->second; }
SEEN const char *text(const All &all) { __asm__ volatile(""); return all.text; }
SEEN double number(const double *numbers) { __asm__ volatile(""); return numbers[1]; }
SEEN int small(const int *numbers) { __asm__ volatile(""); return numbers[2]; }
SEEN One one(const One *ones) { __asm__ volatile(""); return ones[1]; }
SEEN Two two(const long *numbers) { __asm__ volatile(""); return *(const Two *)(numbers + 1); }
SEEN long local(long n) { volatile Two both = {n, 7}; return both.b; }
int main() {
  const All all = {1, 5, "text", 2.5, 3, 4, {6}, {8, 9}};
  const double numbers[] = {1, 2.5};
  const int small_numbers[] = {1, 2, 3};
  const One ones[] = {{1}, {6}};
  const long longs[] = {1, 8, 9};
  all.get_second(), second(&all), text(all), number(numbers), small(small_numbers), one(ones), two(longs), local(1);
}
// CHECK: All::get_second(); /* ret=5 */
// CHECK: second(); /* ret=5 */
// CHECK: text(); /* ret="text" */
// CHECK: number(); /* ret=2.5 */
// CHECK: small(); /* ret=3 */
// CHECK: one(); /* ret={a=6} */
// CHECK: two(); /* ret={a=8, b=9} */
// CHECK: local(); /* ret=7 */
