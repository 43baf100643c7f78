// A list that is a FIFO, a device or a file of 64 GiB is an error, and nobody waits for it.
// RUN: rm -f %t.fifo %t.sparse && mkfifo %t.fifo && truncate -s 64G %t.sparse
// RUN: not %clang %instrument %option-exclude=%t.fifo -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang %instrument %option-include=/dev/zero -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang %instrument %option-exclude=%t.sparse -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: rm %t.sparse
// CHECK: error: nophook: option '{{ex|in}}clude': can't read file '{{.*}}': it is not a regular file
// LARGE: error: nophook: option 'exclude': can't read file '{{.*}}.sparse': it is larger than 64 MiB
void work(void) {}
