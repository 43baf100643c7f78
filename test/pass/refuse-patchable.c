// -fpatchable-function-entry beside the plugin is an error; the attribute on single functions is not.
// RUN: not %clang -DENTRY= %instrument -fpatchable-function-entry=5 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -DENTRY= %instrument -fpatchable-function-entry=4,2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -DENTRY='__attribute__((patchable_function_entry(2)))' %instrument -c %s -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES
// CHECK: error: nophook: -fpatchable-function-entry and the plugin both want the entry {{.*}} leave -fpatchable-function-entry out
// SITES: sites: work{{$}}
ENTRY void marked(void) {}
void work(void) {}
