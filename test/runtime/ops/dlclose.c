// A library whose functions have callbacks is loaded and unloaded again and again, while other
// threads are in callbacks and a thread registers: calls are exact, and nothing stays of 1,900 loads.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.so
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
__attribute__((constructor)) static void in_constructor(void) { KEEP(0); }
__attribute__((destructor)) static void in_destructor(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <pthread.h>
NOINLINE static void here(void) { KEEP(0); }
static struct Counted library_ops = COUNTED(0), all = COUNTED(FTRACE_OPS_FL_SAVE_REGS), toggled = COUNTED(0);
static int over;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    here();
  return unused;
}
UNTRACED static void *toggle(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    EXPECT_EQ(register_ftrace_function(&toggled.ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&toggled.ops), 0);
  }
  return unused;
}

UNTRACED static long mapped_pages(void) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  EXPECT(fscanf(statm, "%ld", &pages) == 1);
  fclose(statm);
  return pages;
}

UNTRACED int main(int count, char **arguments) {
  pthread_t threads[2];
  EXPECT_EQ(count, 2);
  EXPECT_EQ(set_filter(&library_ops.ops, "in_*", 1), -EINVAL); // nothing like it yet
  EXPECT_EQ(set_filter(&library_ops.ops, "in_*:mod:*", 1), 0);
  EXPECT_EQ(register_ftrace_function(&library_ops.ops), 0);
  EXPECT_EQ(register_ftrace_function(&all.ops), 0);
  pthread_create(&threads[0], NULL, run, NULL);
  pthread_create(&threads[1], NULL, toggle, NULL);
  long before = 0, mapped = 0;
  for (int i = 0; i < 2000; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW);
    EXPECT_EQ(calls_of(&library_ops), 1);
    void (*in_library)(void) = (void (*)(void))dlsym(library, "in_library");
    in_library(), in_library();
    EXPECT_EQ(calls_of(&library_ops), 2);
    EXPECT_EQ(RECORD(in_library).flags & 0xe0000000, 0xe0000000);
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_EQ(calls_of(&library_ops), 1);
    EXPECT_EQ(ftrace_location((unsigned long)in_library), 0);
    if (i == 100)
      before = anonymous_kib(), mapped = mapped_pages();
  }
  // Sets of functions, up to 64 pages of them, wait for a grace period; less than a page a load.
  EXPECT(anonymous_kib() <= before + 400);
  EXPECT(mapped_pages() <= mapped + 100);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  EXPECT_EQ(unregister_ftrace_function(&library_ops.ops), 0);
  EXPECT_EQ(unregister_ftrace_function(&all.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
