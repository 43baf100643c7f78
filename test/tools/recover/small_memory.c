// Where the memory file system has 64 KiB, as in a container, buffers are in /tmp: of a program that is
// traced without a recorder, and of one that is recorded, which says so.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t && rm -rf %t.dir && mkdir -p %t.dir
// RUN: unshare -rm sh -c 'mount -t tmpfs -o size=64k none /dev/shm && mount --bind %t.dir /tmp && unset XDG_RUNTIME_DIR && NOPHOOK="current_tracer=function buffer_size_kb=1024 log=stderr" LD_PRELOAD=%lib/libnophook.so %t && %nophook recover -o %t.data /tmp/nophook-0 && %nophook record -p function -o %t.data2 -- %t' > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: /dev/shm/nophook-0 has only {{[0-9]+}} KiB free
// CHECK: nophook: 1 event of 1 process
// CHECK: nophook: /dev/shm/nophook-0 has less than 4 MiB free: the buffers are in /tmp/nophook-0
// CHECK: nophook: 1 event of 1 function in 1 thread, 0 events lost
int main(void) { return 0; }
