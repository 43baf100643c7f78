// A child of fork may register callbacks, however many locks another thread of the parent held to
// load a library at that moment.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %t %t.so
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
NOINLINE static void here(void) { KEEP(0); }
static int over;
UNTRACED static void *load(void *path) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    dlclose(dlopen(path, RTLD_NOW));
  return NULL;
}
static struct Counted first = COUNTED(0);
UNTRACED static int in_child(void) {
  struct Counted mine = COUNTED(0);
  alarm(300);
  EXPECT_EQ(register_ftrace_function(&mine.ops), 0);
  here();
  EXPECT(ftrace_location((unsigned long)here) != 0);
  EXPECT_EQ(unregister_ftrace_function(&mine.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&first.ops), 0);
  EXPECT_EQ(calls_of(&mine), 1);
  return failures;
}

UNTRACED int main(int count, char **arguments) {
  pthread_t thread;
  EXPECT_EQ(count, 2);
  EXPECT_EQ(register_ftrace_function(&first.ops), 0);
  pthread_create(&thread, NULL, load, arguments[1]);
  for (int i = 0; i < 1000 && !failures; i++) {
    int status = -1;
    pid_t child = fork();
    if (child == 0)
      _exit(in_child());
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  EXPECT_EQ(unregister_ftrace_function(&first.ops), 0);
  return failures;
}
#endif
