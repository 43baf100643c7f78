// The members of a thin archive are recorded in their own files, and a link finds them; with -o they stay, and the archive that is written has copies.
// REQUIRES: gcc, lld
// RUN: rm -f %t.a && %gcc -pg -mfentry -DF=one -c %s -o %t.1.o && %ar rcsT %t.a %t.1.o
// RUN: %recordmcount %t.a | FileCheck %s && %recordmcount %t.1.o | FileCheck %s --check-prefix=MEMBER
// RUN: %gcc -pg -mfentry -DF=main -c %s -o %t.2.o && %recordmcount %t.2.o && %clang -fuse-ld=lld %t.2.o -Wl,-u,one %t.a %tables -o %t && %nophook list %t | FileCheck %s --check-prefix=LIST
// RUN: rm -f %t.b && %gcc -pg -mfentry -DF=one -c %s -o %t.1.o && cp %t.1.o %t.before && cp %t.a %t.kept && %recordmcount %t.a -o %t.b | FileCheck %s && cmp %t.1.o %t.before && cmp %t.a %t.kept && rm %t.1.o
// RUN: %clang -fuse-ld=lld %t.2.o -Wl,-u,one %t.b %tables -o %t && %nophook list %t | FileCheck %s --check-prefix=LIST
// CHECK: 1 sites in 1 objects, 1 new; 1 of 1 files changed
// MEMBER: 1 sites in 1 objects, 0 new; 0 of 1 files changed
// LIST-DAG: one
// LIST-DAG: main
int F(int a, char **b) { return a + !b; }
