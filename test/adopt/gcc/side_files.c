// Dependencies, coverage notes and split debug information have gcc's own names, in one step too.
// RUN: rm -rf %t && mkdir -p %t/plain %t/ours && cp %s %t/plain/a.c && cp %s %t/ours/a.c && cp %s %t/plain/b.c && cp %s %t/ours/b.c
// RUN: cd %t/plain && gcc -MD --coverage -g -gsplit-dwarf -DONE a.c -o a && gcc -MD --coverage -c b.c && rm a b.o && cat *.d > deps
// RUN: cd %t/ours && %cc -MD --coverage -g -gsplit-dwarf -DONE a.c -o a && %cc -MD --coverage -c b.c && rm a b.o && cat *.d > deps
// RUN: ls %t/plain > %t/one && ls %t/ours > %t/two && cmp %t/one %t/two && cmp %t/plain/deps %t/ours/deps
// RUN: FileCheck %s < %t/two
// CHECK: a.dwo
// CHECK: a.gcno
int main(void) { return 0; }
