// The kernel's test-shadow-vars.sh holds: two variables of each of three objects are made by both functions, found, not
// made twice, freed one by one, and freed by their number.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "program.h"
#include <livepatch.h>

enum { kObjects = 3, kFirst = 0x1234, kSecond = 0x1235 };
static int objects[kObjects], firsts[kObjects], seconds[kObjects], ctors, dtors;
UNTRACED static int ctor(void *object, void *data, void *ctor_data) {
  (void)object;
  ctors++;
  *(void **)data = ctor_data;
  return 0;
}
UNTRACED static void dtor(void *object, void *data) {
  EXPECT(*(int **)data == &firsts[(int *)object - objects]);
  dtors++;
}
UNTRACED static void expect(int i, unsigned long id, int *wanted) {
  int **data = klp_shadow_get(&objects[i], id);
  EXPECT(wanted ? data && *data == wanted : !data);
}

UNTRACED static void basic_shadow_variable_api(void) {
  void *made[kObjects];
  expect(0, kFirst, NULL);
  for (int i = 0; i < kObjects; i++) {
    made[i] = i % 2 ? klp_shadow_alloc(&objects[i], kFirst, sizeof(void *), ctor, &firsts[i])
                    : klp_shadow_get_or_alloc(&objects[i], kFirst, sizeof(void *), ctor, &firsts[i]);
    EXPECT(klp_shadow_alloc(&objects[i], kSecond, sizeof(void *), ctor, &seconds[i]));
  }
  EXPECT_EQ(ctors, 2 * kObjects);
  for (int i = 0; i < kObjects; i++) {
    expect(i, kFirst, &firsts[i]);
    expect(i, kSecond, &seconds[i]);
  }
  for (int i = 0; i < kObjects; i++)
    EXPECT(klp_shadow_get_or_alloc(&objects[i], kFirst, sizeof(void *), ctor, &firsts[i]) == made[i]);
  EXPECT_EQ(ctors, 2 * kObjects);
  for (int i = 0; i < kObjects; i++) {
    klp_shadow_free(&objects[i], kFirst, dtor);
    EXPECT_EQ(dtors, i + 1);
    expect(i, kFirst, NULL);
  }
  for (int i = 0; i < kObjects; i++)
    expect(i, kSecond, &seconds[i]);
  klp_shadow_free_all(kSecond, NULL);
  for (int i = 0; i < kObjects; i++)
    expect(i, kSecond, NULL);
  EXPECT_EQ(dtors, kObjects);
}

UNTRACED int main(void) {
  basic_shadow_variable_api();
  return failures;
}
