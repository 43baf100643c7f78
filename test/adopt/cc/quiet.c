// Steps that use no plugin or no linker get nothing that the compiler would warn of.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %cc -S %s -o a.s && %cc -c a.s -o a.o && %cc a.o -o a && ./a
// RUN: cd %t.dir && %cc -x assembler-with-cpp -c a.s -o b.o
// RUN: cd %t.dir && %cc -E %s -o a.i && %cc -c a.i -o i.o
// RUN: cd %t.dir && %cc -S -emit-llvm %s -o a.ll && %cc a.ll -o ll && ./ll
// RUN: cd %t.dir && %cc -M %s -MF a.d && %cc -MM %s && %cc -c -MD %s -o d.o
// RUN: cd %t.dir && %cc -fsyntax-only %s && %cc --analyze %s -o a.plist
// RUN: cd %t.dir && %nophook list --summary a | FileCheck %s
// RUN: cd %t.dir && %nophook list --summary ll | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
