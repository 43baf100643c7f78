// A clang of another version that loads the plugin gets one line that names both.
// REQUIRES: other-clang
// RUN: not %other-clang %instrument -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: nophook: this plugin is for clang version {{[0-9]+}}.x, but it is loaded by {{.*}}clang version
void work(void) {}
