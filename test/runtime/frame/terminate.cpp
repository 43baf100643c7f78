// An exception that nobody catches, or that a noexcept function lets out, ends as untraced.
// RUN: %traced_cxx -O0 %s -o %t && %alike --must thrower -- %t
// RUN: %traced_cxx -O2 %s -o %t && %alike --must thrower -- %t
#include "program.h"
#include <cstdlib>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void thrower(int value) { throw value; }
NOINLINE static void uncaught() { thrower(1); }
NOINLINE static void broken_promise() noexcept { thrower(2); }
NOINLINE static void on_terminate() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (int value) {
    _exit(40 + value);
  }
}
NOINLINE static int status_of(void (*body)()) {
  pid_t pid = fork();
  if (pid == 0)
    body();
  int status = 0;
  waitpid(pid, &status, 0);
  return WEXITSTATUS(status);
}

int main() {
  std::set_terminate(on_terminate);
  EXPECT_EQ(status_of(uncaught), 41);
  EXPECT_EQ(status_of(broken_promise), 42);
  return failures;
}
