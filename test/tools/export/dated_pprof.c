// export --format pprof: the profile's time of day lies between those before and after the run.
// RUN: %traced_cc %s -o %t && rm -rf %t.data.pprof && %python %S/Inputs/dated.py pprof %nophook %t %t.data | FileCheck %s
// CHECK: 1 times
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
int main(void) {
  for (int i = 0; i < 10; i++)
    work();
}
