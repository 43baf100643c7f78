// Under a read-only root, as in a container, a program that is traced without a recorder has its buffer in /dev/shm. Where that is read-only as
// well, tracing is refused with a line, and the program runs on. It is traced again if it gets a folder by buffer_dir.
// The tree may be in /tmp itself: /mnt shows it still.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t
// RUN: unshare -rm sh -e %S/Inputs/read_only_root.sh %nophook %lib/libnophook.so %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: root is read-only: {{.*}}Read-only file system
// CHECK: runs on
// CHECK: /dev/shm/nophook-0
// CHECK: nophook: not tracing (current_tracer=function): this user has no folder for buffers: set buffer_dir
// CHECK-NEXT: runs on
// CHECK: runs on
// CHECK: nophook: 1 event of 1 process
#include <stdio.h>

int main(void) {
  puts("runs on");
  return 0;
}
