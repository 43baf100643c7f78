// -fsave-optimization-record holds both kinds of remarks, with debug locations under -g.
// RUN: %clang -O1 -g %instrument %option-min-size=3 -fsave-optimization-record -foptimization-record-file=%t.yaml -c %s -o %t.o
// RUN: FileCheck %s < %t.yaml
// CHECK-DAG: --- !Passed{{[[:space:]]+}}Pass: nophook{{[[:space:]]+}}Name: Instrumented{{[[:space:]]+}}DebugLoc: {{[^}]*}}Line: [[@LINE+1]],{{[[:space:]]+}}Column: 0 }{{[[:space:]]+}}Function: large
int large(int x, int y) { return x * y + x; }
// CHECK-DAG: --- !Missed{{[[:space:]]+}}Pass: nophook{{[[:space:]]+}}Name: Small{{[[:space:]]+}}DebugLoc: {{[^}]*}}Line: [[@LINE+1]],{{[[:space:]]+}}Column: 0 }{{[[:space:]]+}}Function: small
int small(int x) { return x; }
