// pthread_cancel and pthread_exit unwind traced frames and run their destructors.
// RUN: %traced_cxx -O0 %s -o %t && %alike --must blocker --must leaver -- %t
// RUN: %traced_cxx -O2 %s -o %t && %alike --must blocker --must leaver -- %t
#include "program.h"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static int cleaned;
static sem_t blocked;
struct Cleaner {
  ~Cleaner() { cleaned++; }
};
NOINLINE static void blocker() {
  Cleaner cleaner;
  sem_post(&blocked);
  for (;;)
    pause();
}
NOINLINE static void leaver() {
  Cleaner cleaner;
  pthread_exit(&cleaned);
}
template <void Body()> NOINLINE static void *outer(void *unused) {
  Cleaner cleaner;
  Body();
  return unused;
}

int main() {
  pthread_t thread;
  void *result;
  sem_init(&blocked, 0, 0);
  EXPECT_EQ(pthread_create(&thread, nullptr, outer<blocker>, nullptr), 0);
  sem_wait(&blocked);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  EXPECT(result == PTHREAD_CANCELED);
  EXPECT_EQ(cleaned, 2);
  EXPECT_EQ(pthread_create(&thread, nullptr, outer<leaver>, nullptr), 0);
  pthread_join(thread, &result);
  EXPECT(result == &cleaned);
  EXPECT_EQ(cleaned, 4);
  return failures;
}
