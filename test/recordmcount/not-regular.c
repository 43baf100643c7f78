// A FIFO, a device or a file of 64 GiB is no object, neither by itself nor in a thin archive.
// RUN: rm -rf %t && mkdir %t && cd %t && mkfifo fifo && truncate -s 64G sparse
// RUN: cd %t && not %recordmcount fifo 2>&1 | FileCheck %s --check-prefix=REGULAR
// RUN: cd %t && not %recordmcount /dev/zero 2>&1 | FileCheck %s --check-prefix=REGULAR
// RUN: cd %t && not %recordmcount sparse 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: cd %t && %clang -c %s -o a.o && %ar rcsT a.a a.o && rm a.o && mkfifo a.o
// RUN: cd %t && not %recordmcount a.a 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: rm %t/sparse
// REGULAR: is not a regular file
// LARGE: sparse: is larger than 4 GiB
// MEMBER: a.a: ({{.*}}a.o): is not a regular file
void work(void) {}
