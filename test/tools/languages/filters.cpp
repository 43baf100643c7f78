// Filters of a report mean the same for C++: functions that are left out, depths, threads and processes.
// RUN: %traced_cxx %s -o %t && %nophook record -n 'std::*' -o %t.data -- %t > %t.ids
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration --notrace '*operator()*' %t.data | FileCheck %s --check-prefix=NOTRACE
// RUN: %nophook report --top --depth 1 %t.data | FileCheck %s --check-prefix=DEPTH --implicit-check-not=leaf
// RUN: sed -n 1p %t.ids | xargs %nophook report --top %t.data --tid | FileCheck %s --check-prefix=THREAD --implicit-check-not=main
// RUN: sed -n 2p %t.ids | xargs %nophook report --top %t.data --pid | FileCheck %s --check-prefix=PROCESS --implicit-check-not=alone
// RUN: sed -n 3p %t.ids | xargs %nophook report --top %t.data --pid | FileCheck %s --check-prefix=CHILD --implicit-check-not=around
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#define SEEN [[gnu::noinline, gnu::used]]
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
namespace space {
template <class T> SEEN void leaf(T n) { KEEP(n); }
template <class T> SEEN void alone(T n) { KEEP(n); }
SEEN void around(int n) { leaf(n), leaf((char)n); KEEP(0); }
} // namespace space
__attribute__((no_instrument_function)) int main() {
  auto lambda = [](int n) __attribute__((noinline)) { space::leaf(n); KEEP(0); };
  space::around(1), lambda(1);
  std::thread([]() __attribute__((no_instrument_function)) { std::printf("%d\n", gettid()), space::around(2); }).join();
  std::printf("%d\n", getpid()), std::fflush(stdout);
  if (fork() == 0) {
    space::alone(3), space::alone(4);
    _exit(0);
  }
  std::printf("%d\n", wait(nullptr));
}
// NOTRACE: {{^}}space::around() {
// NOTRACE-NEXT:  space::leaf<int>();
// NOTRACE-NEXT:  space::leaf<char>();
// NOTRACE-NEXT: }
// NOTRACE-NOT: {{^[a-z ]*main}}
// DEPTH-DAG: {{ 2 +}}space::around{{$}}
// DEPTH-DAG: {{ 1 +}}{{.*}}operator()
// THREAD-DAG: {{ 1 +}}space::around{{$}}
// THREAD-DAG: {{ 1 +}}space::leaf<int>{{$}}
// PROCESS-DAG: {{ 2 +}}space::around{{$}}
// PROCESS-DAG: {{ 3 +}}space::leaf<int>{{$}}
// CHILD-DAG: {{ 2 +}}space::alone<int>{{$}}
