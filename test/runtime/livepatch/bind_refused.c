// A patch whose symbols cannot be bound is refused by their names, and changes nothing: another build, no
// such name, one of several, a position that there is not, an ifunc, thread-local on one side only, an object
// that it does not patch, code that would be changed, and a file that has been stripped or replaced.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -c -DSECOND %s -o %t/second.o
// RUN: %traced_cc -O1 %s %t/second.o -o %t/program %linked -Wl,--build-id=0x12ab34cd
// RUN: sh -c 'for each in BUILD MISSING SEVERAL POSITION IFUNC THREAD PLAIN OBJECT SHAPE GOOD; do %traced_cc -O1 -shared -fPIC -DFIX -D$each %s -o %t/$each.so || exit; done'
// RUN: cd %t && env NOPHOOK=log=stderr %t/program BUILD MISSING SEVERAL POSITION IFUNC THREAD PLAIN OBJECT SHAPE GOOD 2>&1 | FileCheck %s
// CHECK: livepatch: BUILD: the program: the patch is for build id ff00, but 12ab34cd is loaded
// CHECK-NEXT: BUILD: -22
// CHECK: livepatch: MISSING: program: no_such_name: the symbol table has no such name
// CHECK-NEXT: MISSING: -2
// CHECK: livepatch: SEVERAL: program: same_name: several symbols have this name: its position must say which
// CHECK-NEXT: SEVERAL: -2
// CHECK: livepatch: POSITION: program: same_name: the symbol table has no such name
// CHECK-NEXT: POSITION: -2
// CHECK: livepatch: IFUNC: program: chosen: the symbol is an ifunc
// CHECK-NEXT: IFUNC: -22
// CHECK: livepatch: THREAD: program: plain: the variable is thread-local in the patch, but not in the file
// CHECK-NEXT: THREAD: -22
// CHECK: livepatch: PLAIN: program: per_thread: the variable is thread-local in the file, but not in the patch
// CHECK-NEXT: PLAIN: -22
// CHECK: livepatch: OBJECT: .klp.sym.elsewhere.plain,0: the symbol is of no object of the patch
// CHECK-NEXT: OBJECT: -22
// CHECK: livepatch: SHAPE: .klp.sym.program.plain: the symbol does not end with a comma and its position
// CHECK-NEXT: SHAPE: -22
// CHECK: GOOD: 0
// RUN: cp %t/program %t/whole && %strip %t/program && cd %t && env NOPHOOK=log=stderr ./program GOOD 2>&1 | FileCheck %s --check-prefix=STRIPPED
// STRIPPED: GOOD: -2
#if defined SECOND
#include "program.h"
static volatile int same_name = 2;
int read_second(void);
UNTRACED int read_second(void) { return same_name; }
#elif defined FIX
#include "klp.h"
#define OLD(declaration, name) extern declaration __asm__(".klp.sym." name) __attribute__((weak))
static const char *const build_id =
#ifdef BUILD
  "ff00";
#else
  NULL;
#endif
#if defined MISSING
OLD(int used, "program.no_such_name,0");
#elif defined SEVERAL
OLD(int used, "program.same_name,0");
#elif defined POSITION
OLD(int used, "program.same_name,3");
#elif defined IFUNC
OLD(int function(void), "program.chosen,0");
#define used function()
#elif defined THREAD
OLD(_Thread_local int used, "program.plain,0");
#elif defined PLAIN
OLD(int used, "program.per_thread,0");
#elif defined OBJECT
OLD(int used, "elsewhere.plain,0");
#elif defined SHAPE
OLD(int used, "program.plain");
#else
OLD(int used, "program.same_name,2");
#endif
static int new_version(void) { return used; }
static struct klp_func funcs[] = {FUNC(old_version, new_version), {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = funcs}, {.funcs = NULL}};
static struct klp_patch fix = {.objs = objects};
UNTRACED int enable(void);
UNTRACED int enable(void) {
  objects[0].build_id = build_id;
  int error = klp_enable_patch(&fix);
  wait_for_patch(&fix);
  return error;
}
#else
#include "klp.h"
#include <dlfcn.h>
static volatile int same_name = 1, plain = 4;
static _Thread_local volatile int per_thread = 30;
static int four(void) { return 4; }
UNTRACED static void *choose(void) { return (void *)four; }
int chosen(void) __attribute__((ifunc("choose")));
int read_second(void);
NOINLINE static int old_version(void) { return plain + per_thread + same_name + chosen() + read_second(); }
UNTRACED int main(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    char path[64];
    snprintf(path, sizeof path, "./%s.so", arguments[i]);
    int (*enable)(void) = (int (*)(void))dlsym(dlopen(path, RTLD_NOW), "enable");
    int error = enable();
    printf("%s: %d\n", arguments[i], error);
    fflush(stdout);
    EXPECT_EQ(old_version(), error ? 41 : 2);
  }
  return failures;
}
#endif
