// Each format has the calls and the times of `report`, or its events: of threads, recursion, exceptions, tail calls and a fork child.
// REQUIRES: trace-cmd
// RUN: %traced_cxx -O1 %s -o %t -pthread && %nophook record --args --retval -o %t.data -- %t
// RUN: %debian_python %S/Inputs/every_format.py %nophook %t.data %t.formats | FileCheck %s
// RUN: callgrind_annotate --threshold=100 %t.formats/exported.callgrind | FileCheck %s --check-prefix=ANNOTATED
// RUN: FileCheck %s --check-prefix=VALUES < %t.formats/exported.chrome
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
[[gnu::noinline]] int leaf(int n) { asm volatile("" : "+r"(n)); return n + 1; }
[[gnu::noinline]] int recursive(int n) { return n ? recursive(n - 1) + leaf(n) : 0; }
[[gnu::noinline]] void thrower(int n) { leaf(n); if (n % 3 == 0) throw std::runtime_error("third"); }
[[gnu::noinline]] int tail(int n) { leaf(n); return leaf(n + 1); }
template <class T> struct Store {
  std::vector<T> values;
  [[gnu::noinline]] void put(T value) { values.push_back(std::move(value)); }
};
[[gnu::noinline]] void work(int n) {
  Store<std::string> store;
  for (int i = 0; i < n; i++) {
    try { thrower(i); } catch (std::runtime_error &) { leaf(i); }
    recursive(i % 5);
    tail(i);
    store.put("value");
  }
}
int main() {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++)
      threads.emplace_back(work, 30);
  }
  pid_t child = fork();
  work(10);
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
}
// CHECK: {{^}}1 flows
// CHECK: 11 formats, 0 events lost
// ANNOTATED: PROGRAM TOTALS
// ANNOTATED-DAG: :leaf
// ANNOTATED-DAG: :Store<std::string>::put
// FLOWS: 1 flows
// CTF: 5 threads, 1[[N:[0-9]+]] entry, 1[[N]] exit, 0 discarded
// VALUES:      "ph":"B","name":"leaf",{{.*}}"args":{"n":"{{[0-9]+}}"}
// VALUES-NEXT: "ph":"E","name":"leaf",{{.*}}"args":{"return":"{{[0-9]+}}"}
