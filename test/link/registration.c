// If there is a runtime, each module registers its note before main and takes it back at the end.
// RUN: %clang -I%include -fPIC -shared -DLIBRARY %s -O1 %instrument %tables -fuse-ld=lld -o %t.so
// RUN: %clang -I%include %s -O1 %instrument %tables -fuse-ld=lld -rdynamic -o %t
// RUN: %t %t.so | FileCheck %s
// RUN: %clang -I%include %s -O1 %instrument %tables -fuse-ld=bfd -rdynamic -o %t
// RUN: %t %t.so | FileCheck %s
// RUN: %clang -I%include %s -O1 %instrument %tables -fuse-ld=lld -static-pie -DSTATIC -o %t
// RUN: %t | FileCheck %s --check-prefix=STATIC

// CHECK: registered 3 sites
// CHECK-NEXT: main
// CHECK-NEXT: registered 1 sites
// CHECK-NEXT: unregistered
// CHECK-NEXT: main ends
// CHECK-NEXT: unregistered
// STATIC: registered 3 sites
// STATIC-NEXT: main
// STATIC-NEXT: main ends
// STATIC-NEXT: unregistered
#include "nophook/site.h"
#include <dlfcn.h>
#include <stdio.h>
#ifdef LIBRARY
int in_library(int x) { return x * 3; }
#else
void nophook_register_module(const struct nophook_note *note) {
  // LLVM 19 writes addresses instead.
  long bytes = 8 + note->mcount_stop - note->mcount_start + 8 + note->rel_stop - note->rel_start;
  const long misaligned = (long)__builtin_frame_address(0) % 16; // as a call would leave it
  printf("registered %ld sites\n", bytes / 8 + misaligned);
}
void nophook_unregister_module(const struct nophook_note *note) { printf("unregistered\n" + !note); }
int main(int argc, char **argv) {
  puts("main");
#ifndef STATIC
  dlclose(dlopen(argv[argc - 1], RTLD_NOW));
#endif
  puts("main ends");
}
#endif
