// A site that is in no table, and an entry of the table that leads into code that never runs, are named with the cause: after the link, by list and by record.
// REQUIRES: lld, llvm22
// RUN: rm -rf %t && mkdir %t && cd %t && %clang %instrument -O1 -c %s -o main.o && %clang %instrument -O1 -c %s -DWEAK -o weak.o
// RUN: %nophook cc -O1 -fexperimental-sanitize-metadata=all %s weak.o -o metadata 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: %nophook list metadata 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %nophook record -o data -- ./metadata 2>&1 | FileCheck %s --check-prefix=LIST
// A weak function that is replaced is ordinary at a link.
// RUN: %nophook cc main.o weak.o -o weak 2>&1 | count 0
// RUN: %nophook list weak 2>&1 | FileCheck %s --check-prefix=WEAK
// LINK: nophook: warning: metadata: 2 functions have a site that is in no table, and cannot be traced (one is {{twice|main}}){{.*}}: -fexperimental-sanitize-metadata takes the place of the records
// LIST: nophook: {{.*}}metadata: 2 functions have a site that is in no table
// WEAK: nophook: warning: weak: 1 entry of the table leads into code that never runs: no symbol names that code; a weak function
#ifdef WEAK
__attribute__((weak)) int twice(int a) { return a * 3; }
int other(void) { return 1; }
#else
__attribute__((noinline)) int twice(int a) { return a * 2; }
int main(int argc, char **argv) { return twice(argc) - 2 + !argv; }
#endif
