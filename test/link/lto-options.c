// A function that options left out before an LTO link stays out, though the plugin in the link knows no options.
// REQUIRES: lld
// RUN: echo 'fun:quiet' > %t.list
// RUN: %clang -O2 -flto %instrument -fplugin-arg-nophook-exclude=%t.list -c %s -o %t.full.bc
// RUN: %clang -O2 -flto %t.full.bc %tables -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.full && %t.full
// RUN: %python %S/note.py %t.full | FileCheck %s
// RUN: %clang -O2 -flto=thin %instrument -fplugin-arg-nophook-exclude=%t.list -c %s -o %t.thin.bc
// RUN: %clang -O2 -flto=thin %t.thin.bc %tables -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t.thin && %t.thin
// RUN: %python %S/note.py %t.thin | FileCheck %s --check-prefix=THIN

// CHECK: 2 sites, 2 descriptors
// CHECK-NEXT: loud:
// CHECK-NEXT: main:
// THIN: 2 sites
// THIN-NEXT: loud:
// THIN-NEXT: main:
__attribute__((noinline, optnone)) long loud(long x) { return x * 3; }
__attribute__((noinline, optnone)) long quiet(long x) { return x * 3; }
int main(void) { return loud(0) + quiet(0) != 0; }
