// No other user reads the token of `view`: the browser's arguments have another address, which redirects to the page until one has been opened.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %python %S/Inputs/open_view.py %nophook %t.data own | FileCheck %s
// CHECK: as it should be
int main(void) { return 0; }
