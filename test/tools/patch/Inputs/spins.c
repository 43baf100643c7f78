// A program whose threads are where each line of its input says; and, with -DFIX, the patch of its functions.
#ifdef FIX
#include <livepatch.h>
static int linger;
static int new_busy(void) { return 2; }
static int new_calls(void) { return 2; }
static int new_naps(void) { return 2; }
extern int leave;
// In the library, but in no version.
static __attribute__((noinline)) int lingers(void) {
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    linger++;
  return 2;
}
static int new_stays(void) { __attribute__((musttail)) return lingers(); }
static struct klp_func funcs[] = {{"busy", (void *)new_busy, 0}, {"calls", (void *)new_calls, 0}, {"naps", (void *)new_naps, 0}, {"stays", (void *)new_stays, 0}, {0}};
static struct klp_object objects[] = {{0, funcs, {0, 0, 0, 0}}, {0}};
static struct klp_patch patch = {objects, 0, false, 0};
__attribute__((constructor)) static void enable(void) { klp_enable_patch(&patch); }
#else
#include "klp.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

int leave, tid, interrupted;
unsigned long turns; // turns of the thread that spins

UNTRACED __attribute__((noinline)) static void spin(void) {
  set(&tid, (int)syscall(SYS_gettid));
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
}
// The same without an unwind table.
void spin_blindly(void);
__asm__(".pushsection .text,\"ax\",@progbits\n"
        "spin_blindly: mov leave(%rip), %eax; incq turns(%rip); test %eax, %eax; jz spin_blindly; ret\n"
        ".popsection\n");

// In 32-bit code, which a 64-bit program enters by a far call from an address of 32 bits.
static struct LowPage {
  unsigned char far_call[8], loop[24];
  unsigned leave, turns;
} *low;
UNTRACED static void spin_in_32_bits(void) {
  static const struct LowPage code = {
      .far_call = {0xff, 0x19, 0xc3},                   // lcall *(%rcx); ret
      .loop = {0xff, 0x05, 0, 0, 0, 0,                  // 00: incl turns
               0x83, 0x3d, 0, 0, 0, 0, 0x00,            // 06: cmpl $0, leave
               0x74, 0xf1,                              // 0d: je 00
               0xcb}};                                  // 0f: lret
  char *pages = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  EXPECT(pages != MAP_FAILED);
  low = (struct LowPage *)pages;
  *low = code;
  const unsigned turns_at = (unsigned)(uintptr_t)&low->turns, leave_at = (unsigned)(uintptr_t)&low->leave;
  memcpy(low->loop + 2, &turns_at, sizeof turns_at);
  memcpy(low->loop + 8, &leave_at, sizeof leave_at);
  struct { unsigned offset; unsigned short segment; } loop = {(unsigned)(uintptr_t)low->loop, 0x23};
  set(&tid, (int)syscall(SYS_gettid));
  __asm__ volatile("mov %%rsp, %%rbx; mov %1, %%rsp; mov %2, %%ds; call *%0; mov %%rbx, %%rsp; mov %3, %%ds"
                   : : "r"(low), "r"(pages + 8192), "r"(0x2b), "r"(0), "c"(&loop) : "rbx", "memory", "cc");
}

UNTRACED static int compare(const void *a, const void *b) {
  if (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    spin();
  return *(const int *)a - *(const int *)b;
}
NOINLINE int busy(void) { int n = 1; spin(); KEEP(&n); return n; }
NOINLINE int calls(void) {
  int n = 1, numbers[2] = {2, 1};
  qsort(numbers, 2, sizeof(int), compare); // a frame of libc, and one without a frame pointer
  KEEP(&n);
  return n;
}
NOINLINE int walks(void) { int n = 1; spin(); KEEP(&n); return n; } // not patched
NOINLINE int naps(void) {
  int n = 1;
  set(&tid, (int)syscall(SYS_gettid));
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE))
    syscall(SYS_futex, &leave, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
  KEEP(&n);
  return n;
}
NOINLINE int stays(void) { int n = 1; KEEP(&n); return n; }

UNTRACED static void on_signal(int number) { (void)number; spin(); }
UNTRACED static void in_handler(void) {
  stack_t alternate = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaltstack(&alternate, NULL);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

static ucontext_t own, fiber;
UNTRACED static void on_fiber(void) {
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = malloc(1 << 16);
  fiber.uc_stack.ss_size = 1 << 16;
  fiber.uc_link = &own;
  makecontext(&fiber, spin, 0);
  swapcontext(&own, &fiber);
}

UNTRACED static void wait_for_events(void) {
  struct epoll_event event;
  int set_ = epoll_create1(0);
  set(&tid, (int)syscall(SYS_gettid));
  while (!__atomic_load_n(&leave, __ATOMIC_ACQUIRE)) {
    if (epoll_wait(set_, &event, 1, 20) < 0)
      __atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 200000; i++) // runs as long as it sleeps, or so
      __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
  }
  close(set_);
}

static int result;
UNTRACED static void *run(void *where) {
  pthread_setname_np(pthread_self(), where);
  if (strcmp(where, "outside") == 0) spin();
  else if (strcmp(where, "inside") == 0) result = busy();
  else if (strcmp(where, "asleep") == 0) result = naps();
  else if (strcmp(where, "walks") == 0) result = walks();
  else if (strcmp(where, "below") == 0) result = calls();
  else if (strcmp(where, "blind") == 0) spin_blindly();
  else if (strcmp(where, "fiber") == 0) on_fiber();
  else if (strcmp(where, "bits32") == 0) spin_in_32_bits();
  else if (strcmp(where, "handler") == 0) in_handler();
  else if (strcmp(where, "events") == 0) wait_for_events();
  else if (strcmp(where, "stays") == 0) set(&tid, (int)syscall(SYS_gettid)), result = stays();
  return NULL;
}

// Each line is a step, and is answered.
UNTRACED int main(void) {
  static char line[64];
  pthread_t threads[2];
  int count = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "leave") == 0) {
      set(&leave, 1);
      syscall(SYS_futex, &leave, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
      if (low)
        __atomic_store_n(&low->leave, 1, __ATOMIC_RELEASE);
      while (count)
        pthread_join(threads[--count], NULL);
      printf("%d\n", result);
    } else if (strcmp(line, "version") == 0) {
      set(&leave, 1); // where the old ones would wait
      printf("%d\n", busy());
    } else if (strcmp(line, "turns") == 0) {
      printf("%lu\n", low ? __atomic_load_n(&low->turns, __ATOMIC_RELAXED) : __atomic_load_n(&turns, __ATOMIC_RELAXED));
    } else if (strcmp(line, "interrupted") == 0) {
      printf("%d\n", interrupted);
    } else { // a place
      set(&leave, 0), set(&tid, 0), result = 0;
      pthread_create(&threads[count++], NULL, run, strdup(line));
      while (strcmp(line, "blind") && !__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
        sched_yield();
      printf("%d\n", tid);
    }
  }
  return 0;
}
#endif
