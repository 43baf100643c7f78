// A parent and its fork child load different libraries after the fork: each one's list of functions has its own, and none of the other's.
// RUN: %traced_cc -O1 -shared -fPIC -DNAME=in_parents %s -o %t.parents.so
// RUN: %traced_cc -O1 -shared -fPIC -DNAME=in_childs %s -o %t.childs.so
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t %t.parents.so %t.childs.so > %t.out && %show --expect %t.out %t.buf
// RUN: %trace -p function_graph -- %t %t.parents.so %t.childs.so > %t.out && %show --expect %t.out %t.buf
#include "program.h"
#ifdef NAME
NOINLINE void NAME(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static void call_in(const char *path, const char *name, int times) {
  void *library = dlopen(path, RTLD_NOW);
  void (*function)(void) = (void (*)(void))dlsym(library, name);
  EXPECT(function);
  for (int i = 0; i < times; i++)
    function();
  printf("%d %s %d\n", getpid(), name, times);
}
UNTRACED static void run(char **arguments, int is_child) {
  work();
  printf("%d work 2\n", getpid());
  call_in(arguments[1 + is_child], is_child ? "in_childs" : "in_parents", 5 + is_child);
  fflush(stdout);
}
UNTRACED int main(int count, char **arguments) {
  int turn[2], ready[2];
  char byte = 0;
  EXPECT(count > 2 && pipe(turn) == 0 && pipe(ready) == 0);
  work();
  if (fork() == 0) {
    work(); // makes its buffer, with its parent's list
    EXPECT(write(ready[1], &byte, 1) == 1);
    EXPECT(read(turn[0], &byte, 1) == 1); // the parent has loaded its library
    run(arguments, 1);
    _exit(failures);
  }
  EXPECT(read(ready[0], &byte, 1) == 1);
  run(arguments, 0);
  EXPECT(write(turn[1], &byte, 1) == 1);
  int status = -1;
  wait(&status);
  EXPECT_EQ(status, 0);
  return failures;
}
#endif
