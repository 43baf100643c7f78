// An interpreter whose every instruction is a musttail call runs traced on a 64 KiB stack.
// RUN: %traced_cc -O0 %s -o %t && %t && %trace -k 65536 -n main -- %t
// RUN: %traced_cc -O2 %s -o %t && %t && %trace -k 65536 -n main -- %t
#include "drain.h"

enum { kRounds = 2000000 };
typedef struct Machine {
  long accumulator, rounds;
} Machine;
typedef long Operation(Machine *m, const unsigned char *pc, long top, long next);

static Operation op_push, op_add, op_swap, op_loop;
Operation *table[] = {op_push, op_add, op_swap, op_loop};
unsigned char program[] = {0, 7, 1, 2, 1, 3}; // push 7, add, swap, add, loop; not constant
#define DISPATCH(pc, top, next) __attribute__((musttail)) return table[*(pc)](m, pc, top, next)

static long op_push(Machine *m, const unsigned char *pc, long top, long next) {
  next = top, top = pc[1];
  DISPATCH(pc + 2, top, next);
}
static long op_add(Machine *m, const unsigned char *pc, long top, long next) {
  m->accumulator += top;
  DISPATCH(pc + 1, top + next, next);
}
static long op_swap(Machine *m, const unsigned char *pc, long top, long next) {
  DISPATCH(pc + 1, next, top);
}
static long op_loop(Machine *m, const unsigned char *pc, long top, long next) {
  if (--m->rounds == 0)
    return m->accumulator + (pc - program);
  DISPATCH(program, top & 15, next & 7);
}
UNTRACED static void *run(void *unused) {
  Machine machine = {0, kRounds};
  Operation *volatile start = op_push; // not to be inlined
  EXPECT_EQ(start(&machine, program, 0, 0), 31999982); // as untraced
  return unused;
}

int main(void) {
  int traced = drain_start();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, run, NULL) == 0);
  pthread_join(thread, NULL);
  if (traced) {
    drain_finish();
    EXPECT_EQ(drained_events[NOPHOOK_EVENT_TAIL] + drain_lost(), 5L * kRounds - 1);
    EXPECT_EQ(drained_events[NOPHOOK_EVENT_EXIT], 1);
  }
  return failures;
}
