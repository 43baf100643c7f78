// `patch apply` brings a library with a patch into a process that serves, `revert` disables the patch, and
// `unload` unloads the library when no thread is in it; each says what it refuses, and which threads it waits for.
// RUN: rm -rf %t.run && mkdir %t.run
// RUN: %traced_cc -D_GNU_SOURCE -I %S/../../../include -I %S/../../support -O1 %s -o %t.run/program %linked -rdynamic
// RUN: %clang -DFIX -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/fix.so
// RUN: %clang -DOTHER -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/other.so
// RUN: %clang -DABSENT -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/absent.so
// RUN: %clang -DEMPTY -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/empty.so
// RUN: %clang -DUNRESOLVED -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/unresolved.so
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/apply.py %nophook %lib/libnophook.so %t.run
#if defined FIX || defined OTHER || defined ABSENT
#include <livepatch.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
extern sem_t *guest_may_leave(void);
static void *guest(void *semaphore) { sem_wait(semaphore); return semaphore; }
#ifdef FIX
static int new_answer(void) { return 42; }
// A thread that stays in the library when the patch is reverted.
static int new_invite(void) {
  pthread_t thread;
  pthread_create(&thread, 0, guest, guest_may_leave());
  pthread_detach(thread);
  return 1;
}
static int new_waits(void) { return 12; }
static struct klp_func funcs[] = {{"answer", (void *)new_answer, 0}, {"invite", (void *)new_invite, 0}, {"waits", (void *)new_waits, 0}, {0}};
#elif defined OTHER
static int new_waits(void) { (void)guest; return 22; }
static struct klp_func funcs[] = {{"waits", (void *)new_waits, 0}, {0}};
#else
static int new_answer(void) { (void)guest; return 43; }
static struct klp_func funcs[] = {{"question", (void *)new_answer, 0}, {0}};
#endif
static struct klp_object objects[] = {{0, funcs, {0, 0, 0, 0}}, {0}};
static struct klp_patch patch = {objects, 0, false, 0};
__attribute__((constructor)) static void enable(void) { klp_enable_patch(&patch); }
#elif defined EMPTY
int nothing;
#elif defined UNRESOLVED
extern int is_nowhere(void);
int (*keeps)(void) = is_nowhere;
#else
#include "klp.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static int leave, tid;
static sem_t guest_semaphore;
sem_t *guest_may_leave(void) { return &guest_semaphore; }
NOINLINE int answer(void) { int n = 41; KEEP(&n); return n; }
NOINLINE int invite(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int waits(void) { int n = 2; KEEP(&n); set(&tid, (int)syscall(SYS_gettid)); wait_until(&leave, 1); return n; }
UNTRACED static void *run(void *unused) {
  pthread_setname_np(pthread_self(), "waiting-here");
  waits();
  return unused;
}

// Each line is a step, and is answered.
UNTRACED int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  sem_init(&guest_semaphore, 0, 0);
  char line[64];
  pthread_t thread;
  while (fgets(line, sizeof line, stdin)) {
    if (strcmp(line, "answer\n") == 0) {
      printf("%d\n", answer());
    } else if (strcmp(line, "invite\n") == 0) {
      printf("%d\n", invite());
    } else if (strcmp(line, "let the guest go\n") == 0) {
      printf("%d\n", sem_post(&guest_semaphore));
    } else if (strcmp(line, "wait\n") == 0) {
      set(&leave, 0);
      set(&tid, 0);
      pthread_create(&thread, NULL, run, NULL);
      while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
        sched_yield();
      printf("%d\n", tid);
    } else if (strcmp(line, "leave\n") == 0) {
      set(&leave, 1);
      printf("%d\n", pthread_join(thread, NULL));
    }
  }
  return failures;
}
#endif
