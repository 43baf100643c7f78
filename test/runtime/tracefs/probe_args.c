// Fetch arguments: of a function's entry and return, by number, name, register, from memory, of all
// types, as values in the trace; a bad pointer is (fault).
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
// RUN: %nophook report %t.buf | FileCheck %s
// CHECK-DAG: one: (work+0x{{[04]}}/0x{{[0-9a-f]+}}) text="hello" n=-4 x=0xfffc c='h' arr={7,8} b=7 w=0xfffffffc
// CHECK-DAG: two: (caller+0x{{[0-9a-f]+/0x[0-9a-f]+}} <- work) r=-8 n=-4 text="hello"
// CHECK-DAG: p_work_0: (work+{{[^)]*}}) table=0x{{[0-9a-f]+}} text=0x{{[0-9a-f]+}} n=-4 arg4="probe_args{{[^"]*}}" arg5="lit" arg6=-5 arg7=77 arg8=0x{{[0-9a-f]+}}
// CHECK-DAG: one: ({{[^)]*}}) text=(fault) n=1 x=0x1 c=(fault) arr=(fault) b=0 w=0x1
// CHECK-DAG: two: ({{[^)]*}}) r=2 n=1 text=(fault)
// CHECK-DAG: many: (many+{{[^)]*}}) seventh=7 eighth=8 arg3=7 back=main+0x{{[0-9a-f]+/0x[0-9a-f]+}} text="main+0x{{[0-9a-f]+/0x[0-9a-f]+}}"
#include "tree.h"

int shared_value = 77;
struct pair {
  int one, two;
};

NOINLINE long work(const struct pair *table, const char *text, int n) {
  KEEP(table);
  KEEP(text);
  return n * 2L;
}
NOINLINE void caller(const struct pair *table, const char *text, int n) {
  long result = work(table, text, n);
  KEEP(result);
}
NOINLINE void many(int a, int b, int c, int d, int e, int f, long seventh, long eighth) {
  KEEP(a + b + c + d + e + f);
  KEEP(seventh + eighth);
}

UNTRACED static void add(const char *line) {
  EXPECT_EQ(echo(line, "dynamic_events", 1), 0);
}

UNTRACED int main(void) {
  const struct pair table = {7, 8};
  add("f:mine/one work text=+0($arg2):string n x=%dx:x16 c=+0(%si):char arr=+0($arg1):s32[2] "
      "b=$arg3:b3@4/32 w=$arg3:x32");
  add("f:mine/two work%return r=$retval:s64 n text=+u0($arg2):ustring");
  add("p work $arg* $comm \\\"lit\" \\-5:s64 @shared_value:s32 $stack");
  add("p:many many seventh eighth $arg7:u64 back=$stack0:symbol text=$stack0:symstr");
  EXPECT_EQ(echo("1", "events/enable", 0), 0);
  caller(&table, "hello", -4);
  caller((const struct pair *)8, (const char *)-16, 1);
  many(1, 2, 3, 4, 5, 6, 7, 8);
  EXPECT_TEXT("error_log", "");
  return failures;
}
