// 400 connections that send nothing, or half of a request, do not keep the page of `view` waiting.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python %S/Inputs/open_view.py %nophook %t.data half_open | FileCheck %s
// CHECK: as it should be
int main(void) { return 0; }
