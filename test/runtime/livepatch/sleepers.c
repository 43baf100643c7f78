// A thread that sleeps is changed over if nothing of what is left is below it, without a signal and
// without being woken. It is waited for if its program counter, a caller, a piece of the function
// (.cold, .part), or what a handler on an alternate stack has interrupted is the old version.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "klp.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

static int inside, wake[2];
// Sleeps with its program counter in the caller's own body.
#define SLEEP_HERE()                                                                               \
  do {                                                                                             \
    char byte_;                                                                                    \
    long result_;                                                                                  \
    __asm__ volatile("syscall" : "=a"(result_) : "0"(SYS_read), "D"(wake[0]), "S"(&byte_), "d"(1L) \
                     : "rcx", "r11", "memory");                                                    \
  } while (0)
UNTRACED __attribute__((noinline)) static void sleep_below(void) {
  char byte;
  set(&inside, 1);
  EXPECT(read(wake[0], &byte, 1) == 1);
}
NOINLINE int version(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_version(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int by_pc(void) { int n = 10; set(&inside, 1); SLEEP_HERE(); return n + version(); }
NOINLINE int new_by_pc(void) { int n = 20; KEEP(&n); return n + version(); }
NOINLINE int by_caller(void) { int n = 10; sleep_below(); KEEP(&n); return n + version(); }
NOINLINE int new_by_caller(void) { int n = 20; KEEP(&n); return n + version(); }
// The code that a compiler would make of an unlikely branch of by_piece(): entered by a jump, and back.
NOINLINE int by_piece(void) { int n = 10; __asm__ volatile("call by_piece.cold" : : : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"); KEEP(&n); return n + version(); }
NOINLINE int new_by_piece(void) { int n = 20; KEEP(&n); return n + version(); }
void sleep_for_piece(void);
UNTRACED __attribute__((used, noinline)) void sleep_for_piece(void) { sleep_below(); }
// The caller's return address is out of sight, as if it had jumped.
__asm__(".pushsection .text.unlikely,\"ax\",@progbits\n"
        ".type by_piece.cold, @function\n"
        "by_piece.cold: pop kept(%rip); call sleep_for_piece; push kept(%rip); ret\n"
        ".size by_piece.cold, . - by_piece.cold\n"
        ".type by_part.part.0, @function\n"
        "by_part.part.0: pop kept(%rip); call sleep_for_piece; push kept(%rip); ret\n"
        ".size by_part.part.0, . - by_part.part.0\n"
        ".popsection\n"
        ".pushsection .bss\nkept: .quad 0\n.popsection\n");
NOINLINE int by_part(void) { int n = 10; __asm__ volatile("call by_part.part.0" : : : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"); KEEP(&n); return n + version(); }
NOINLINE int new_by_part(void) { int n = 20; KEEP(&n); return n + version(); }
PATCH(patch, FUNC(version, new_version), FUNC(by_pc, new_by_pc), FUNC(by_caller, new_by_caller),
      FUNC(by_piece, new_by_piece), FUNC(by_part, new_by_part));

static int result, in_handler, handler_sleeps;
UNTRACED static void on_signal(int number) {
  (void)number;
  if (handler_sleeps)
    sleep_below();
  in_handler = version();
}
NOINLINE int interrupted(void) { int n = 10; raise(SIGUSR1); KEEP(&n); return n + version(); }
NOINLINE int new_interrupted(void) { int n = 20; KEEP(&n); return n + version(); }
PATCH(with_handler, FUNC(version, new_version), FUNC(interrupted, new_interrupted));

UNTRACED static void *run(void *function) {
  stack_t alternate = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&alternate, NULL);
  result = ((int (*)(void))function)();
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, NULL);
  free(alternate.ss_sp);
  return NULL;
}
UNTRACED static int outside(void) { sleep_below(); return version(); }

// The transition does not end before the thread is woken, which then returns `expected`.
UNTRACED static void check(struct klp_patch *p, int (*function)(void), int waits, int expected) {
  pthread_t thread;
  set(&inside, 0);
  pthread_create(&thread, NULL, run, (void *)function);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(p), 0);
  if (waits) {
    int tids[2];
    do // until it is the only one, and longer than a look
      pause_briefly();
    while (klp_pending_threads(tids, 2) != 1 || tids[0] == getpid());
    for (int i = 0; i < 400; i++) {
      EXPECT_EQ(klp_patch_status(p), KLP_ENABLED | KLP_TRANSITION);
      EXPECT_EQ(version(), 1);
      pause_briefly();
    }
  } else {
    wait_for_patch(p);
  }
  EXPECT(write(wake[1], "", 1) == 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(result, expected);
  wait_for_patch(p);
  disable_and_wait(p);
}

UNTRACED int main(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  EXPECT_EQ(pipe(wake), 0);
  check(&patch, outside, 0, 1);
  check(&patch, by_piece, 1, 10); // on a stack on which nothing has left the others' addresses
  check(&patch, by_part, 1, 10);
  check(&patch, by_caller, 1, 10);
  check(&patch, by_pc, 1, 10);
  handler_sleeps = 1;
  check(&with_handler, interrupted, 1, 10);
  EXPECT_EQ(in_handler, 0); // the interrupted function is old
  return failures;
}
