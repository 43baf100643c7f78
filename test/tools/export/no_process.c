// Every reader goes on if nothing in the file says of which process a sub-buffer is: exports have it as an unknown process.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python %S/Inputs/no_process.py %nophook %t.data %t.folder | FileCheck %s
// CHECK: 21 ways
int main(void) { return 0; }
