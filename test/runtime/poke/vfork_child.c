// A child of vfork that was born before a batch of traps, without our handler, survives it: the
// batch waits for its end, and leaves the sites as they are if that does not come.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include <string.h>
#include "poke.h"
#include <ftrace.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char status_path[64];
static int may_end, has_called, is_over, child_status;
UNTRACED static void call_all(void) {
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
}
// Whether the process that it is a child of has a handler of SIGTRAP by now.
UNTRACED static int parent_has_handler(void) {
  char text[4096];
  int fd = open(status_path, O_RDONLY | O_CLOEXEC);
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  text[length < 0 ? 0 : length] = 0;
  const char *caught = strstr(text, "SigCgt:");
  return caught && strtoul(caught + 7, NULL, 16) >> (SIGTRAP - 1) & 1;
}
// `ends`: it ends by itself in front of an int3.
UNTRACED static void *have_child(void *ends) {
  pid_t pid = vfork();
  if (pid == 0) {
    do {
      call_all();
      __atomic_store_n(&has_called, 1, __ATOMIC_SEQ_CST);
    } while (!(ends ? parent_has_handler() : __atomic_load_n(&may_end, __ATOMIC_SEQ_CST)));
    for (int i = 0; i < 1000; i++)
      call_all();
    _exit(7);
  }
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
  waitpid(pid, &child_status, 0);
  return NULL;
}
// If heads are open, the child goes through all of them, or dies.
UNTRACED static void stop(int step) {
  __atomic_store_n(&has_called, 0, __ATOMIC_SEQ_CST);
  while (step == kPokeHeads && !__atomic_load_n(&has_called, __ATOMIC_SEQ_CST) &&
         !__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
    sched_yield();
}
UNTRACED static long open_sites(void) {
  long count = 0;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++) {
    const unsigned char *ip = (const unsigned char *)*site;
    ip += memcmp(ip, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
    count += *ip != 0x0f;
  }
  return count;
}
UNTRACED static void trace_beside_child(int ends) {
  pthread_t thread;
  snprintf(status_path, sizeof status_path, "/proc/%d/status", getpid());
  pthread_create(&thread, NULL, have_child, ends ? &may_end : NULL);
  while (!__atomic_load_n(&has_called, __ATOMIC_SEQ_CST))
    sched_yield();
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(open_sites(), ends ? sites_end - sites_begin : 0);
  __atomic_store_n(&may_end, 1, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
  EXPECT(WIFEXITED(child_status) && WEXITSTATUS(child_status) == 7);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(open_sites(), sites_end - sites_begin);
}
UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  nophook_poke_stop = stop;
  IN_CHILD(trace_beside_child(1));
  if (count == 1) // takes five seconds, and more under load
    IN_CHILD(trace_beside_child(0));
  return failures != 0;
}
