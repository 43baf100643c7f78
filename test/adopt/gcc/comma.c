// If gcc cannot take the path of this command, since it has a comma, one line says what to do.
// RUN: rm -rf %t && mkdir -p "%t/a,b/bin" && cp %nophook %build/bin/recordmcount "%t/a,b/bin" && ln -s %lib %build/share "%t/a,b"
// RUN: cd %t && %exits 1 "%t/a,b/bin/nophook" cc %s -o a 2>&1 | FileCheck %s
// RUN: cd %t && "%t/a,b/bin/nophook" cc -c %s -o a.o && "%t/a,b/bin/nophook" cc a.o -o a && %nophook list --summary a | FileCheck %s --check-prefix=LIST
// CHECK: nophook: {{.*}}a,b/bin/nophook: gcc cannot start a program with a comma in its path: compile and link in two steps
// LIST: 1 function: 1 call-through
int main(void) { return 0; }
