// The folder for buffers may be taken in advance, as a symbolic link, a file, or a folder that others may open or that is read-only. It is passed over for
// the next one. If that is taken as well, tracing is refused with a line, and the program runs on. Nothing is written there.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t
// RUN: unshare -rm sh -eu %S/Inputs/taken_folder.sh %nophook %lib/libnophook.so %t link > %t.link && FileCheck %s -DWAY=link < %t.link
// RUN: unshare -rm sh -eu %S/Inputs/taken_folder.sh %nophook %lib/libnophook.so %t open > %t.open && FileCheck %s -DWAY=open < %t.open
// RUN: unshare -rm sh -eu %S/Inputs/taken_folder.sh %nophook %lib/libnophook.so %t group > %t.group && FileCheck %s -DWAY=group < %t.group
// RUN: unshare -rm sh -eu %S/Inputs/taken_folder.sh %nophook %lib/libnophook.so %t readonly > %t.readonly && FileCheck %s -DWAY=readonly < %t.readonly
// RUN: unshare -rm sh -eu %S/Inputs/taken_folder.sh %nophook %lib/libnophook.so %t file > %t.file && FileCheck %s -DWAY=file < %t.file
// CHECK: [[WAY]], in memory:
// CHECK: runs on
// CHECK-NEXT: status 0
// CHECK-NEXT: the buffer is in /tmp/nophook-0, 700
// CHECK-NEXT: runs on
// CHECK-NEXT: nophook: 2 events of 1 function in 1 thread, 0 events lost
// CHECK-NEXT: status 0
// CHECK: [[WAY]], in both:
// CHECK-NEXT: nophook: not tracing (current_tracer=function): this user has no folder for buffers: set buffer_dir
// CHECK-NEXT: runs on
// CHECK-NEXT: status 0
// CHECK-NEXT: nophook: {{.*}}: this user has no folder for buffers: set buffer_dir
// CHECK-NEXT: runs on
// CHECK-NEXT: status 0
// CHECK-NEXT: nophook: /tmp/nophook-0: no folder for the buffers can be made here (it must belong to you alone)
// CHECK-NEXT: status 1
// CHECK-NEXT: files: 0
// CHECK-NEXT: the folder is as it was
#include <stdio.h>

int main(void) {
  puts("runs on");
  return 0;
}
