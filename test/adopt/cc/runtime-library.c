// The runtime in a program serves its libraries too, those that it loads later as well.
// RUN: %cc -O1 -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: env NOPHOOK_RUNTIME=static %nophook cc -O1 -shared -fPIC -DLIBRARY %s -o %t.2.so
// RUN: env NOPHOOK_RUNTIME=static %nophook cc -O1 %s -o %t
// RUN: %nophook record -p function -o %t.data -- %t %t.so %t.2.so && %nophook report %t.data | FileCheck %s
// One runtime in a process: the library has none.
// RUN: llvm-nm -D --defined-only %t.2.so | not grep nophook_register_module
// CHECK-COUNT-2: in_library
#include <dlfcn.h>
#ifdef LIBRARY
void in_library(void) {}
#else
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    ((void (*)(void))dlsym(dlopen(argv[i], RTLD_NOW), "in_library"))();
}
#endif
