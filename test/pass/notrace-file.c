// A file that includes <nophook/notrace_file.h> has no sites, through either flag, and not one byte differs.
// RUN: %clang -std=c99 -pedantic -Werror -O1 %instrument -I%include -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clang -O1 -fpass-plugin=%plugin -I%include -c %s -o %t.pass.o && %sites %t.pass.o | FileCheck %s
// RUN: %clang -O1 -I%include -c %s -o %t.plain.o && cmp %t.plain.o %t.pass.o
// RUN: %clang -O1 -I%include -DWITHOUT -c %s -o %t.without.o && cmp %t.plain.o %t.without.o
// RUN: %clang -O1 --target=aarch64-linux-gnu %instrument -I%include -S %s -o - | FileCheck %s --check-prefix=AARCH64
// RUN: %clang -O1 %instrument -I%include -c %s -o /dev/null -Rpass-missed=nophook 2>&1 | FileCheck %s --check-prefix=REMARK
// CHECK: sites:{{$}}
// AARCH64-NOT: {{nop$}}
// REMARK: remark: work is not traceable: its file includes <nophook/notrace_file.h>
#ifndef WITHOUT
#include <nophook/notrace_file.h>
#endif
int work(int x) { return x * 3; }
