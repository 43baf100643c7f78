// Another processor or object format is an error that names the target; a file without functions is fine.
// RUN: not %clang --target=i386-linux-gnu %instrument -c %s -o %t.o 2>&1 | FileCheck %s -DTARGET=i386-unknown-linux-gnu
// RUN: not %clang --target=x86_64-linux-gnux32 %instrument -c %s -o %t.o 2>&1 | FileCheck %s -DTARGET=x86_64-unknown-linux-gnux32
// RUN: not %clang --target=x86_64-apple-macosx %instrument -c %s -o %t.o 2>&1 | FileCheck %s -DTARGET=x86_64-apple-macosx
// RUN: %clang --target=i386-linux-gnu -DEMPTY %instrument -c %s -o %t.o

// CHECK: error: nophook: no tracing for target '[[TARGET]]{{.*}}': only x86-64 and AArch64 with ELF are supported
#ifndef EMPTY
void work(void) {}
#endif
int data = 3;
