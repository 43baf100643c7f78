// A daemon that leaves its parent, its session and all its descriptors behind is traced on, and
// so is a library that it loads then.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t %t.so %t.count && %show --expect %t.count %t.buf
// RUN: %trace -p function_graph -- %t %t.so %t.count && %show --expect %t.count %t.buf
#include "program.h"
#ifdef LIBRARY
NOINLINE int in_library(int n) { return n + 1; }
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED static int be_daemon(char **arguments) {
  for (int i = 0; i < 10; i++)
    work();
  if (daemon(0, 0) != 0)
    return 1;
  closefrom(0);
  void *library = dlopen(arguments[1], RTLD_NOW);
  int (*in_library)(int) = (int (*)(int))dlsym(library, "in_library");
  for (int i = 0; i < 20; i++)
    work(), failures += in_library(i) != i + 1;
  FILE *counts = fopen(arguments[2], "w");
  fprintf(counts, "work 30\nin_library 20\n");
  fclose(counts);
  return failures;
}
UNTRACED int main(int count, char **arguments) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (count == 3 && fork() == 0)
    return be_daemon(arguments);
  int status, ended = 0;
  while (wait(&status) > 0)
    failures += status != 0, ended++;
  EXPECT_EQ(ended, 2); // the process that called daemon(), and the daemon
  return failures;
}
#endif
