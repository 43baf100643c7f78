// A thread that sleeps near the end of its stack is not used if a signal handler's frame would not fit: neither what lies below a stack of the program's own is written to, nor the page below one of the C library's.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run 1 own
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run 1 library
#include "turns.h"
#include <alloca.h>
#include <pthread.h>
#include <sys/syscall.h>
enum { kStack = 1 << 16, kLeft = 512 };
static pthread_barrier_t g_deep;
static void *sleep_deep(void *unused) {
  char here;
  void *low;
  size_t bytes;
  pthread_attr_t own;
  MUST(pthread_getattr_np(pthread_self(), &own) == 0 && pthread_attr_getstack(&own, &low, &bytes) == 0);
  syscall(SYS_gettid); // the loader finds the function here: that takes more of the stack
  pthread_barrier_wait(&g_deep);
  volatile char *end = alloca((size_t)(&here - (char *)low) - kLeft);
  end[0] = 1;
  for (;;)
    syscall(SYS_pause);
  return unused;
}
int main(int count, char **arguments) {
  pthread_attr_t attributes;
  pthread_t thread;
  MUST(count == 3);
  open_turns(arguments[1]);
  char *memory = mmap(NULL, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MUST(memory != MAP_FAILED && pthread_attr_init(&attributes) == 0 && pthread_barrier_init(&g_deep, NULL, 2) == 0);
  if (strcmp(arguments[2], "own") == 0)
    MUST(pthread_attr_setstack(&attributes, memory + kStack, kStack) == 0);
  MUST(pthread_create(&thread, &attributes, sleep_deep, NULL) == 0);
  pthread_barrier_wait(&g_deep);
  for (;;) {
    for (int i = 0; i < kStack; i++)
      MUST(memory[i] == 0);
    turn();
    if (has_input_ended())
      return 0;
  }
}
