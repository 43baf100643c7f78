// gcc gets its inputs in each way: standard input, -x, response files, spaces, no -o.
// RUN: rm -rf %t && mkdir -p "%t/a b" && cp %s "%t/a b/a c.c" && cp %s %t/text
// RUN: cd %t && %cc -c "a b/a c.c" && %cc "a c.o" -o "a b/1" && %nophook list --summary "a b/1" | FileCheck %s
// RUN: cd %t && %cc -x c -c - < text && %cc ./-.o -o 2 && %nophook list --summary 2 | FileCheck %s
// RUN: cd %t && %cc -x c - -o 3 < text && %nophook list --summary 3 | FileCheck %s
// RUN: cd %t && %cc -xc text -xnone -o 4 && %nophook list --summary 4 | FileCheck %s
// RUN: cd %t && echo '-c "a b/a c.c" -o"a b/5.o"' > line && %cc @line && %cc "a b/5.o" -o 5 && %nophook list --summary 5 | FileCheck %s
// RUN: cd %t && %cc -save-temps -dumpbase other -c "a b/a c.c" -o 6.o && %cc 6.o -o 6 && %nophook list --summary 6 | FileCheck %s
// RUN: cd %t && %cc -save-temps "a b/a c.c" -o 7 && %nophook list --summary 7 | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
