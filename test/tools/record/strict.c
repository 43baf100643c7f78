// --strict: a recording that has all is no error; one of a program with a function whose site is in no table is an error, and so are those without events or processes (no_sites.c, lost_children.c, missed.c).
// REQUIRES: llvm22
// RUN: %traced_cc -Wno-unused-command-line-argument -DLOST -fexperimental-sanitize-metadata=all -c %s -o %t.o && %traced_cc %s %t.o -o %t.lost && %traced_cc -DWHOLE %s -o %t
// RUN: %nophook record --strict -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: --strict
// RUN: %exits 1 %nophook record --strict -o %t.data -- %t.lost 2>&1 | FileCheck %s --check-prefix=SITES
// SITES: strict.c.tmp.lost: a function has a site that is in no table (--strict)
#if defined(LOST) || defined(WHOLE)
__attribute__((noinline)) int lost(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
#endif
#ifndef LOST
int lost(int n);
int main(void) { return lost(-1); }
#endif
