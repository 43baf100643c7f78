// If processes leave their buffers behind without a recorder, the newest 64 and some more stay; those of
// processes that live stay all.
// RUN: %traced_cc -O1 %s -o %t && rm -rf %t.dir && mkdir %t.dir && chmod 700 %t.dir
// RUN: env XDG_RUNTIME_DIR=%t.dir NOPHOOK="current_tracer=function buffer_size_kb=1024" LD_PRELOAD=%runtime %t %t.dir/nophook
// RUN: %show --python '64 <= len(buffers) <= 64 + 64 and all(b.rings for b in buffers)' %t.dir/nophook
// RUN: %show --python 'buffers[0].ppid != buffers[1].pid and buffers[1].ppid == buffers[0].pid' %t.dir/nophook
#include "program.h"
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }
UNTRACED int main(void) {
  int go_on[2];
  work();
  EXPECT_EQ(pipe(go_on), 0);
  pid_t first = fork();
  if (first == 0) { // lives all the time
    work();
    char end;
    EXPECT_EQ(read(go_on[0], &end, 1), 1);
    _exit(0);
  }
  for (int i = 0; i < 300; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      work();
      _exit(0);
    }
    EXPECT_EQ(waitpid(pid, NULL, 0), pid);
  }
  EXPECT_EQ(write(go_on[1], "", 1), 1);
  EXPECT_EQ(waitpid(first, NULL, 0), first);
  return failures != 0;
}
