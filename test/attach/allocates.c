// Threads that allocate all the time, and wait for each other in malloc, are attached to at a place outside of it.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run MALLOC_ARENA_MAX=1 %python %inputs/once.py %nophook %t %t.run %rounds
// RUN: env XDG_RUNTIME_DIR=%t.run MALLOC_ARENA_MAX=1 %python %inputs/rounds.py %nophook %t %t.run %rounds 3
#include "turns.h"
#include <pthread.h>
static volatile int g_ends;
__attribute__((noinline)) static void use(char *memory, size_t bytes) {
  memset(memory, 1, bytes);
}
static void *allocate(void *unused) {
  enum { kKept = 64 };
  char *kept[kKept] = {0};
  for (unsigned i = 0; !g_ends; i++) {
    size_t bytes = 16 + i * 7919u % 40000; // beyond what a thread keeps for itself
    char **place = &kept[i % kKept];
    MUST((*place = realloc(*place, bytes)) != NULL);
    use(*place, bytes);
    if (i % 5 == 0) {
      free(*place);
      *place = NULL;
    }
    turn();
    if (i % 1024 == 0)
      g_ends = g_ends || has_input_ended();
  }
  return unused;
}
int main(int count, char **arguments) {
  pthread_t threads[3];
  MUST(count >= 2);
  open_turns(arguments[1]);
  for (int i = 0; i < 3; i++)
    MUST(pthread_create(&threads[i], NULL, allocate, NULL) == 0);
  allocate(NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
