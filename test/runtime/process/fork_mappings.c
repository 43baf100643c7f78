// The buffer of a process is one mapping until more than its first 2 MiB are used, and so is that of its fork child, which keeps nothing of its parent's: each further mapping costs every fork 2 us.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 4096 -- %t
// RUN: %trace -p function_graph -k 4096 -- %t
#include "program.h"
#include <string.h>
#include <sys/wait.h>

NOINLINE void work(void) {
  __asm__ volatile("" : : : "memory");
}
UNTRACED static int buffer_mappings(void) {
  int count = 0;
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    count += strstr(line, ".buf") != NULL;
  fclose(maps);
  return count;
}
// Each generation forks before its first call, too.
UNTRACED static void check(int generations) {
  EXPECT_EQ(buffer_mappings(), 1);
  work();
  EXPECT_EQ(buffer_mappings(), 1);
  pid_t child = generations ? fork() : -1;
  if (child == 0) {
    check(generations - 1);
    _exit(failures != 0);
  }
  int status = -1;
  EXPECT(!generations || waitpid(child, &status, 0) == child);
  EXPECT(!generations || status == 0);
}
UNTRACED int main(void) {
  work();
  check(2);
  return failures != 0;
}
