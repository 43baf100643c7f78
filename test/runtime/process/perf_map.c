// perf_map: the code that a site leads to has a name in /tmp/perf-PID.map, for each kind of thunk; a fork child's in its own file; another's file is not written to.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -s perf_map=1 -- %t && %show --count %t.buf | FileCheck %s
// CHECK: log: perf_map: /tmp/perf-PID.map cannot be opened
#include "../tracefs/tree.h"
#include <sys/wait.h>

NOINLINE void traced(int n) { KEEP(n); }

// The name of the line that has the address in it.
UNTRACED static const char *name_of(unsigned long address) {
  static char line[512];
  char path[64];
  unsigned long start, bytes;
  int at = 0;
  snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
  FILE *file = fopen(path, "re");
  EXPECT(file != NULL);
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "%lx %lx %n", &start, &bytes, &at) == 2 && address - start < bytes) {
      fclose(file);
      return line + at;
    }
  return "";
}

UNTRACED static void expect_name(const char *tracer, const char *name) {
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  EXPECT_EQ(echo(tracer, "current_tracer", 0), 0);
  const unsigned char *site = (const unsigned char *)traced;
  EXPECT(*site == 0xe8 || *site == 0xe9);
  int distance;
  memcpy(&distance, site + 1, sizeof distance);
  const char *found = name_of((unsigned long)site + 5 + (unsigned long)(long)distance);
  EXPECT(strncmp(found, name, strlen(name)) == 0 && strstr(found, "[perf_map.c.tmp]\n"));
  traced(1);
}

// Unless `elsewhere` is null, the name leads there.
UNTRACED static void in_child(const char *elsewhere) {
  pid_t pid = fork();
  int status;
  if (!pid) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    if (elsewhere)
      EXPECT_EQ(symlink(elsewhere, path), 0);
    if (elsewhere)
      EXPECT_EQ(echo("profile", "current_tracer", 0), 0);
    else
      expect_name("profile", "nophook_profile_thunks"), expect_name("function", "nophook_function_thunks");
    unlink(path);
    fflush(NULL);
    _exit(failures);
  }
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

UNTRACED int main(void) {
  char path[64], file[] = "/tmp/perf_map.XXXXXX";
  expect_name("function", "nophook_function_thunks");
  expect_name("function_graph", "nophook_function_graph_thunks");
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  in_child(NULL);
  close(mkstemp(file));
  in_child(file);
  struct stat about;
  EXPECT(stat(file, &about) == 0 && about.st_size == 0);
  unlink(file);
  snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
  EXPECT(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600);
  unlink(path);
  return failures;
}
