// An instance's profiler counts C++ functions and calls that an exception leaves; its counts survive a killed process, and `nophook report` shows them.
// RUN: %traced_cxx -O1 %s -o %t %linked && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf instances/foo/set_ftrace_notrace=main instances/foo/current_tracer=profile" %exits -9 %t
// RUN: %nophook report %t.buf/*@foo.buf | FileCheck %s
#include <csignal>
#include <stdexcept>
#include <thread>

namespace kv {
[[gnu::noinline]] void check(int value) {
  if (value % 2)
    throw std::runtime_error("odd");
  __asm__ volatile("");
}
[[gnu::noinline]] void store(int value) {
  try {
    check(value);
  } catch (const std::runtime_error &) {
    __asm__ volatile("");
  }
}
} // namespace kv

int main() {
  for (int thread = 0; thread < 20; thread++)
    std::thread([] {
      for (int i = 0; i < 100; i++)
        kv::store(i);
    }).join();
  raise(SIGKILL);
}
// CHECK-NOT: {{^ *}}main 
// CHECK-DAG: kv::store 2000 {{.*}} us
// CHECK-DAG: kv::check 2000 {{.*}} us
