// Static calls become NOPs when the program starts, the log says so, and they are sites like others.
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked
// RUN: env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// RUN: %gcc -pg -c %s -o %t.o && %keep %t.o && %link_kept %t.o -o %t %linked && env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// RUN: %gcc -fno-pie -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept -no-pie %t.o -o %t %linked && env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// RUN: %gcc -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept -static %t.o -o %t %static && env NOPHOOK=log=stderr %t 2> %t.err && FileCheck %s < %t.err
// CHECK: ftrace: allocating 4 entries in 1 pages
#include "calls.h"
// gas's NOP stands at every site, in front of main already.
UNTRACED static int visit(const struct ftrace_record *record, void *nops) {
  *(int *)nops += memcmp((void *)record->ip, "\x0f\x1f\x44\x00\x00", 5) == 0;
  return 0;
}
UNTRACED int main(void) {
  int nops = 0;
  EXPECT_EQ(ftrace_for_each_record(visit, &nops), 0);
  EXPECT_EQ(nops, kFunctions);
  long differing = text_differing();
  call_all();
  static struct ftrace_ops ops = {.func = count_hit};
  EXPECT_EQ(register_ftrace_function(&ops), 0);
  EXPECT(text_differing() > 0);
  call_all();
  EXPECT_EQ(hits, kFunctions);
  EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  EXPECT_EQ(text_differing(), differing);
  call_all();
  EXPECT_EQ(hits, kFunctions);
  return failures;
}
