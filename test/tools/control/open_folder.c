// A line names a buffer_dir that all users may write to; there, settings that another user has left for a program are not followed.
// RUN: %traced_cc %s -o %t && rm -rf %t.d && mkdir %t.d && chmod 777 %t.d
// RUN: env NOPHOOK="log=stderr current_tracer=function buffer_dir=%t.d" LD_PRELOAD=%lib/libnophook.so %t 2>&1 | FileCheck %s
// RUN: chmod 1777 %t.d && env NOPHOOK="log=stderr current_tracer=function buffer_dir=%t.d" LD_PRELOAD=%lib/libnophook.so %t 2>&1 | FileCheck %s --check-prefix=CLOSED --implicit-check-not=buffer_dir
// CHECK: nophook: buffer_dir={{.*}}.d: all users may write to it, and can remove or replace the buffer (a folder that is closed to others prevents that)
// CHECK: runs on
// CLOSED: runs on
#include <stdio.h>

int main(void) {
  puts("runs on");
  return 0;
}
