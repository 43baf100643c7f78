// Constructors before main, thread-local destructors and exit handlers are traced, too.
// RUN: %traced_cxx -O1 %s -o %t && %alike --must before_main --must of_thread --must at_the_end -- %t
// RUN: %traced_cxx -O1 %s -static-libstdc++ -no-pie -o %t && %alike --must before_main -- %t
#include "program.h"
#include <cstdlib>
#include <thread>

NOINLINE static void before_main() { puts("before main"); }
NOINLINE static void of_thread() { puts("thread-local"); }
NOINLINE static void at_the_end() { puts("at exit"); }
static struct Global {
  Global() { before_main(); }
} global;
struct Local {
  int touched = 0;
  ~Local() { of_thread(); }
};
static thread_local Local local;

int main() {
  atexit([] { at_the_end(); });
  std::thread([] { local.touched = 1; }).join();
  return failures;
}
