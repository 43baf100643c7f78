// An exception passes through calls into libraries, and the graph knows which calls it has left.
// RUN: %traced_cxx %s -o %t && %nophook record --calls -o %t.data %t | FileCheck %s --check-prefix=OUT
// RUN: %nophook report %t.data 2>&1 | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
extern "C" int refuses(const void *, const void *) { throw std::runtime_error("refused"); }
[[gnu::noinline]] int sorts(int n) {
  int numbers[] = {2, 1, n};
  try {
    qsort(numbers, 3, sizeof *numbers, refuses);
  } catch (const std::exception &error) {
    puts(error.what());
    return 1;
  }
  return 0;
}
[[gnu::noinline]] int past_end(std::string &text) {
  try {
    return text.at(100);
  } catch (const std::out_of_range &) {
    puts("out of range");
  }
  return 0;
}
[[gnu::noinline]] int after() {
  int three = 3;
  asm volatile("" : "+r"(three));
  return three;
}
int main() {
  std::string text("short");
  const int sum = sorts(3) + past_end(text);
  return sum + after() != 4;
}
// OUT: refused
// OUT: out of range
// CHECK: main() {
// CHECK: sorts() {
// CHECK: qsort [libc.so.6]() {
// CHECK: refuses() {
// CHECK: past_end{{.*}} {
// CHECK: after();
