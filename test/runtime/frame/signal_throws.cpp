// An exception thrown by a handler of a synchronous signal passes the traced frames below.
// RUN: %traced_cxx -O0 %s -o %t && %alike --must on_fault --must reader -- %t
// RUN: %traced_cxx -O1 %s -o %t && %alike --must on_fault --must reader -- %t
#include "program.h"
#include <signal.h>
#include <stdexcept>

static int cleaned;
struct Cleaner { UNTRACED ~Cleaner() { cleaned++; } };
NOINLINE static void on_fault(int) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSEGV);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  throw std::runtime_error("fault");
}
// Called through a variable: else the compiler knows that it throws nothing.
NOINLINE static int reader(volatile int *at) { return *at; }
static int (*volatile read_it)(volatile int *) = reader;
NOINLINE static int around(volatile int *at) {
  Cleaner cleaner;
  return read_it(at) + 1;
}

int main() {
  signal(SIGSEGV, on_fault);
  int caught = 0;
  for (int i = 0; i < 3; i++)
    try {
      Cleaner cleaner;
      KEEP(around(nullptr));
    } catch (const std::runtime_error &) {
      caught++;
    }
  EXPECT_EQ(caught, 3);
  EXPECT_EQ(cleaned, 6);
  return failures;
}
