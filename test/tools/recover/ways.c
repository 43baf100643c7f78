// A program that ends without its exit handlers, by quick_exit, _exit, exit_group or abort, leaves all calls that it has made.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK="current_tracer=function set_ftrace_filter=work" %t
// RUN: %nophook recover -o %t.data %t.run/nophook && %nophook report --json %t.data > %t.json
// RUN: %python -c "import collections, json; c = collections.Counter(e['pid'] for e in map(json.loads, open('%t.json')) if e.get('function') == 'work'); assert list(c.values()) == [1000] * 4, c"
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define UNTRACED __attribute__((no_instrument_function))
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
UNTRACED static void end(int way) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (int i = 0; i < 1000; i++)
    work(i);
  if (way == 0)
    quick_exit(3);
  if (way == 1)
    _exit(3);
  if (way == 2)
    syscall(SYS_exit_group, 3);
  abort();
}
UNTRACED int main(void) {
  for (int way = 0; way < 4; way++) {
    int status;
    if (fork() == 0)
      end(way);
    wait(&status);
    if (status != (way < 3 ? W_EXITCODE(3, 0) : SIGABRT))
      return 1;
  }
  _exit(0);
}
