// An instrumented program that nobody traces: no page of its text, or of the runtime's, is
// dirty, it has one thread, and the runtime has made one system call more.
// REQUIRES: strace
// RUN: %traced_cc -O1 %s -o %t %linked && %t | FileCheck %s
// RUN: %traced_cc -O1 %s -o %t.with -static %static
// RUN: %traced_cc -O1 %s -o %t.without -static
// RUN: strace -o %t.calls.with %t.with && strace -o %t.calls.without %t.without
// RUN: sed -e 's/(.*//' %t.calls.with > %t.names.with
// RUN: sed -e 's/(.*//' %t.calls.without > %t.names.without
// RUN: not diff %t.names.without %t.names.with | FileCheck --check-prefix=CALLS %s
#include "program.h"
#include <stdlib.h>
#include <string.h>

NOINLINE static int work(int n) { return n + 1; }
// Sums a field of /proc/self/smaps over mappings that are executable; prints how many.
static long sum_of_text(const char *field, const char *part) {
  char line[512];
  long sum = 0, mappings = 0;
  int counts = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, smaps)) {
    char rights[8];
    if (sscanf(line, "%*x-%*x %7s", rights) == 1)
      counts = strcmp(rights, "r-xp") == 0 && strstr(line, part), mappings += counts;
    else if (counts && strncmp(line, field, strlen(field)) == 0)
      sum += atol(line + strlen(field));
  }
  fclose(smaps);
  return mappings ? sum : -1;
}
int main(int count, char **arguments) {
  (void)arguments;
  EXPECT_EQ(work(count), count + 1);
  if (sum_of_text("Rss:", "libnophook") < 0)
    return failures; // a static one: its system calls are counted
  // Not Private_Dirty: that counts pages, too, which the linker has just written to the file.
  printf("program: %ld\n", sum_of_text("Anonymous:", "idle"));
  printf("runtime: %ld\n", sum_of_text("Anonymous:", "libnophook"));
  printf("resident: %d\n", sum_of_text("Rss:", "idle") > 0);
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status))
    if (strncmp(line, "Threads:", 8) == 0)
      printf("threads: %d\n", atoi(line + 8));
  fclose(status);
  return failures;
}
// CHECK: program: 0
// CHECK-NEXT: runtime: 0
// CHECK-NEXT: resident: 1
// CHECK-NEXT: threads: 1
// CALLS: {{^}}+ membarrier
// CALLS-NOT: {{^[-+!<>] }}
