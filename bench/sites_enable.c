// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//      enable [ROUNDS [THREADS]]
//
// main of the generated program where all of its sites are opened and closed while two threads (or
// THREADS, then only `later` and `off` are measured) run through them: the time of each step, in
// milliseconds: on the wall clock, and (cpu:NAME) in processor time of the thread that does it.
// Where the two differ, the threads that run, or another process, had the core.
//
//   prepare      the first tracer, with every function filtered out: sites are found and
//                sorted, islands and the buffer made; nothing is enabled
//   first        all are enabled for the first time: text pages become private
//   first_off    all are disabled for the first time
//   later, off   by tracing_set_tracer, again and again
//   filter_on/off  the same through the notrace list, which leaves the tracer alone
//   one_on/off   one function, found by name among all symbols of the program
//   floor_*      the least work of any such tool: below
//   rewrite      the least work in text that runs: below
//
// The threads are never stopped and write an event for each call while sites are open.
// The buffer is emptied in the pauses. Each step is checked: all sites open, or none.

#include "running.h"

#include <ftrace.h>
#include <linux/membarrier.h>
#include <nophook/site.h>
#include <sys/syscall.h>
#include <tracefs.h>

extern const struct nophook_site __start_mcount_rel[], __stop_mcount_rel[];

// The functions' addresses, ascending.
static uint8_t *starts[1 << 17];
static long sites;

static void find_sites(void) {
  sites = __stop_mcount_rel - __start_mcount_rel;
  for (long i = 0; i < sites; i++)
    starts[i] = (uint8_t *)&__start_mcount_rel[i] + __start_mcount_rel[i].distance;
}

static long open_sites(void) {
  long open = 0;
  for (uint8_t *const *site = starts; site < starts + sites; site++) {
    const uint8_t *at = *site;
    if (at[0] == 0xf3 && at[1] == 0x0f) // endbr64
      at += 4;
    open += at[0] == 0xe8 || at[0] == 0xe9;
  }
  return open;
}

static void check(const char *step, int error, long wanted) {
  if (error)
    give_up("%s: %s", step, strerror(-error));
  long open = open_sites();
  if (open != wanted)
    give_up("%s: %ld sites are open, not %ld", step, open, wanted);
}

static int filter(const char *name) {
  return ftrace_set_global_filter((const unsigned char *)name, (int)strlen(name), 1);
}
static int filter_out_all(void) {
  return ftrace_set_global_notrace((const unsigned char *)"*", 1, 1);
}
static int filter_out_none(void) {
  return ftrace_set_global_notrace(NULL, 0, 1);
}
static int tracer_on(void) {
  return tracing_set_tracer("function");
}
static int tracer_off(void) {
  return tracing_set_tracer("nop");
}
static int one_on(void) {
  return filter("f_07_1234");
}
static int one_off(void) {
  return filter("no_such_function");
}

struct step {
  int (*run)(void);
  struct samples samples;
};
enum { kPrepare, kFirst, kFirstOff, kLater, kOff, kFilterOn, kFilterOff, kOneOn, kOneOff, kSteps };
static struct step steps[kSteps] = {
    [kPrepare] = {tracer_on, {.name = "prepare"}},
    [kFirst] = {filter_out_none, {.name = "first"}},
    [kFirstOff] = {tracer_off, {.name = "first_off"}},
    [kLater] = {tracer_on, {.name = "later"}},
    [kOff] = {tracer_off, {.name = "off"}},
    [kFilterOn] = {filter_out_none, {.name = "filter_on"}},
    [kFilterOff] = {filter_out_all, {.name = "filter_off"}},
    [kOneOn] = {one_on, {.name = "one_on"}},
    [kOneOff] = {one_off, {.name = "one_off"}},
};

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct samples processor_time[kSteps];

static void take(int which, long wanted_open) {
  struct step *step = &steps[which];
  sleep_ms(kPauseMs);
  if (buffer)
    drain_buffer();
  double cpu_start = cpu_ns(), start = now_ns();
  int error = step->run();
  double end = now_ns(), cpu_end = cpu_ns();
  check(step->samples.name, error, wanted_open);
  add_sample(&step->samples, (end - start) / 1e6);
  add_sample(&processor_time[which], (cpu_end - cpu_start) / 1e6);
}

// The floor: open a private mapping of as much text as ours, write a word for each site, and
// serialise the cores once. The first pass pays for copying the pages. No thread runs in it, so
// there is no TLB shoot-down of busy threads' hot pages: it is a floor, not a rival.
static struct samples floor_first = {.name = "floor_first"}, floor_later = {.name = "floor_later"};

static size_t text_pages(void) {
  size_t pages = 0;
  uintptr_t last = 0;
  for (uint8_t *const *site = starts; site < starts + sites; site++) {
    pages += (uintptr_t)*site / 4096 != last;
    last = (uintptr_t)*site / 4096;
  }
  return pages;
}

static double write_text(char *text, size_t bytes, size_t stride) {
  double start = now_ns();
  mprotect(text, bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (size_t at = 0; at + 8 <= bytes; at += stride)
    __atomic_store_n((uint64_t *)(text + at), at, __ATOMIC_RELEASE);
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
  mprotect(text, bytes, PROT_READ | PROT_EXEC);
  return (now_ns() - start) / 1e6;
}

static void measure_floor(long sites, int rounds) {
  size_t bytes = text_pages() * 4096;
  int fd = open("/proc/self/exe", O_RDONLY);
  char *text = (char *)mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  close(fd);
  if (text == MAP_FAILED)
    give_up("cannot map the program's text again");
  size_t stride = bytes / (size_t)sites & ~(size_t)7;
  for (size_t at = 0; at < bytes; at += 4096)
    (void)*(volatile char *)(text + at);
  for (int i = 0; i <= rounds; i++) {
    sleep_ms(kPauseMs);
    add_sample(i ? &floor_later : &floor_first, write_text(text, bytes, stride));
  }
  munmap(text, bytes);
}

// The least work while the two threads run: the same mprotect, then each site's word loaded and
// stored as it is, so that its cache line changes its owner, then the core sync.
static struct samples rewrite = {.name = "rewrite"};

static void measure_rewrite(int rounds) {
  uintptr_t start = (uintptr_t)starts[0] & ~(uintptr_t)4095;
  uintptr_t end = ((uintptr_t)starts[sites - 1] + 4096) & ~(uintptr_t)4095;
  for (int i = 0; i < rounds; i++) {
    sleep_ms(kPauseMs);
    double begin = now_ns();
    mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC);
    for (uint8_t *const *site = starts; site < starts + sites; site++) {
      uint64_t *word = (uint64_t *)((uintptr_t)*site & ~(uintptr_t)7);
      __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
    }
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
    mprotect((void *)start, end - start, PROT_READ | PROT_EXEC);
    add_sample(&rewrite, (now_ns() - begin) / 1e6);
  }
}

static void print_steps(void) {
  for (int i = 0; i < kSteps; i++) {
    char name[64];
    snprintf(name, sizeof name, "cpu:%s", steps[i].samples.name);
    print_samples(&steps[i].samples);
    processor_time[i].name = name;
    print_samples(&processor_time[i]);
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 11;
  find_sites();
  if (argc > 2)
    set_thread_count(argv[2]);
  take_priority();
  start_threads();
  check("filter", filter_out_all(), 0);
  take(kPrepare, 0);
  map_buffer();
  take(kFirst, sites);
  take(kFirstOff, 0);
  for (int i = 0; i < rounds; i++) {
    take(kLater, sites);
    take(kOff, 0);
  }
  if (argc > 2) {
    stop_threads();
    print_steps();
    return 0;
  }
  measure_rewrite(rounds);
  check("tracer", filter_out_all() | tracer_on(), 0);
  for (int i = 0; i < rounds; i++) {
    take(kFilterOn, sites);
    take(kFilterOff, 0);
  }
  check("filter", filter("no_such_function") | filter_out_none(), 0);
  for (int i = 0; i < rounds; i++) {
    take(kOneOn, 1);
    take(kOneOff, 0);
  }
  check("tracer", tracer_off(), 0);
  measure_floor(sites, rounds);
  stop_threads();
  print_steps();
  print_samples(&floor_first);
  print_samples(&floor_later);
  print_samples(&rewrite);
  printf("sites %ld\n", sites);
  printf("text_pages %zu\n", text_pages());
  printf("lost %.0f\n", lost_events());
  char log[512] = "";
  tracefs_read("log", log, sizeof log);
  printf("log %.*s\n", (int)strcspn(log, "\n"), log);
  return 0;
}
