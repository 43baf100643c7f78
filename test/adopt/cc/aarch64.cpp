// For AArch64 nophook c++ makes a program whose exceptions pass, as for this machine.
// REQUIRES: aarch64-cross, qemu-aarch64
// RUN: %cxx --target=aarch64-linux-gnu -O1 %s -o %t && %aarch64-run %t && %nophook list %t | FileCheck %s
// CHECK-DAG: call-through {{ *}}thrower(int)
// CHECK-DAG: call-through {{ *}}main
#include <stdexcept>
__attribute__((noinline)) int thrower(int x) {
  if (x > 0)
    throw std::runtime_error("thrown");
  return x;
}
int main(int count, char **) {
  try {
    return thrower(count);
  } catch (const std::exception &) {
    return 0;
  }
}
