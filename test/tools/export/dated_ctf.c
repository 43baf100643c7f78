// export --format ctf: babeltrace2 reads times since 1970 that lie between those before and after the run.
// RUN: %traced_cc %s -o %t && rm -rf %t.data.ctf && %debian_python %S/Inputs/dated.py ctf %nophook %t %t.data | FileCheck %s
// CHECK: {{[0-9]+}} times
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
int main(void) {
  for (int i = 0; i < 10; i++)
    work();
}
