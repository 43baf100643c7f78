// A buffer_dir that is relative is that of the start: a program that goes elsewhere (chdir) finds it for
// its library's list and its fork child's buffer.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so && %traced_cc -O1 %s -o %t
// RUN: rm -rf %t.dir && mkdir -p %t.dir/buffers && cd %t.dir
// RUN: env NOPHOOK="buffer_dir=buffers buffer_size_kb=1024 current_tracer=function" LD_PRELOAD=%runtime %t %t.so
// RUN: %show --python 'len(buffers) == 2 and [len(r.events) for b in buffers for r in b.rings] == [3, 1]' %t.dir/buffers
#include "program.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  work();
  EXPECT_EQ(chdir("/"), 0);
  void *library = dlopen(arguments[count - 1], RTLD_NOW);
  ((void (*)(void))dlsym(library, "in_library"))();
  if (fork() == 0) {
    work();
    _exit(0);
  }
  wait(0);
  work();
  return failures != 0;
}
#endif
