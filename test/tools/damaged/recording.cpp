// Recordings of each tracer, whole and in mutations, are read without a crash; whatever is in them, the output is lines of text or JSON.
// RUN: rm -rf %t && mkdir %t && %traced_cxx -I%include %s -o %t/program && cd %t && mkdir corpus
// RUN: cd %t && %nophook record -a -r -o corpus/graph -- ./program && %nophook record -p function -a -o corpus/function -- ./program
// RUN: cd %t && %nophook record -z -a -r -o corpus/packed -- ./program
// RUN: cd %t && %nophook record -p profile -o corpus/profile -- ./program && %nophook record -p nop -o corpus/marks -- ./program
// RUN: cd %t && %python %S/../../fuzz/reader_seeds.py corpus %S/../../fuzz/recording_seeds
// RUN: cd %t && %fuzz_recording_replay 100 corpus/* 2>notes | FileCheck %s
// CHECK: {{([3-9]|[0-9][0-9]+)}} files, {{[0-9][0-9][0-9]+}} inputs tried
#include <stdexcept>
#include <string>
#include <thread>
#include <trace_marker.h>
#define SEEN __attribute__((noinline, used))
struct Pair { int first; double second; };
enum class Mode : unsigned char { kSlow = 1, kFast = 2 };
SEEN double sum(Pair pair, Mode mode) { return mode == Mode::kFast ? pair.first + pair.second : 0; }
SEEN std::string twice(const std::string &text) { return text + text; }
SEEN int down(int n) {
  asm volatile("" : "+r"(n));
  int below = n > 0 ? down(n - 1) : 0;
  asm volatile("" : "+r"(below));
  return below + 1;
}
SEEN int thrower(const char *what) { throw std::runtime_error(what); }
SEEN void work(int n) {
  asm volatile("" : "+r"(n));
  sum({1, 2.5}, Mode::kFast);
  twice("text");
  down(n);
  try { thrower("left"); } catch (const std::exception &) {}
  trace_printk("%d words\n", 2);
}

int main() {
  work(5);
  std::thread(work, 3).join();
}
