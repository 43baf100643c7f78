// A library that is loaded into a namespace of its own (dlmopen) brings a second copy of the runtime and
// a second buffer of the same process: the calls of both are recorded, of the first one beyond that, too.
// RUN: %traced_cc -shared -fPIC -DLIBRARY %s -o %t.so %linked
// RUN: %traced_cc %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t %t.so 2>&1 | FileCheck %s
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// CHECK: nophook: 600 events of 2 functions in 2 threads, 0 events lost
// TOP-DAG: 400 work
// TOP-DAG: 200 in_library
#define _GNU_SOURCE
#ifdef LIBRARY
void in_library(void) { __asm__ volatile(""); }
#else
#include <dlfcn.h>
#include <unistd.h>
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
__attribute__((no_instrument_function)) int main(int count, char **arguments) {
  (void)count;
  work();
  void *library = dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW);
  void (*in_library)(void) = library ? (void (*)(void))dlsym(library, "in_library") : 0;
  for (int i = 0; i < 200 && in_library; i++, usleep(1000))
    in_library(), work();
  for (int i = 1; i < 200; i++, usleep(1000))
    work();
  return 0;
}
#endif
