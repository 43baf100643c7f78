// `patch apply` brings a patch into a process that was started without the runtime. A file that cannot be loaded changes nothing.
// REQUIRES: ptrace
// RUN: rm -rf %t.run && mkdir %t.run
// RUN: %traced_cc %s -o %t.run/program
// RUN: %clang -DFIX -O1 -shared -fPIC -I %S/../../../include %s -o %t.run/fix.so
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/apply_unprepared.py %nophook %t.run
#ifdef FIX
#include <livepatch.h>
static int new_answer(void) { return 42; }
static struct klp_func functions[] = {{.old_name = "answer", .new_func = (void *)new_answer}, {0}};
static struct klp_object objects[] = {{.funcs = functions}, {0}};
static struct klp_patch patch = {.objs = objects};
__attribute__((constructor)) static void enable(void) { klp_enable_patch(&patch); }
#else
#include <stdio.h>
__attribute__((noinline)) int answer(void) {
  int n = 41;
  __asm__ volatile("" : "+r"(n)); // no constant for the caller
  return n;
}
int main(void) {
  char line[64];
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (fgets(line, sizeof line, stdin))
    printf("%d\n", answer());
}
#endif
