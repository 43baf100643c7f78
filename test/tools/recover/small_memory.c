// Where the memory file system has 64 KiB, as in a container, buffers are in /tmp, for a program that
// is traced without a recorder, and for a recorded one, where a line says so. The tree may be in /tmp
// itself: /mnt shows it still.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t && rm -rf %t.dir && mkdir -p %t.dir
// RUN: unshare -rm sh -c 'mount --rbind / /mnt && mount -t tmpfs -o size=64k none /dev/shm && mount --bind %t.dir /tmp && unset XDG_RUNTIME_DIR && NOPHOOK="current_tracer=function buffer_size_kb=1024 log=stderr" LD_PRELOAD=/mnt%lib/libnophook.so /mnt%t && /mnt%nophook recover -o /mnt%t.data /tmp/nophook-0 && /mnt%nophook record -p function -o /mnt%t.data2 -- /mnt%t' > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: /dev/shm/nophook-0 has only {{[0-9]+}} KiB free
// CHECK: nophook: 1 event of 1 process
// CHECK: nophook: /dev/shm/nophook-0 has less than 4 MiB free: the buffers are in /tmp/nophook-0
// CHECK: nophook: 1 event of 1 function in 1 thread, 0 events lost
int main(void) { return 0; }
