// valgrind reads the debug information of the runtime, and runs a program that is traced without an error.
// REQUIRES: valgrind
// RUN: rm -rf %t.run && mkdir %t.run && chmod 700 %t.run && %traced_cc -gdwarf-4 -O1 %s -o %t
// RUN: env LD_PRELOAD=%runtime NOPHOOK="current_tracer=function buffer_dir=%t.run" valgrind -q --error-exitcode=9 %t 2> %t.err
// RUN: not grep -iE 'debug ?info|dwarf' %t.err
__attribute__((noinline)) static int work(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}
int main(void) { return work(0); }
