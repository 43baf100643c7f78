// In an LTO link a file that is kept out stays out, and takes no other file with it.
// REQUIRES: lld
// RUN: %clang -O2 -flto %instrument -I%include -c %s -o %t.1.bc && %clang -O2 -flto %instrument -DMAIN -c %s -o %t.2.bc
// RUN: %clang -O2 -flto %t.1.bc %t.2.bc -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.full && %sites %t.full | FileCheck %s
// RUN: %clang -O2 -flto=thin %instrument -I%include -c %s -o %t.1.bc && %clang -O2 -flto=thin %instrument -DMAIN -c %s -o %t.2.bc
// RUN: %clang -O2 -flto=thin %t.1.bc %t.2.bc -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.thin && %sites %t.thin | FileCheck %s
// Only the link knows the plugin: full LTO cannot tell whose the mark was, and traces both.
// RUN: %clang -O2 -flto -I%include -c %s -o %t.1.bc && %clang -O2 -flto -DMAIN -c %s -o %t.2.bc
// RUN: %clang -O2 -flto %t.1.bc %t.2.bc -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.late && %sites %t.late | FileCheck %s --check-prefix=LATE
// CHECK: sites: main{{$}}
// LATE: sites: main quiet{{$}}
__attribute__((noinline)) int quiet(int x);
#ifdef MAIN
int main(void) { return quiet(0); }
#else
#include <nophook/notrace_file.h>
__attribute__((noinline, optnone)) int quiet(int x) { return x * 3; }
#endif
