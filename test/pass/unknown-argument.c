// An option that does not exist is an error that names it and those that do.
// RUN: not %clang %instrument %option-colour -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang %instrument %option-colour=red -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: nophook: unknown option 'colour': there are min-size=N, include=FILE,
void work(void) {}
