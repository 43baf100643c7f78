// A library that was linked for BTI keeps its landing pads checked while tracers and live patches change its
// sites, and the old version of a patched function is entered behind the pad all the same.
// RUN: %traced_cc -O1 -shared -fPIC -nostartfiles -DLIBRARY -mbranch-protection=bti -Wl,-z,force-bti -Wl,-z,separate-code %s -o %t.library.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p "" -s log=stderr -- %t %t.library.so
#ifdef LIBRARY
#include "program.h"
NOINLINE int old_version(int n) {
  KEEP(&n);
  return n + 1;
}
NOINLINE long sum(long n) { return n ? sum(n - 1) + n : 0; }
#else
#include "klp.h"
#include <dlfcn.h>
#include <ftrace.h>
#include <setjmp.h>
#include <signal.h>

static int (*old_version)(int);
static long (*sum)(long);
static sigjmp_buf refused;
UNTRACED static void on_fault(int signal) {
  (void)signal; // the only one
  siglongjmp(refused, 1);
}
// An indirect call behind the landing pad and the site.
UNTRACED static void expect_checked(void) {
  volatile int traps = 0;
  if (!sigsetjmp(refused, 1))
    ((int (*)(int))((char *)old_version + 8))(1);
  else
    traps++;
  EXPECT_EQ(traps, 1);
}

static int calls;
UNTRACED static void after_unpatching(struct klp_object *object) {
  (void)object; // the stub still leads behind the site
  for (int i = 0; i < 10; i++, calls++)
    EXPECT_EQ(old_version(i), i + 1);
}
NOINLINE int new_version(int n) {
  KEEP(&n);
  return n + 2;
}
static struct klp_func funcs[] = {FUNC(old_version, new_version), {.old_name = NULL}};
static struct klp_object objects[] = {
    {"landing_pads_kept.c.tmp.library.so", funcs, {.post_unpatch = after_unpatching}, NULL}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects};

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  void *library = dlopen(arguments[1], RTLD_NOW);
  EXPECT(library);
  old_version = (int (*)(int))dlsym(library, "old_version");
  sum = (long (*)(long))dlsym(library, "sum");
  signal(SIGILL, on_fault);
  expect_checked();
  static const char *const kTracers[] = {"function", "function_graph", "nop"};
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(tracing_set_tracer(kTracers[i]), 0);
    expect_checked();
    EXPECT_EQ(old_version(5), 6);
    EXPECT_EQ(sum(100), 5050);
  }
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  EXPECT_EQ(old_version(5), 7);
  wait_for_patch(&patch);
  expect_checked();
  EXPECT_EQ(klp_disable_patch(&patch), 0);
  EXPECT_EQ(old_version(5), 6);
  wait_for_patch(&patch);
  EXPECT_EQ(calls, 10);
  expect_checked();
  return failures;
}
#endif
