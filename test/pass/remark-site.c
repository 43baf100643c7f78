// -Rpass=nophook says of each function that has a site how it can be traced, at its place.
// RUN: %clang -O1 %instrument -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O1 -g %instrument -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O1 %instrument %option-descriptors=off -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %clang -O1 -flto=thin %instrument -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LTO
// RUN: %clang -O1 %instrument -Rpass-missed=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: %clang -O1 -flto=thin %instrument -fpass-plugin=%plugin -Rpass=nophook -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LTO
// OFF: work is traceable: entry only, without descriptors
// LTO: work is traceable: how is decided in the LTO link
// LTO-NOT: work is traceable
// SILENT-NOT: remark:
// CHECK: remark-site.c:[[@LINE+1]]:{{[15]}}: remark: work is traceable: entry and exit [-Rpass=nophook]
int work(int x) { return x * 3; }
struct Large { char bytes[40]; };
// CHECK: remark-site.c:[[@LINE+1]]:{{[15]}}: remark: copied is traceable: entry and exit, with a copy of 40 bytes of stack arguments
int copied(struct Large large) { return large.bytes[3]; }
// CHECK: remark-site.c:[[@LINE+1]]:{{[15]}}: remark: variadic is traceable: entry only, it is variadic
int variadic(int x, ...) { return x; }
