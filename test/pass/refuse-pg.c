// -pg beside the plugin is an error that says what to leave out, through both flags.
// RUN: not %clang %instrument -pg -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 %instrument -pg -mfentry -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -fpass-plugin=%plugin -pg -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fpass-plugin=%plugin -pg -mfentry -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang %instrument -finstrument-functions-after-inlining -c %s -o %t.o
// CHECK: error: nophook: -pg {{.*}}leave {{-pg|it}} out
void work(void) {}
