// In a folder of all users, root's recover --clean removes with a user's buffer no file of a third user.
// REQUIRES: root
// RUN: %traced_cc %s %linked -o %t && rm -rf %t.d && mkdir %t.d && chmod 1777 %t.d
// RUN: setpriv --reuid=65534 --regid=65534 --clear-groups env NOPHOOK="buffer_dir=%t.d buffer_size_kb=1024 current_tracer=function" %t
// RUN: chown 12345 %t.d/*.maps && %exits 1 %nophook recover --clean %t.d 2>&1 | FileCheck %s && ls %t.d | FileCheck %s --check-prefix=LEFT
// CHECK: nophook: {{.*}}.maps: cannot be removed: Operation not permitted
// LEFT: {{^}}{{.*}}.maps
// LEFT-NOT: .
int main(void) { return 0; }
