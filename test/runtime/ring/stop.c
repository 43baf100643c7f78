// A reader that sets `stop` ends the writing at the next sub-buffer, and a child's at once.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function_graph -l work -k 16384 -- %t
#include "drain.h"
#include <sys/wait.h>

NOINLINE static void work(int n) { KEEP(n); }
UNTRACED int main(void) {
  EXPECT(drain_start());
  drain_finish();
  for (int i = 0; i < 10000; i++)
    work(i);
  struct nophook_ring *rings = (struct nophook_ring *)((char *)drained + drained->rings_offset);
  uint32_t begun = rings[0].subbufs;
  EXPECT(begun >= 2);
  __atomic_store_n(&drained->stop, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 100000; i++)
    work(i);
  EXPECT_EQ(rings[0].subbufs, begun);
  EXPECT_EQ(drain_lost(), 0);
  pid_t pid = fork();
  if (pid == 0) {
    work(1);
    char pattern[700];
    glob_t files;
    const char *at = strstr(getenv("NOPHOOK"), "buffer_dir=") + 11;
    snprintf(pattern, sizeof pattern, "%.*s/%d-*", (int)strcspn(at, " "), at, getpid());
    _exit(glob(pattern, 0, NULL, &files) != GLOB_NOMATCH);
  }
  int status = 1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  return failures != 0;
}
