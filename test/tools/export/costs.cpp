// Each format has the calls and the own times of `report --top`: of threads, recursion, exceptions, tail calls and a fork child.
// RUN: %traced_cxx -O1 %s -o %t -pthread && %nophook record --args --retval -o %t.data -- %t
// RUN: %nophook report --top 1000 --json --names short %t.data > %t.top
// RUN: FileCheck %s < %t.top
// RUN: %nophook export --format perfetto -o %t.pftrace %t.data && %python %S/Inputs/same_costs.py perfetto %t.pftrace %t.top | FileCheck %s --check-prefix=FLOWS
// RUN: %nophook export --format chrome %t.data > %t.chrome && %python %S/Inputs/same_costs.py chrome %t.chrome %t.top
// RUN: %nophook export --format speedscope %t.data > %t.speedscope && %python %S/Inputs/same_costs.py speedscope %t.speedscope %t.top
// RUN: %nophook export --format firefox %t.data > %t.firefox && %python %S/Inputs/same_costs.py firefox %t.firefox %t.top
// RUN: %nophook export --format folded %t.data > %t.folded && %python %S/Inputs/same_costs.py folded %t.folded %t.top
// RUN: %nophook export --format callgrind %t.data > %t.callgrind && %python %S/Inputs/same_costs.py callgrind %t.callgrind %t.top
// RUN: %nophook export --format pprof -o %t.pb %t.data && %python %S/Inputs/same_costs.py pprof %t.pb %t.top
// RUN: rm -rf %t.ctf && %nophook export --format ctf -o %t.ctf %t.data && %debian_python %S/Inputs/same_ctf.py %nophook %t.data %t.ctf | FileCheck %s --check-prefix=CTF
// RUN: callgrind_annotate --threshold=100 %t.callgrind | FileCheck %s --check-prefix=ANNOTATED
// RUN: FileCheck %s --check-prefix=VALUES < %t.chrome
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
// CHECK: "function":"leaf"
// ANNOTATED: PROGRAM TOTALS
// ANNOTATED-DAG: :leaf
// ANNOTATED-DAG: :Store<std::string>::put
// FLOWS: 1 flows
// CTF: 5 threads, 1[[N:[0-9]+]] entry, 1[[N]] exit, 0 discarded
// VALUES:      "ph":"B","name":"leaf",{{.*}}"args":{"n":"{{[0-9]+}}"}
// VALUES-NEXT: "ph":"E","name":"leaf",{{.*}}"args":{"return":"{{[0-9]+}}"}
