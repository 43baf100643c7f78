// A thread that waits for a mutex is off the CPU in the call that waits, for as long as another thread sleeps with it.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cxx %s -o %t && %nophook record -p function_graph --off-cpu -o %t.data %t
// RUN: %nophook report --json %t.data | FileCheck %s
// RUN: %nophook report --top -O nosleep-time %t.data | FileCheck %s --check-prefix=TOP
// RUN: %nophook report --top --off-cpu %t.data | FileCheck %s --check-prefix=TOP
// CHECK: "kind":"off_cpu"{{.*}}"duration_ns":{{[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]}}
// CHECK-NEXT: "function":"waits"{{.*}}"off_cpu_ns":{{[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]}}
// TOP: waits
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

static std::mutex lock;
static std::atomic<int> waiter{0}; // TID

__attribute__((noinline)) static void waits() {
  waiter = gettid();
  std::lock_guard held(lock);
}

// Whether the kernel shows that the thread sleeps.
static bool is_asleep(int tid) {
  std::ifstream stat("/proc/self/task/" + std::to_string(tid) + "/stat");
  std::string text{std::istreambuf_iterator<char>(stat), {}};
  return text.find(") S ") != std::string::npos;
}

int main() {
  std::unique_lock held(lock);
  std::thread thread(waits);
  while (!waiter || !is_asleep(waiter))
    usleep(1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  held.unlock();
  thread.join();
}
