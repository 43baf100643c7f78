// dlclose of a patched library in the middle of a transition takes its functions out; the transition goes on with
// the others. When the library comes back in the same transition, its functions take part again.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %t %t.so
#include "klp.h"
#ifdef LIBRARY
__attribute__((visibility("default"))) NOINLINE int in_library(void) { int n = 1; KEEP(&n); return n; }
UNTRACED __attribute__((used)) static int unused(void) { return failures; }
#else
#include <dlfcn.h>
#include <pthread.h>

static int inside, leave;
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int stays(void) { int n = 10; set(&inside, 1); wait_until(&leave, 1); KEEP(&n); return n + half(); }
NOINLINE int new_stays(void) { int n = 20; KEEP(&n); return n + half(); }
static int new_in_library(void) { int n = 2; KEEP(&n); return n; }
static struct klp_func program_funcs[] = {FUNC(half, new_half), FUNC(stays, new_stays), {.old_name = NULL}};
static struct klp_func library_funcs[] = {FUNC(in_library, new_in_library), {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = program_funcs}, {.name = "leaves.c.tmp.so", .funcs = library_funcs}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects};

UNTRACED static void *run(void *result) {
  *(int *)result = stays();
  return NULL;
}
UNTRACED static int call_library(void *library) {
  return ((int (*)(void))dlsym(library, "in_library"))();
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  int result = 0;
  pthread_t thread;
  void *library = dlopen(arguments[1], RTLD_NOW);
  pthread_create(&thread, NULL, run, &result);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(call_library(library), 2);
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
    EXPECT_EQ(half(), 1);
    library = dlopen(arguments[1], RTLD_NOW);
  }
  EXPECT_EQ(call_library(library), 2);
  set(&leave, 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(result, 10);
  wait_for_patch(&patch);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED);
  EXPECT_EQ(call_library(library), 2);
  disable_and_wait(&patch);
  EXPECT_EQ(call_library(library), 1);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
