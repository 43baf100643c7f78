// The kernel's test-state.sh holds: a patch changes data of the program and gives it back; a cumulative one takes that
// over, to and fro between equal versions; one of an older version is refused.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
NOINLINE int version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 2; KEEP(&n); return n; }

// The system's state, which each patch sets to 10; the first one keeps what it was.
enum { kId = 1, kLevel = 10 };
static int level = 4;
static char noted[1000];
UNTRACED static void note(const char *what) { strncat(noted, what, sizeof noted - strlen(noted) - 1); }
UNTRACED static void expect(int line, const char *wanted) {
  if (strcmp(noted, wanted) != 0)
    failures++, printf("line %d: it is   %s\n          it should be %s\n", line, noted, wanted);
  noted[0] = 0;
}
#define NOTED(wanted) expect(__LINE__, wanted)
static struct klp_patch *current; // the patch whose callbacks run
UNTRACED static int pre_patch(struct klp_object *o) {
  struct klp_state *before = klp_get_prev_state(kId), *state = klp_get_state(current, kId);
  (void)o;
  note(before ? "taken, " : "allocated, ");
  state->data = before ? before->data : malloc(sizeof level);
  return 0;
}
UNTRACED static void post_patch(struct klp_object *o) {
  (void)o;
  if (klp_get_prev_state(kId)) {
    note("taken over, ");
    return;
  }
  note("fixed, ");
  *(int *)klp_get_state(current, kId)->data = level;
  level = kLevel;
}
UNTRACED static void pre_unpatch(struct klp_object *o) {
  (void)o;
  note("restored, ");
  level = *(int *)klp_get_state(current, kId)->data;
}
UNTRACED static void post_unpatch(struct klp_object *o) {
  (void)o;
  note("freed, ");
  free(klp_get_state(current, kId)->data);
  klp_get_state(current, kId)->data = NULL;
}
#define STATE_PATCH(name, version_)                                                                \
  static struct klp_func name##_funcs[] = {FUNC(version, new_version), {.old_name = NULL}};        \
  static struct klp_object name##_objs[] = {{NULL, name##_funcs, {pre_patch, post_patch, pre_unpatch, post_unpatch}, NULL}, {.funcs = NULL}}; \
  static struct klp_state name##_states[] = {{kId, version_, NULL}, {.id = 0}};                    \
  static struct klp_patch name = {.objs = name##_objs, .states = name##_states, .replace = true}
STATE_PATCH(first, 1);
STATE_PATCH(second, 2);
STATE_PATCH(third, 2);
UNTRACED static void load(struct klp_patch *patch) { current = patch; enable_and_wait(patch); EXPECT_EQ(level, kLevel); }
UNTRACED static void disable(struct klp_patch *patch) { disable_and_wait(patch); EXPECT_EQ(level, 4); }

UNTRACED static void system_state_modification(void) {
  load(&first);
  NOTED("allocated, fixed, ");
  disable(&first);
  NOTED("restored, freed, ");
}
UNTRACED static void taking_over_system_state_modification(void) {
  load(&first);
  load(&second);
  NOTED("allocated, fixed, taken, taken over, ");
  EXPECT_EQ(klp_patch_status(&first), 0);
  disable(&second);
  NOTED("restored, freed, ");
}
UNTRACED static void compatible_cumulative_livepatches(void) {
  load(&second);
  load(&third);
  load(&second);
  NOTED("allocated, fixed, taken, taken over, taken, taken over, ");
  disable(&second);
  NOTED("restored, freed, ");
}
UNTRACED static void incompatible_cumulative_livepatches(void) {
  load(&second);
  NOTED("allocated, fixed, ");
  EXPECT_EQ(klp_enable_patch(&first), -EINVAL);
  EXPECT_EQ(klp_patch_status(&second), KLP_ENABLED);
  NOTED("");
  disable(&second);
  NOTED("restored, freed, ");
}

UNTRACED int main(void) {
  system_state_modification();
  taking_over_system_state_modification();
  compatible_cumulative_livepatches();
  incompatible_cumulative_livepatches();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
