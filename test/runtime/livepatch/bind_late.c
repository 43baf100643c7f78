// The symbols of a library that a patch is for are bound when it comes, before the patch's callbacks, and again
// when it comes back to another address. A library of another build is not patched.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.late.so -Wl,--build-id=0x12ab34cd
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t.fix.so
// RUN: %traced_cc -O1 %s -o %t %linked && env NOPHOOK=log=stderr %t %t.late.so %t.fix.so 2>&1 | FileCheck %s
// CHECK-NOT: no such name
// CHECK: pre_patch sees 40
// CHECK: first: 41 141 3
// CHECK: pre_patch sees 40
// CHECK: moved: 41 141 3
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.late.so -Wl,--build-id=0x12ab34ce
// RUN: env NOPHOOK=log=stderr %t %t.late.so %t.fix.so 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: livepatch: bind_late.c.tmp.fix: bind_late.c.tmp.late.so: the patch is for build id 12ab34cd, but 12ab34ce is loaded
// OTHER-NOT: pre_patch
// OTHER: first: 40 40 2
#if defined LIBRARY
#include "program.h"
static volatile int in_library = 40;
static _Thread_local volatile int per_thread = 2;
NOINLINE static int read_it(void) { return in_library; }
NOINLINE int old_version(int *of_thread) { *of_thread = per_thread; return read_it(); }
int call_it(void);
UNTRACED int call_it(void) { return read_it(); }
#elif defined FIX
#include "klp.h"
#define NAME "bind_late.c.tmp.late.so"
#define OLD(declaration, name) extern declaration __asm__(".klp.sym." NAME "." name ",0") __attribute__((weak))
OLD(int in_library, "in_library");
OLD(int read_it(void), "read_it");
OLD(_Thread_local int per_thread, "per_thread");
static int *table[] = {&in_library};
static int new_version(int *of_thread) {
  *of_thread = ++per_thread;
  return read_it();
}
static int new_read_it(void) { return ++*table[0] + 0 * in_library; }
UNTRACED static int pre_patch(struct klp_object *object) {
  (void)object;
  printf("pre_patch sees %d\n", *table[0]);
  fflush(stdout);
  return 0;
}
static struct klp_func funcs[] = {FUNC(old_version, new_version), FUNC(read_it, new_read_it), {.old_name = NULL}};
static struct klp_object objects[] = {{.name = NAME, .funcs = funcs, .callbacks.pre_patch = pre_patch, .build_id = "12ab34cd"}, {.funcs = NULL}};
struct klp_patch fix = {.objs = objects};
#else
#include "klp.h"
#include <dlfcn.h>
#include <sys/mman.h>
UNTRACED static void *show(const char *when, const char *path, void **base) {
  void *library = dlopen(path, RTLD_NOW);
  int (*old_version)(int *) = (int (*)(int *))dlsym(library, "old_version");
  int (*call_it)(void) = (int (*)(void))dlsym(library, "call_it");
  int of_thread = 0, first = old_version(&of_thread), second = call_it();
  printf("%s: %d %d %d\n", when, first, second == first ? second : second + 99, of_thread);
  fflush(stdout);
  Dl_info info;
  dladdr((void *)call_it, &info);
  *base = info.dli_fbase;
  return library;
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  struct klp_patch *fix = dlsym(dlopen(arguments[2], RTLD_NOW), "fix");
  enable_and_wait(fix);
  void *before, *after;
  EXPECT_EQ(dlclose(show("first", arguments[1], &before)), 0);
  mmap(before, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  show("moved", arguments[1], &after);
  EXPECT_EQ(before != after, 1);
  disable_and_wait(fix);
  return failures;
}
#endif
