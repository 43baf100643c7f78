// While a program runs, another build gets its name: its functions are found in the file that runs, and a patch of one
// replaces that one, also if the file has been deleted. For a library whose file is another one, patches are refused.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -O1 -DSWAPPED %s -o %t/other %linked -Wl,--build-id=0x22222222
// RUN: %traced_cc -O1 %s -o %t/program %linked -Wl,--build-id=0x11111111
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t/lib.so -Wl,--build-id=0x11111111
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY -DSWAPPED %s -o %t/lib2.so -Wl,--build-id=0x22222222
// RUN: cd %t && env NOPHOOK=log=stderr ./program 2>&1 | FileCheck %s

// The same without build IDs.
// RUN: %traced_cc -O1 -DSWAPPED %s -o %t/other %linked -Wl,--build-id=none
// RUN: %traced_cc -O1 %s -o %t/program %linked -Wl,--build-id=none
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t/lib.so -Wl,--build-id=none
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY -DSWAPPED %s -o %t/lib2.so -Wl,--build-id=none
// RUN: cd %t && env NOPHOOK=log=stderr ./program 2>&1 | FileCheck %s
// CHECK: livepatch: program: in_library: the file on disk is not the one that runs: put that one back under its name
// CHECK: livepatch: program: in_library: the module's file cannot be read
// CHECK: done 0
#ifdef LIBRARY
#include "program.h"
#ifdef SWAPPED
int padding(int n);
int padding(int n) { KEEP(&n); return n + 1; }
#endif
NOINLINE int in_library(void) { int n = 1; KEEP(&n); return n; }
#else
#include "klp.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
#ifdef SWAPPED
NOINLINE int second(void) { int n = 2; KEEP(&n); return n; }
NOINLINE int first(void) { int n = 1; KEEP(&n); return n; }
#else
NOINLINE int first(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int second(void) { int n = 2; KEEP(&n); return n; }
#endif
NOINLINE int new_first(void) { int n = 10; KEEP(&n); return n; }
NOINLINE int new_in_library(void) { int n = 11; KEEP(&n); return n; }
PATCH(patch, FUNC(first, new_first));
static struct klp_func of_library[] = {FUNC(in_library, new_in_library), {.old_name = NULL}};
static struct klp_object library_objects[] = {{.name = "lib.so", .funcs = of_library}, {.funcs = NULL}};
static struct klp_patch library_patch = {.objs = library_objects};

UNTRACED static void check(void) {
  enable_and_wait(&patch);
  EXPECT_EQ(first(), 10);
  EXPECT_EQ(second(), 2);
  disable_and_wait(&patch);
  EXPECT_EQ(first(), 1);
}
UNTRACED int main(void) {
  void *library = dlopen("./lib.so", RTLD_NOW);
  int (*in_library)(void) = (int (*)(void))dlsym(library, "in_library");
  check();
  EXPECT_EQ(rename("other", "program"), 0);
  check();
  EXPECT_EQ(unlink("program"), 0);
  check();
  EXPECT_EQ(rename("lib.so", "old.so"), 0);
  EXPECT_EQ(rename("lib2.so", "lib.so"), 0);
  EXPECT_EQ(klp_enable_patch(&library_patch), -ENOENT);
  EXPECT_EQ(unlink("lib.so"), 0);
  EXPECT_EQ(klp_enable_patch(&library_patch), -ENOENT);
  EXPECT_EQ(rename("old.so", "lib.so"), 0);
  enable_and_wait(&library_patch);
  EXPECT_EQ(in_library(), 11);
  disable_and_wait(&library_patch);
  printf("done %d\n", failures);
}
#endif
