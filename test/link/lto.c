// LTO keeps every site; with the plugin in the link too, full LTO has every descriptor.
// REQUIRES: lld
// RUN: %clang -O2 -flto=thin %instrument -c %s -o %t.thin.bc
// RUN: %clang -O2 -flto=thin %t.thin.bc %tables -fuse-ld=lld -o %t.thin && %t.thin
// RUN: %python %S/note.py %t.thin | FileCheck %s
// RUN: %clang -O2 -flto %instrument -c %s -o %t.full.bc
// RUN: %clang -O2 -flto %t.full.bc %tables -fuse-ld=lld -o %t.full && %t.full
// RUN: %python %S/note.py %t.full | FileCheck %s
// RUN: %clang -O2 -flto %t.full.bc %tables -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.plugin && %t.plugin
// RUN: %python %S/note.py %t.plugin | FileCheck %s --check-prefix=PLUGIN

// CHECK: 2 sites, 0 descriptors
// CHECK-NEXT: main: no descriptor
// CHECK-NEXT: used: no descriptor
// PLUGIN: 2 sites, 2 descriptors
// PLUGIN-NEXT: main: through 0
// PLUGIN-NEXT: used: through 0
__attribute__((noinline, optnone)) long used(long x) { return x * 3; }
int main(void) { return used(0) != 0; }
