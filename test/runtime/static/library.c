// A library with static calls: converted when it is loaded while threads run, or kept; traced; gone with dlclose, and loaded again.
// RUN: %gcc -DLIBRARY -fPIC -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept -shared %t.o -o %t.so
// RUN: %gcc %s -DPATH='"%t.so"' -c -o %t.main.o && %clang -rdynamic %t.main.o -o %t %linked -ldl
// RUN: %t && env NOPHOOK=static=1 %t static
#ifdef LIBRARY
int library_work(int a);
int library_work(int a) { return a + 1; }
#else
#include "calls.h"
#include <dlfcn.h>
#include <pthread.h>
static int over;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    sched_yield();
  return unused;
}
UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  static struct ftrace_ops ops = {.func = count_hit};
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  for (int i = 1; i <= 50; i++) {
    void *library = dlopen(PATH, RTLD_NOW);
    EXPECT(library != NULL);
    int (*work)(int) = (int (*)(int))dlsym(library, "library_work");
    EXPECT_EQ(work(i), i + 1);
    EXPECT_EQ(hits, i);
    char *target = target_of((const char *)ftrace_location((unsigned long)work));
    EXPECT(target != NULL);
    Dl_info info; // a patched site leads to an island, a kept one into the library
    EXPECT_EQ(count > 1, dladdr(target, &info) && strcmp(info.dli_fname, PATH) == 0);
    EXPECT_EQ(dlclose(library), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  return failures;
}
#endif
