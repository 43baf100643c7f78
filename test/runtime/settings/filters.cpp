// set_ftrace_filter and set_ftrace_notrace select by globs, mangled or demangled, once each.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -p function -l 'space::*' -- %t && %show --count %t.buf | FileCheck --check-prefix=SPACE %s
// RUN: %trace -p function -l '*one*' -n '*(int)' -- %t && %show --count %t.buf | FileCheck --check-prefix=NOTRACE %s
// RUN: %trace -p function -l _ZN5space3twoEv -l 'o[n]e' -- %t && %show --count %t.buf | FileCheck --check-prefix=EXACT %s
// RUN: %trace -p function -n '*' -- %t && %show --count %t.buf | FileCheck --check-prefix=NONE %s
// RUN: %trace -p function -l near -- %t && %show --count %t.buf | FileCheck --check-prefix=NONE %s
#include "program.h"
namespace space {
NOINLINE void one(int n) { KEEP(n); }
NOINLINE void two() { KEEP(0); }
} // namespace space
extern "C" NOINLINE void one() { KEEP(0); }
// One byte of code, not traced, right in front of a traced function.
asm(".section .text.near, \"ax\", @progbits\n"
    ".globl near\n.type near, @function\nnear: ret\n.size near, . - near\n");
extern "C" void near();
extern "C" __attribute__((aligned(1), section(".text.near"))) NOINLINE void behind_near() { KEEP(0); }

int main() {
  space::one(1);
  space::two();
  one();
  near();
  behind_near();
  return failures;
}
// SPACE: _ZN5space3oneEi: 1 function
// SPACE-NEXT: _ZN5space3twoEv: 1 function
// SPACE-NOT: function
// NOTRACE: one: 1 function
// NOTRACE-NOT: function
// EXACT: _ZN5space3twoEv: 1 function
// EXACT-NEXT: one: 1 function
// EXACT-NOT: function
// NONE: process
// NONE-NOT: {{[0-9]}} function
