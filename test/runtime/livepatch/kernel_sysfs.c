// The kernel's test-sysfs.sh holds for a patch's folder: its files, their rights and values, `patched` as a library
// comes and goes, and `replace`.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t/target.so
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t/program %linked && %t/program %t/target.so
#include "program.h"
#ifdef LIBRARY
NOINLINE int in_target(void) { int n = 1; KEEP(&n); return n; }
#else
#include "klp.h"
#include "tree.h" // in test/runtime/tracefs
#include <dlfcn.h>
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }
static struct klp_func funcs[] = {FUNC(version, new_version), {.old_name = NULL}}, target_funcs[] = {FUNC(in_target, new_version), {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = funcs}, {.name = "target", .funcs = target_funcs}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects};
#define P "livepatch/program"

struct Wanted { const char *name; unsigned mode; int found; };
UNTRACED static int visit(const char *name, unsigned mode, void *raw) {
  struct Wanted *wanted = raw;
  if (strcmp(name, wanted->name) == 0)
    wanted->found++, wanted->mode = mode;
  return 0;
}
UNTRACED static unsigned mode_of(const char *folder, const char *name) {
  struct Wanted wanted = {name, 0, 0};
  EXPECT(tracefs_list(folder, visit, &wanted) >= 0);
  EXPECT_EQ(wanted.found, 1);
  return wanted.mode & 0777;
}

UNTRACED static void sysfs_test(void) {
  enable_and_wait(&patch);
  EXPECT_EQ(mode_of(P, "enabled") & 0600, 0600);
  EXPECT_TEXT(P "/enabled", "1\n");
  EXPECT_EQ(mode_of(P, "force") & 0600, 0200);
  EXPECT_EQ(mode_of(P, "transition") & 0600, 0400);
  EXPECT_TEXT(P "/transition", "0\n");
  EXPECT_EQ(mode_of(P "/program", "patched") & 0600, 0400);
  EXPECT_TEXT(P "/program/patched", "1\n");
  disable_and_wait(&patch);
}
UNTRACED static void sysfs_test_object_patched(const char *file) {
  enable_and_wait(&patch);
  EXPECT_TEXT(P "/target/patched", "0\n");
  void *target = dlopen(file, RTLD_NOW);
  EXPECT_TEXT(P "/target/patched", "1\n");
  EXPECT_EQ(dlclose(target), 0);
  EXPECT_TEXT(P "/target/patched", "0\n");
  disable_and_wait(&patch);
}
UNTRACED static void sysfs_test_replace(void) {
  for (int replace = 0; replace < 2; replace++) {
    patch.replace = replace;
    enable_and_wait(&patch);
    EXPECT_TEXT(P "/replace", replace ? "1\n" : "0\n");
    disable_and_wait(&patch);
  }
}

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  sysfs_test();
  sysfs_test_object_patched(arguments[1]);
  sysfs_test_replace();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
