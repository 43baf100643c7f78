// A plugin argument that does not exist is an error that names it.
// RUN: not %clang %instrument -fplugin-arg-nophook-colour -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: nophook: unknown plugin argument 'colour'
void work(void) {}
