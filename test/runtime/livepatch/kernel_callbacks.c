// The kernel's test-callbacks.sh holds: which callbacks run, in which order, as patches come and go and libraries
// before, behind and in the middle of a transition.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY='"target"' -DFUNCTION=in_target %s -o %t/target.so
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY='"busy"' -DFUNCTION=in_busy %s -o %t/busy.so
// RUN: %traced_cc -O1 -rdynamic %s -o %t/program %linked && %t/program %t/target.so %t/busy.so
#ifdef LIBRARY
#include "program.h"
extern void note(const char *, const char *);
extern void wait_inside(void);
UNTRACED __attribute__((constructor)) static void begin(void) { note("init", LIBRARY); }
UNTRACED __attribute__((destructor)) static void end(void) { note("exit", LIBRARY); }
NOINLINE int FUNCTION(int is_busy) { int n = 1; KEEP(&n); if (is_busy) wait_inside(); KEEP(&n); return n; }
#else
#include "klp.h"
#include <dlfcn.h>
#include <pthread.h>
static char noted[1000];
UNTRACED void note(const char *what, const char *whose) {
  size_t end = strlen(noted);
  snprintf(noted + end, sizeof noted - end, "%s %s, ", what, whose ? whose : "program");
}
UNTRACED static void expect(int line, const char *wanted) {
  if (strcmp(noted, wanted) != 0)
    failures++, printf("line %d: it is   %s\n          it should be %s\n", line, noted, wanted);
  noted[0] = 0;
}
#define NOTED(wanted) expect(__LINE__, wanted)

static int refuses; // the result of pre_patch()
UNTRACED static int pre_patch(struct klp_object *o) { note("pre_patch", o->name); return refuses; }
UNTRACED static void post_patch(struct klp_object *o) { note("post_patch", o->name); }
UNTRACED static void pre_unpatch(struct klp_object *o) { note("pre_unpatch", o->name); }
UNTRACED static void post_unpatch(struct klp_object *o) { note("post_unpatch", o->name); }
#define CALLBACKS {pre_patch, post_patch, pre_unpatch, post_unpatch}
NOINLINE int in_program(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_in_program(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int new_in_library(int is_busy) { int n = 2; KEEP(&is_busy); return n; }
static struct klp_func program_funcs[] = {FUNC(in_program, new_in_program), {.old_name = NULL}},
                       target_funcs[] = {FUNC(in_target, new_in_library), {.old_name = NULL}},
                       busy_funcs[] = {FUNC(in_busy, new_in_library), {.old_name = NULL}}, no_funcs[] = {{.old_name = NULL}};
static struct klp_object objects[] = {{NULL, program_funcs, CALLBACKS, NULL}, {"target", target_funcs, CALLBACKS, NULL}, {"busy", busy_funcs, CALLBACKS, NULL}, {.funcs = NULL}},
                         second_objects[] = {{NULL, no_funcs, CALLBACKS, NULL}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects}, second = {.objs = second_objects};

static const char *target_file, *busy_file;
static void *target;
static int inside, leave, result;
UNTRACED void wait_inside(void) { set(&inside, 1); wait_until(&leave, 1); }
UNTRACED static void load_target(void) { target = dlopen(target_file, RTLD_NOW); EXPECT(target); }
UNTRACED static void unload_target(void) { EXPECT_EQ(dlclose(target), 0); }
UNTRACED static int of_library(void *library, const char *name) { return ((int (*)(int))dlsym(library, name))(0); }

#define PATCHED_ALONE "pre_patch program, post_patch program, "
#define UNPATCHED_ALONE "pre_unpatch program, post_unpatch program, "
#define PATCHED_WITH(name) "pre_patch program, pre_patch " name ", post_patch program, post_patch " name ", "
#define UNPATCHED_WITH(name) "pre_unpatch program, pre_unpatch " name ", post_unpatch program, post_unpatch " name ", "
#define COMING "pre_patch target, post_patch target, init target, "
#define GOING "exit target, pre_unpatch target, post_unpatch target, "

UNTRACED static void target_module_before_livepatch(void) {
  load_target();
  NOTED("init target, ");
  enable_and_wait(&patch);
  NOTED(PATCHED_WITH("target"));
  EXPECT_EQ(of_library(target, "in_target"), 2);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_WITH("target"));
  EXPECT_EQ(of_library(target, "in_target"), 1);
  unload_target();
  NOTED("exit target, ");
}
UNTRACED static void module_coming_notifier(void) {
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  load_target();
  NOTED(COMING);
  EXPECT_EQ(of_library(target, "in_target"), 2);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_WITH("target"));
  unload_target();
  NOTED("exit target, ");
}
UNTRACED static void module_going_notifier(void) {
  load_target();
  enable_and_wait(&patch);
  NOTED("init target, " PATCHED_WITH("target"));
  unload_target();
  NOTED(GOING);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_ALONE);
}
UNTRACED static void module_coming_and_module_going_notifiers(void) {
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  load_target();
  NOTED(COMING);
  unload_target();
  NOTED(GOING);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_ALONE);
}
UNTRACED static void target_module_not_present(void) {
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  EXPECT_EQ(in_program(), 2);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_ALONE);
}
UNTRACED static void pre_patch_callback_ENODEV(void) {
  load_target();
  refuses = -ENODEV;
  EXPECT_EQ(klp_enable_patch(&patch), -ENODEV);
  refuses = 0;
  EXPECT_EQ(klp_patch_status(&patch), 0);
  EXPECT_EQ(in_program(), 1);
  unload_target();
  NOTED("init target, pre_patch program, exit target, ");
}
// The kernel refuses the module. A library cannot be refused, and stays as it is.
UNTRACED static void module_coming_pre_patch_callback_ENODEV(void) {
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  refuses = -ENODEV;
  load_target();
  refuses = 0;
  NOTED("pre_patch target, init target, ");
  EXPECT_EQ(of_library(target, "in_target"), 1);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_ALONE);
  unload_target();
  NOTED("exit target, ");
}
UNTRACED static void multiple_target_modules(void) {
  void *busy = dlopen(busy_file, RTLD_NOW);
  EXPECT_EQ(of_library(busy, "in_busy"), 1);
  enable_and_wait(&patch);
  NOTED("init busy, " PATCHED_WITH("busy"));
  EXPECT_EQ(of_library(busy, "in_busy"), 2);
  load_target();
  NOTED(COMING);
  unload_target();
  NOTED(GOING);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_WITH("busy"));
  dlclose(busy);
  NOTED("exit busy, ");
}
UNTRACED static void *run(void *in_busy) { result = ((int (*)(int))in_busy)(1); return NULL; }
UNTRACED static void busy_target_module(void) {
  void *busy = dlopen(busy_file, RTLD_NOW);
  pthread_t thread;
  pthread_create(&thread, NULL, run, dlsym(busy, "in_busy"));
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  NOTED("init busy, pre_patch program, pre_patch busy, ");
  load_target();
  NOTED("pre_patch target, init target, ");
  unload_target();
  NOTED("exit target, post_unpatch target, ");
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  disable_and_wait(&patch); // while the thread is still in there
  NOTED("post_unpatch program, post_unpatch busy, ");
  set(&leave, 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(result, 1);
  dlclose(busy);
  NOTED("exit busy, ");
}
UNTRACED static void multiple_livepatches(void) {
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  enable_and_wait(&second);
  NOTED(PATCHED_ALONE);
  disable_and_wait(&second);
  NOTED(UNPATCHED_ALONE);
  disable_and_wait(&patch);
  NOTED(UNPATCHED_ALONE);
}
UNTRACED static void atomic_replace(void) {
  second.replace = true;
  enable_and_wait(&patch);
  NOTED(PATCHED_ALONE);
  enable_and_wait(&second);
  NOTED(PATCHED_ALONE); // none of the first patch's
  EXPECT_EQ(in_program(), 1);
  disable_and_wait(&second);
  NOTED(UNPATCHED_ALONE);
}

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  target_file = arguments[1], busy_file = arguments[2];
  target_module_before_livepatch();
  module_coming_notifier();
  module_going_notifier();
  module_coming_and_module_going_notifiers();
  target_module_not_present();
  pre_patch_callback_ENODEV();
  module_coming_pre_patch_callback_ENODEV();
  multiple_target_modules();
  busy_target_module();
  multiple_livepatches();
  atomic_replace();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
