// A library function that leaves its frame, returns twice, asks for its caller, or blocks works as without tracing.
// RUN: %traced_cc %s -ldl -o %t
// RUN: %t > %t.plain
// RUN: %nophook record --calls -o %t.1 %t > %t.graph && diff %t.plain %t.graph
// RUN: %nophook record --calls -p function -o %t.2 %t > %t.function && diff %t.plain %t.function
// RUN: %nophook record --calls -p profile -o %t.3 %t > %t.profile && diff %t.plain %t.profile
// RUN: env NOPHOOK_POKE=skip %nophook record --calls -o %t.4 %t > %t.skip && diff %t.plain %t.skip
// RUN: env NOPHOOK_POKE=trap %nophook record --calls -o %t.5 %t > %t.trap && diff %t.plain %t.trap
// RUN: %nophook report %t.1 2>&1 | FileCheck %s
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
static jmp_buf place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void *waits(void *result) {
  pthread_mutex_lock(&mutex);
  while (!is_ready)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_exit(result);
}
static int by_jump(int depth) {
  if (depth)
    return by_jump(depth - 1) + 1;
  longjmp(place, 7);
}
static volatile sig_atomic_t signals;
static void on_signal(int number) {
  int before = errno;
  char text[32];
  snprintf(text, sizeof text, "%d", number); // a call into a library in a handler
  errno = before;
  signals++;
}
int main(void) {
  int jumps = setjmp(place);
  printf("setjmp %d\n", jumps);
  if (!jumps)
    by_jump(3);
  pid_t child = vfork();
  if (!child) {
    execl("/bin/true", "true", (char *)0);
    _exit(9);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("vfork %d\n", status);
  fflush(stdout);
  child = fork();
  if (!child)
    exit(5);
  waitpid(child, &status, 0);
  printf("fork %d\n", WEXITSTATUS(status));
  double (*power)(double, double) = (double (*)(double, double))dlsym(RTLD_DEFAULT, "pow");
  void *handle = dlopen("libm.so.6", RTLD_NOW);
  power = (double (*)(double, double))dlsym(handle, "pow");
  printf("dlsym %g next %d\n", power(2, 10), dlsym(RTLD_NEXT, "malloc") != 0);
  dlclose(handle);
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, waits, &status);
  usleep(1000);
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, &result);
  printf("thread %d\n", result == &status);
  ucontext_t context;
  volatile int again = 0;
  getcontext(&context);
  if (again++ < 2)
    setcontext(&context);
  printf("getcontext %d\n", again);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  errno = 0;
  int failed = close(-1);
  printf("signals %d errno %d %d\n", (int)signals, failed, errno == EBADF);
  printf("%s %d %ld %g %Lg %c %d %d %d %g\n", "variadic", 1, 2L, 3.0, 4.0L, '5', 6, 7, 8, 9.0);
  char text[100], *end;
  memset(text, 'x', sizeof text);
  printf("%d %ld\n", text[99] == 'x', strtol("12z", &end, 10));
  return 0;
}
// CHECK: main() {
// CHECK: _setjmp [libc.so.6]
// CHECK: vfork [libc.so.6]
// CHECK: waitpid [libc.so.6]();
// CHECK: dlsym [libc.so.6]
// CHECK: pthread_join [libc.so.6]
// CHECK: strtol [libc.so.6]();
