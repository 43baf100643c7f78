// An ifunc has no code of its own: why says so, and its resolver has its own name.
// REQUIRES: gcc
// RUN: %traced_cc %s -o %t && %nophook why chosen %t | FileCheck %s
// RUN: env NOPHOOK_CC=gcc %nophook cc -O1 -g %s -o %t.gcc && %nophook why chosen %t.gcc | FileCheck %s
// RUN: %nophook list %t.gcc | FileCheck %s --check-prefix=LIST
int one(int a) { return a + 1; }
static int (*choose(void))(int) { return one; }
int chosen(int) __attribute__((ifunc("choose")));
int main(void) { return chosen(-1); }
// CHECK: chosen: not traceable by this name: it is an ifunc, which stands for the function that choose returns when the program is loaded. To do: trace that function
// CHECK-NOT: {{.}}
// LIST-NOT: chosen
// LIST: {{ choose$}}
// LIST-NOT: chosen
