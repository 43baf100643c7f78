// A filter takes membarrier away after callbacks were registered: unregistering one that shares its
// functions changes no text, so it begins; what cannot be waited for is said, and done the next time.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"
#include "refuse.h"
#include <pthread.h>

NOINLINE static void called(void) { KEEP(0); }
static struct Counted stays = COUNTED(0), goes = COUNTED(0);
static int over;
UNTRACED static void leave(struct fprobe *probe, unsigned long ip, unsigned long back, struct ftrace_regs *regs, void *data) { (void)probe, (void)ip, (void)back, (void)regs, (void)data; }
static struct fprobe probe = {.exit_handler = leave};
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    called();
  return unused;
}

UNTRACED int main(void) {
  pthread_t thread;
  EXPECT_EQ(register_ftrace_function(&stays.ops), 0);
  EXPECT_EQ(register_ftrace_function(&goes.ops), 0);
  EXPECT_EQ(register_fprobe(&probe, "called", NULL), 0);
  struct fprobe second = {.exit_handler = leave};
  EXPECT_EQ(register_fprobe(&second, "called", NULL), 0);
  pthread_create(&thread, NULL, run, NULL);
  EXPECT_EQ(unregister_fprobe(&second), 0); // membarrier works, and has been asked
  refuse(SYS_membarrier, 0, 0, ENOSYS);
  EXPECT_EQ(unregister_ftrace_function(&goes.ops), -ENOSYS);
  EXPECT_EQ(goes.ops.flags & (FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_ENABLED), FTRACE_OPS_FL_REMOVING);
  EXPECT_EQ(register_ftrace_function(&goes.ops), -EBUSY);
  EXPECT_EQ(unregister_ftrace_function(&goes.ops), -ENOSYS);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  calls_of(&goes), calls_of(&stays);
  called();
  EXPECT_EQ(calls_of(&goes), 0);
  EXPECT_EQ(calls_of(&stays), 1);
  int result;
  while ((result = unregister_ftrace_function(&goes.ops)) == -ENOSYS) // the thread goes by and by
    sched_yield();
  EXPECT_EQ(result, 0);
  EXPECT_EQ(goes.ops.flags & FTRACE_OPS_FL_REMOVING, 0);
  EXPECT_EQ(unregister_ftrace_function(&goes.ops), -ENOENT);
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  EXPECT_EQ(register_ftrace_function(&goes.ops), 0);
  called();
  EXPECT_EQ(calls_of(&goes), 1);
  EXPECT_EQ(unregister_ftrace_function(&goes.ops), 0);
  return failures;
}
