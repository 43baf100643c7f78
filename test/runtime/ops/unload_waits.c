// dlclose waits for a thread that is inside a callback of the library, and only then unmaps it.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.so
#include "ops.h"
struct Stay {
  struct ftrace_ops ops; // first
  int inside, leave, left;
};
#ifdef LIBRARY
UNTRACED void stay(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)regs;
  struct Stay *self = (struct Stay *)ops;
  __atomic_store_n(&self->inside, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&self->leave, __ATOMIC_ACQUIRE)) // this is the library's text
    ;
  __atomic_store_n(&self->left, 1, __ATOMIC_RELEASE);
}
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
NOINLINE static void here(void) { KEEP(0); }
static struct Stay callback;
static int closed;
UNTRACED static void *enter(void *unused) {
  here();
  return unused;
}
UNTRACED static void *close_it(void *library) {
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(__atomic_load_n(&callback.left, __ATOMIC_ACQUIRE), 1);
  __atomic_store_n(&closed, 1, __ATOMIC_RELEASE);
  return NULL;
}

UNTRACED int main(int count, char **arguments) {
  pthread_t threads[2];
  EXPECT_EQ(count, 2);
  void *library = dlopen(arguments[1], RTLD_NOW);
  callback.ops.func = (ftrace_func_t)dlsym(library, "stay");
  EXPECT_EQ(set_filter(&callback.ops, "here", 1), 0);
  EXPECT_EQ(register_ftrace_function(&callback.ops), 0);
  pthread_create(&threads[0], NULL, enter, NULL);
  while (!__atomic_load_n(&callback.inside, __ATOMIC_ACQUIRE))
    sched_yield();
  pthread_create(&threads[1], NULL, close_it, library);
  while (__atomic_load_n(&callback.ops.flags, __ATOMIC_RELAXED) & FTRACE_OPS_FL_ENABLED)
    sched_yield();
  here(); // it is called no more, while the other thread is still in it
  usleep(20000);
  EXPECT_EQ(__atomic_load_n(&closed, __ATOMIC_ACQUIRE), 0);
  __atomic_store_n(&callback.leave, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
