// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of noticing time off the CPU: of a traced pair while nothing switches, and of a switch
// between two threads of one CPU that hand over to each other. With and without take turns in one
// process, which empties its buffer after each.
//
//      off_cpu [ROUNDS]

#include "support.h"

#include <pthread.h>
#include <semaphore.h>
#include <tracefs.h>

enum { kCalls = 20000, kHandovers = 1000 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

UNTRACED static void write_file(const char *path, const char *text) {
  int error = tracefs_write(path, text, strlen(text), 0);
  if (error)
    give_up("%s to %s: %s", text, path, strerror(-error));
}

UNTRACED static double call(void) {
  double start = now_ns();
  for (int i = 0; i < kCalls; i++)
    leaf();
  return (now_ns() - start) / kCalls;
}

static sem_t turns[2];

UNTRACED static void *hand_over(void *number) {
  const long own = (long)number;
  for (int i = 0; i < kHandovers; i++) {
    while (sem_wait(&turns[own]))
      ;
    leaf();
    sem_post(&turns[!own]);
  }
  return NULL;
}

// CPU time of both threads for each switch: each handover is one.
UNTRACED static double switch_ns(void) {
  pthread_t threads[2];
  struct timespec begin, end;
  sem_init(&turns[0], 0, 1);
  sem_init(&turns[1], 0, 0);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, hand_over, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
         (2 * kHandovers);
}

struct kind {
  const char *tracer, *off_cpu;
  struct samples pair, handover;
};
static struct kind kinds[] = {
    {"nop", "0", {.name = "pair/untraced"}, {.name = "switch/untraced"}},
    {"function_graph", "0", {.name = "pair/graph"}, {.name = "switch/graph"}},
    {"function_graph", "1", {.name = "pair/off_cpu"}, {.name = "switch/off_cpu"}},
};
enum { kKinds = sizeof kinds / sizeof kinds[0] };

UNTRACED int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 31;
  bind_to_last_cpu();
  write_file("set_ftrace_filter", "leaf");
  write_file("current_tracer", "function_graph");
  write_file("current_tracer", "nop");
  map_buffer();
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < kKinds; i++) {
      write_file("off_cpu", kinds[i].off_cpu);
      write_file("current_tracer", kinds[i].tracer);
      call();
      add_sample(&kinds[i].pair, call());
      add_sample(&kinds[i].handover, switch_ns());
      write_file("current_tracer", "nop");
      drain_buffer();
    }
  for (int i = 0; i < kKinds; i++) {
    print_samples(&kinds[i].pair);
    print_samples(&kinds[i].handover);
  }
  return 0;
}
