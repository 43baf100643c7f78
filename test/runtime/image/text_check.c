// The check that every traced program of these tests gets when it ends sees one byte of text that
// is not the file's, in a program and in a fork child that ends by _exit.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -- %t
// RUN: not %trace -- %t exit 2>&1 | FileCheck %s
// RUN: not %trace -- %t child 2>&1 | FileCheck %s
// RUN: not %trace -p '' -- %t exit 2>&1 | FileCheck %s
#include "program.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE int work(int n) { return n + 1; }
UNTRACED static void spoil(void) {
  char *page = (char *)((unsigned long)work & ~4095ul), *padding = (char *)work;
  while (*padding != (char)0xcc && *padding != (char)0x66 && *padding != (char)0x90)
    padding++; // behind the function's end
  EXPECT_EQ(mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
  *padding ^= 1;
}
int main(int count, char **arguments) {
  EXPECT_EQ(work(1), 2);
  if (count == 2 && strcmp(arguments[1], "exit") == 0)
    spoil();
  pid_t pid = count == 2 && strcmp(arguments[1], "child") == 0 ? fork() : -1;
  if (pid == 0)
    spoil(), _exit(0);
  int status = 0;
  if (pid > 0)
    waitpid(pid, &status, 0);
  return failures || status;
}
// CHECK: text_check: 1 bytes of text differ from the file
