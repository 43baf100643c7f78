// NOPHOOK_CC names another compiler, with options if need be, and a wrapper in it is entered once.
// RUN: env NOPHOOK_CC="%clang -DCHOSEN=0" %nophook cc %s -o %t && %t
// RUN: env NOPHOOK_CC="%nophook cc -DCHOSEN=0" %nophook cc %s -o %t && %t
// RUN: env NOPHOOK_CC="%clang -DCHOSEN=0 -c" %nophook cc -Werror %s -o %t.o
// RUN: %nophook list --summary %t | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return CHOSEN; }
