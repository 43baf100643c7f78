// A file that is made from a recording has no more rights than the recording: index, exports of each kind, page; also where a file was before.
// RUN: %traced_cc %s -o %t && %python %S/Inputs/derived.py %nophook %t %t.folder | FileCheck %s
// CHECK: no more rights
int main(void) { return 0; }
