// A clang of another version that loads the plugin gets an error of one line, with the fix.
// REQUIRES: other-clang
// RUN: not %other-clang %instrument -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %other-clang -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: nophook: this plugin is for clang version [[OURS:[0-9]+]].x, but it is loaded by {{.*}}clang version {{.*}}: compile with clang-[[OURS]], or build the plugin for this clang
void work(void) {}
