// Variadic functions work and are recorded, by their entries only.
// RUN: %traced_cc -O0 %s -o %t && %alike --must add -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must add -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <stdarg.h>
#include <string.h>

NOINLINE static int add(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
NOINLINE static double mix(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += va_arg(list, double) + (double)va_arg(list, long double) + va_arg(list, int);
  va_end(list);
  return sum;
}
int unused(int count, ...);
NOINLINE int unused(int count, ...) {
  KEEP(&count);
  return count + 1;
}
NOINLINE static int format(char *out, size_t bytes, const char *how, ...) {
  va_list list;
  va_start(list, how);
  int n = vsnprintf(out, bytes, how, list);
  va_end(list);
  return n;
}

int main(void) {
  char text[64];
  EXPECT_EQ(add(3, 1, 2, 3), 6);
  EXPECT_EQ(add(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 78);
  EXPECT(mix(3, 1.5, 2.0L, 3, 1.5, 2.0L, 3, 1.5, 2.0L, 3) == 19.5);
  EXPECT_EQ(unused(3, 1, 2, 3, 4, 5, 6, 7), 4);
  format(text, sizeof text, "%d %s %.1f %c %ld %d %d", 1, "two", 3.0, '4', 5l, 6, 7);
  EXPECT(strcmp(text, "1 two 3.0 4 5 6 7") == 0);
  return failures;
}
// CHECK: add: 2 only
// CHECK: format: 1 only
// CHECK: mix: 1 only
// CHECK: unused: 1 only
