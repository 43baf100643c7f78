// Patches stack, only the newest can be disabled, a cumulative one takes the place of all and gives back
// what only they had; states are compared; what cannot be patched is refused by name and changes nothing.
// RUN: %traced_cc -O1 %s -o %t %linked && env NOPHOOK=log=stderr %t 2>&1 | FileCheck %s
// RUN: llvm-strip %t -o %t.stripped && env NOPHOOK=log=stderr STRIPPED=1 %t.stripped 2>&1 | FileCheck --check-prefix=STRIPPED %s
// CHECK: unique_name: the symbol table has no such function
// CHECK: plain: the function has no site at its entry
// CHECK: a: the patch has it twice
// CHECK: program: a function needs its old name and its new version
// CHECK: a: a callback decides where the function continues
// CHECK: it is not compatible with a state of an enabled patch
// CHECK: the transition is forced
// CHECK: done 0
// STRIPPED: stripped?
// STRIPPED: done 0
#include "klp.h"
#include "ops.h"
#include <pthread.h>
#include <stdlib.h>

#define VERSION(name, number) NOINLINE int name(void) { int n = number; KEEP(&n); return n; }
VERSION(a, 0) VERSION(b, 0) VERSION(a1, 1) VERSION(b1, 1) VERSION(a2, 2) VERSION(a3, 3)
UNTRACED __attribute__((noinline, used)) static int plain(void) { int n = 0; KEEP(&n); return n; }
PATCH(one, FUNC(a, a1), FUNC(b, b1));
PATCH(two, FUNC(a, a2));
PATCH(three, FUNC(a, a3));
PATCH(unknown, FUNC(b, b1), FUNC(unique_name, a1));
PATCH(no_site, FUNC(b, b1), FUNC(plain, a1));
PATCH(twice, FUNC(a, a1), FUNC(a, a2));
PATCH(no_new, {.new_func = (void *)a1});
#define EXPECT_VERSIONS(of_a, of_b) do { EXPECT_EQ(a(), of_a); EXPECT_EQ(b(), of_b); } while (0)

UNTRACED static void refuse(void) {
  EXPECT_EQ(klp_enable_patch(&unknown), -ENOENT);
  EXPECT_EQ(klp_enable_patch(&no_site), -EINVAL);
  EXPECT_EQ(klp_enable_patch(&twice), -EINVAL);
  EXPECT_EQ(klp_enable_patch(&no_new), -EINVAL);
  EXPECT_EQ(klp_enable_patch(NULL), -EINVAL);
  EXPECT_EQ(klp_disable_patch(&one), -EINVAL);
  static struct Counted changes = COUNTED(FTRACE_OPS_FL_IPMODIFY);
  EXPECT_EQ(set_filter(&changes.ops, "a", 1), 0);
  EXPECT_EQ(register_ftrace_function(&changes.ops), 0);
  EXPECT_EQ(klp_enable_patch(&one), -EBUSY);
  EXPECT_EQ(unregister_ftrace_function(&changes.ops), 0);
  EXPECT_VERSIONS(0, 0);
  EXPECT_EQ(text_differing(), 0);
}

static int inside, leave;
NOINLINE int stays(void) { int n = 5; set(&inside, 1); wait_until(&leave, 1); KEEP(&n); return n; }
VERSION(new_stays, 6)
PATCH(forced, FUNC(stays, new_stays));
UNTRACED static void *run(void *unused) { EXPECT_EQ(stays(), 5); EXPECT_EQ(stays(), 6); return unused; }
UNTRACED static void force(void) {
  pthread_t thread;
  EXPECT_EQ(klp_force_patch(&forced), -EINVAL);
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&forced), 0);
  EXPECT_EQ(klp_enable_patch(&two), -EBUSY); // one transition at a time
  EXPECT_EQ(klp_force_patch(&forced), 0);
  EXPECT_EQ(klp_patch_status(&forced), KLP_ENABLED);
  EXPECT_EQ(stays(), 6);
  set(&leave, 1);
  pthread_join(thread, NULL);
  disable_and_wait(&forced);
}

UNTRACED int main(void) {
  if (getenv("STRIPPED")) {
    EXPECT_EQ(klp_enable_patch(&one), -ENOENT);
    printf("done %d\n", failures);
    return failures;
  }
  refuse();
  static struct klp_state states[] = {{1, 2, "one's"}, {7, 1, NULL}, {0, 0, NULL}},
                          newer[] = {{1, 3, "three's"}, {7, 1, NULL}, {0, 0, NULL}}, older[] = {{1, 1, NULL}, {7, 1, NULL}, {0, 0, NULL}};
  one.states = states;
  enable_and_wait(&one);
  EXPECT_VERSIONS(1, 1);
  enable_and_wait(&two);
  EXPECT_VERSIONS(2, 1);
  EXPECT_EQ(klp_disable_patch(&one), -EBUSY);
  disable_and_wait(&two);
  EXPECT_VERSIONS(1, 1);
  enable_and_wait(&two);
  three.replace = true;
  three.states = older;
  EXPECT_EQ(klp_enable_patch(&three), -EINVAL);
  three.states = newer;
  EXPECT(klp_get_prev_state(1) == &states[0] && klp_get_state(&three, 1) == &newer[0]);
  EXPECT(!klp_get_state(&three, 2) && !klp_get_prev_state(2));
  enable_and_wait(&three);
  EXPECT_EQ(klp_patch_status(&one) | klp_patch_status(&two), 0);
  EXPECT_VERSIONS(3, 0);
  EXPECT_EQ(klp_disable_patch(&one), -EINVAL);
  disable_and_wait(&three);
  EXPECT_VERSIONS(0, 0);
  force();
  EXPECT_EQ(text_differing(), 0);
  printf("done %d\n", failures);
  return failures;
}
