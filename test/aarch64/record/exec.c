// nophook record records an AArch64 program that the kernel gives to qemu, and the programs that it executes: in its place, and in a child.
// REQUIRES: binfmt-aarch64, aarch64-runtime
// RUN: %cc %s -o %t && %own-binfmt aarch64 %nophook record -o %t.data -- %t 2>%t.said
// RUN: FileCheck %s --check-prefix=SAID <%t.said
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook info %t.data | FileCheck %s --check-prefix=INFO
// RUN: %own-binfmt aarch64 %nophook record -p function -l begins -o %t.data -- %t 2>%t.said
// RUN: FileCheck %s --check-prefix=ONE <%t.said
// Where the kernel has no emulator, and where there is no runtime, it says so and starts nothing.
// RUN: %exits 126 %own-binfmt none %nophook record -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: rm -rf %t.tree && mkdir -p %t.tree/bin && cp %nophook %t.tree/bin && %exits 1 %own-binfmt aarch64 %t.tree/bin/nophook record -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=RUNTIME
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noinline)) int begins(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int in_its_place(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int in_a_child(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(int count, char **arguments) {
  if (count == 2)
    return strcmp(arguments[1], "place") ? in_a_child(0) : in_its_place(0);
  char *child[] = {arguments[0], "child", NULL}, *place[] = {arguments[0], "place", NULL};
  pid_t pid;
  int status = begins(1);
  if (posix_spawn(&pid, arguments[0], NULL, NULL, child, environ) || waitpid(pid, &status, 0) != pid || status)
    return 1;
  return execv(arguments[0], place);
}
// SAID: nophook: 9 events of 4 functions in 3 threads, 0 events lost
// CHECK: |  main() {
// CHECK-NEXT: |    begins();
// CHECK: |  main() {
// CHECK-NEXT: |    in_a_child(); /* tail */
// CHECK-NEXT: |  }
// CHECK: |  main() {
// CHECK-NEXT: |    in_its_place(); /* tail */
// CHECK-NEXT: |  }
// INFO: processor AArch64
// INFO: processes 3
// ONE: nophook: 1 event of 1 function in 1 thread, 0 events lost
// NONE: is a program for AArch64; this machine's are for x86-64, and binfmt_misc has no emulator for it
// RUNTIME: the runtime for aarch64-linux-gnu is missing: install it there, or build it: ./do build --target aarch64
