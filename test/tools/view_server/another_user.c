// The address in the arguments of the browser that `view` starts opens nothing for another user.
// REQUIRES: root
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// Another user may execute the Python of the system; one below /root is closed to them.
// RUN: %debian_python %S/Inputs/open_view.py %nophook %t.data other | FileCheck %s
// CHECK: as it should be
int main(void) { return 0; }
