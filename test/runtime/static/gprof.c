// A program that is profiled with gprof keeps its profile when the runtime is in the process: its mcount is libc's.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && gcc -O1 -pg %s -o %t
// RUN: env LD_PRELOAD=%runtime %t && gprof -b -p %t gmon.out | FileCheck %s
// CHECK: 1234{{.*}} leaf
__attribute__((noipa)) static int leaf(int a) { return a + 1; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 1234; i++)
    sum = leaf(sum);
  return sum != 1234;
}
