// If two static functions have one name, old_sympos says which one is patched: 1 is the first in the symbol
// table, 2 the second, and without it, or with 3, the patch is refused.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -c -DFIRST %s -o %t/first.o
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -c -DSECOND %s -o %t/second.o
// RUN: %traced_cc -O1 %s %t/first.o %t/second.o -o %t/program %linked
// RUN: env NOPHOOK=log=stderr %t/program 2>&1 | FileCheck %s
// CHECK: livepatch: program: same_name: several functions have this name: old_sympos must say which
// CHECK: livepatch: program: same_name: the symbol table has no such function
// CHECK: done 0

// The table that strip leaves has fewer functions, so a position in it would be another one.
// RUN: %traced_cc -O1 -DDYNAMIC %s %t/first.o %t/second.o -o %t/stripped %linked -rdynamic && %strip %t/stripped
// RUN: env NOPHOOK=log=stderr %t/stripped 2>&1 | FileCheck %s --check-prefix=STRIPPED
// STRIPPED: livepatch: program: call_third: the file is stripped, so positions in its symbol table are unknown
// STRIPPED: livepatch: program: same_name: the symbol table has no such function (is the file stripped?)
// STRIPPED: done 0
#if defined FIRST || defined SECOND
#include "program.h"
#ifdef FIRST
#define NUMBER 1
#define CALLER call_first
#else
#define NUMBER 2
#define CALLER call_second
#endif
NOINLINE static int same_name(void) { int n = NUMBER; KEEP(&n); return n; }
int CALLER(void);
UNTRACED int CALLER(void) { return same_name(); }
#else
#include "klp.h"
int call_first(void), call_second(void);
NOINLINE int new_version(void) { int n = 10; KEEP(&n); return n; }
static struct klp_func funcs[] = {FUNC(same_name, new_version), {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = funcs}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects};
UNTRACED static __attribute__((unused)) void check(unsigned long position, int first, int second) {
  funcs[0].old_sympos = position;
  enable_and_wait(&patch);
  EXPECT_EQ(call_first(), first);
  EXPECT_EQ(call_second(), second);
  disable_and_wait(&patch);
  EXPECT_EQ(call_first(), 1);
  EXPECT_EQ(call_second(), 2);
}
#ifdef DYNAMIC
NOINLINE int call_third(void) { int n = 3; KEEP(&n); return n; }
UNTRACED int main(void) {
  EXPECT_EQ(call_first() + call_second(), 3);
  funcs[0].old_name = "call_third";
  funcs[0].old_sympos = 1;
  EXPECT_EQ(klp_enable_patch(&patch), -ENOENT);
  funcs[0].old_sympos = 0;
  enable_and_wait(&patch);
  EXPECT_EQ(call_third(), 10);
  disable_and_wait(&patch);
  EXPECT_EQ(call_third(), 3);
  funcs[0].old_name = "same_name";
  EXPECT_EQ(klp_enable_patch(&patch), -ENOENT);
  printf("done %d\n", failures);
  return failures;
}
#else
UNTRACED int main(void) {
  EXPECT_EQ(klp_enable_patch(&patch), -EINVAL);
  funcs[0].old_sympos = 3;
  EXPECT_EQ(klp_enable_patch(&patch), -ENOENT);
  check(1, 10, 2);
  check(2, 1, 10);
  EXPECT_EQ(text_differing(), 0);
  printf("done %d\n", failures);
  return failures;
}
#endif
#endif
