// An archive with a member whose symbol table cannot be read, which its own table of symbols must list, is refused and left alone, a thin one with all its members.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t && %gcc -pg -mfentry -c %s -o a.o && %gcc -pg -mfentry -DOTHER -c %s -o b.o
// RUN: %ar rcs fat.a a.o b.o && %python %S/Inputs/odd_symtab.py fat.a && cp fat.a kept.a
// RUN: %exits 1 %recordmcount fat.a 2>&1 | FileCheck %s && cmp fat.a kept.a
// RUN: %ar rcs --thin thin.a a.o b.o && %python %S/Inputs/odd_symtab.py b.o && cp a.o a.kept && cp b.o b.kept
// RUN: %exits 1 %recordmcount thin.a 2>&1 | FileCheck %s && cmp a.o a.kept && cmp b.o b.kept
// CHECK: {{fat|thin}}.a: has a member whose symbols cannot be read: {{.}}
#ifdef OTHER
int other(int a) { return a; }
#else
int one(int a) { return a + 1; }
#endif
