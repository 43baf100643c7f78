// Diagnostics and exit status are the compiler's own.
// RUN: not %clang -c %s -o %t.o 2> %t.bare
// RUN: not %nophook cc -c %s -o %t.o 2> %t.wrapped
// RUN: cmp %t.bare %t.wrapped
// RUN: %exits 1 %nophook cc -c %s -o %t.o
int main(void) { return nothing; }
