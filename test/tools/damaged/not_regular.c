// A FIFO, a device, or a file of 64 GiB with nothing in it, in the place of any input: commands end at once, with an error or with what else there is.
// RUN: rm -rf %t && mkdir -p %t/left %t/profile && chmod 700 %t/left %t/profile && %traced_cc %s %linked -o %t/program
// RUN: env NOPHOOK="buffer_dir=%t/left buffer_size_kb=1024 current_tracer=function_graph" %t/program
// RUN: env NOPHOOK="buffer_dir=%t/profile buffer_size_kb=1024 current_tracer=profile" %t/program
// RUN: %python %S/Inputs/not_regular.py %nophook %recordmcount %t
__attribute__((noinline)) static int work(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}
int main(void) { return work(0); }
