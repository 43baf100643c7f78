// Shadow variables: data that belongs to an address and a number, made once however many threads ask
// for it, found without a lock while others come and go, refused by its constructor, and freed.
// RUN: %traced_cc -O1 %s -o %t %linked && env NOPHOOK=log=stderr %t 2>&1 | FileCheck %s
// CHECK: livepatch: the shadow variable <0x{{[0-9a-f]+}}, 0x1> exists already
// CHECK-NOT: not true
// CHECK-NOT: is {{.*}}, not
// CHECK: done 0
#include "program.h"
#include <livepatch.h>
#include <pthread.h>
#include <string.h>

struct Counts { int ctors, dtors, refuse; };
static struct Counts counts;
UNTRACED static int ctor(void *obj, void *data, void *ctor_data) {
  struct Counts *c = ctor_data;
  c->ctors++;
  if (c->refuse)
    return -22;
  *(void **)data = obj;
  return 0;
}
UNTRACED static void dtor(void *obj, void *data) {
  EXPECT(*(void **)data == obj);
  counts.dtors++;
}

UNTRACED static void check_one_thread(void) {
  int a, b;
  char zero[64] = {0};
  EXPECT(!klp_shadow_get(&a, 1));
  void *data = klp_shadow_alloc(&a, 1, sizeof(void *), ctor, &counts);
  EXPECT(data && klp_shadow_get(&a, 1) == data);
  EXPECT(!klp_shadow_get(&a, 2) && !klp_shadow_get(&b, 1));
  EXPECT(!klp_shadow_alloc(&a, 1, sizeof(void *), ctor, &counts)); // exists
  EXPECT(klp_shadow_get_or_alloc(&a, 1, sizeof(void *), ctor, &counts) == data);
  EXPECT_EQ(counts.ctors, 1);
  void *plain = klp_shadow_alloc(&a, 2, sizeof zero, NULL, NULL);
  EXPECT(plain && plain != data && !memcmp(plain, zero, sizeof zero));
  counts.refuse = 1;
  EXPECT(!klp_shadow_get_or_alloc(&b, 1, sizeof(void *), ctor, &counts));
  EXPECT(!klp_shadow_get(&b, 1));
  counts.refuse = 0;
  EXPECT(klp_shadow_get_or_alloc(&b, 1, sizeof(void *), ctor, &counts));
  klp_shadow_free(&a, 2, NULL);
  klp_shadow_free(&a, 3, dtor); // there is none
  EXPECT(!klp_shadow_get(&a, 2) && klp_shadow_get(&a, 1) == data);
  EXPECT_EQ(counts.dtors, 0);
  klp_shadow_free_all(1, dtor);
  EXPECT_EQ(counts.dtors, 2);
  EXPECT(!klp_shadow_get(&a, 1) && !klp_shadow_get(&b, 1));
}

// Readers of variables that stay, while others of the same objects come and go: an entry that is
// freed comes back in front of another object's. And all writers want the same new variables.
enum { kObjects = 60, kRounds = 2000, kWriters = 3 };
static char stays[kObjects], made[kRounds];
static struct Counts shared;
static int over;
static pthread_barrier_t barrier;
UNTRACED static void *read_all(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    for (int i = 0; i < kObjects; i++) {
      void **data = klp_shadow_get(&stays[i], 7);
      EXPECT(data && *data == &stays[i]);
      if (failures)
        return unused;
    }
  return unused;
}
UNTRACED static void *write_all(void *raw) {
  int mine = *(int *)raw;
  for (int round = 0; round < kRounds; round++) {
    pthread_barrier_wait(&barrier);
    EXPECT(klp_shadow_get_or_alloc(&made[round], 9, sizeof(void *), ctor, &shared));
    for (int i = mine; i < kObjects; i += kWriters)
      EXPECT(klp_shadow_alloc(&stays[i], 8, 1, NULL, NULL));
    for (int i = mine; i < kObjects; i += kWriters)
      klp_shadow_free(&stays[i], 8, NULL);
  }
  return NULL;
}

UNTRACED int main(void) {
  check_one_thread();
  for (int i = 0; i < kObjects; i++)
    EXPECT(klp_shadow_alloc(&stays[i], 7, sizeof(void *), ctor, &counts));
  pthread_t readers[2], writers[kWriters];
  int numbers[kWriters] = {0, 1, 2};
  pthread_barrier_init(&barrier, NULL, kWriters);
  for (int i = 0; i < 2; i++)
    pthread_create(&readers[i], NULL, read_all, NULL);
  for (int i = 0; i < kWriters; i++)
    pthread_create(&writers[i], NULL, write_all, &numbers[i]);
  for (int i = 0; i < kWriters; i++)
    pthread_join(writers[i], NULL);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    pthread_join(readers[i], NULL);
  EXPECT_EQ(shared.ctors, kRounds);
  klp_shadow_free_all(7, NULL);
  EXPECT(!klp_shadow_get(&stays[0], 7) && !klp_shadow_get(&stays[kObjects - 1], 7));
  printf("done %d\n", failures);
  return failures;
}
