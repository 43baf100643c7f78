// A patch is a library whose constructor enables it, while threads run. It patches another library, before
// and after that is loaded, and its callbacks come in the kernel's order; a library that goes takes
// nothing with it.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.patched.so
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t.fix.so
// RUN: %traced_cc -O1 %s -o %t %linked && %t %t.patched.so %t.fix.so | FileCheck %s
// CHECK: enabled before:{{$}}
// CHECK-NEXT: pre_patch program, pre_patch library, post_patch program, post_patch library, 101 102
// CHECK-NEXT: unloaded: pre_unpatch library, post_unpatch library,
// CHECK-NEXT: loaded again: pre_patch library, post_patch library, 101 102
// CHECK-NEXT: disabled: pre_unpatch program, pre_unpatch library, post_unpatch program, post_unpatch library, 1 2
#if defined LIBRARY
#include "program.h"
NOINLINE int in_library(void) { int n = 2; KEEP(&n); return n; }
#elif defined FIX
#include "klp.h"
static int is_late;
#define CALLBACK(when, object) printf(#when " %s, ", (object)->name ? "library" : "program")
UNTRACED static int pre_patch(struct klp_object *o) { CALLBACK(pre_patch, o); return 0; }
UNTRACED static void post_patch(struct klp_object *o) { CALLBACK(post_patch, o); }
UNTRACED static void pre_unpatch(struct klp_object *o) { CALLBACK(pre_unpatch, o); }
UNTRACED static void post_unpatch(struct klp_object *o) { CALLBACK(post_unpatch, o); }
#define CALLBACKS {pre_patch, post_patch, pre_unpatch, post_unpatch}
static int new_in_program(void) { int n = 101; KEEP(&n); return n; }
static int new_in_library(void) { int n = 102; KEEP(&n); return n; }
static struct klp_func program_funcs[] = {FUNC(in_program, new_in_program), {.old_name = NULL}};
static struct klp_func library_funcs[] = {FUNC(in_library, new_in_library), {.old_name = NULL}};
static struct klp_object objects[] = {{NULL, program_funcs, CALLBACKS, NULL}, {"library.c.tmp.patched.so", library_funcs, CALLBACKS, NULL}, {.funcs = NULL}};
struct klp_patch fix = {.objs = objects};
UNTRACED __attribute__((constructor)) static void enable(void) { EXPECT_EQ(klp_enable_patch(&fix), 0); (void)is_late; }
#else
#include "klp.h"
#include <dlfcn.h>
#include <pthread.h>
NOINLINE int in_program(void) { int n = 1; KEEP(&n); return n; }
static int over;
UNTRACED static void *run(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    in_program();
  return unused;
}
UNTRACED static void show(void *library) {
  int (*in_library)(void) = (int (*)(void))dlsym(library, "in_library");
  printf("%d %d\n", in_program(), in_library());
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  void *library = dlopen(arguments[1], RTLD_NOW);
  printf("enabled before:\n");
  void *patch = dlopen(arguments[2], RTLD_NOW);
  struct klp_patch *fix = dlsym(patch, "fix");
  wait_for_patch(fix);
  show(library);
  printf("unloaded: ");
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(in_program(), 101);
  EXPECT_EQ(dlclose(patch), 0); // it stays
  printf("\nloaded again: ");
  library = dlopen(arguments[1], RTLD_NOW);
  show(library);
  printf("disabled: ");
  EXPECT_EQ(klp_disable_patch(fix), 0);
  wait_for_patch(fix);
  show(library);
  set(&over, 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
