// At every instruction of every trampoline, on its fast and slow paths and interrupted by traced
// handlers, an unwinder finds the program's functions as if nothing were traced.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer -rdynamic %s -o %t %static
// RUN: %trace_linked -p '' -l through,copied,only,tailing,target,noise -- %t > %t.out
// RUN: %show --expect %t.out %t.buf
//
// By tables, each step's list must equal the untraced one; inside the runtime, the caller's
// (function_graph) or that of the function whose site it was (function). By frame pointers too,
// but while no frame stands yet the caller is missed, as at any function's first instruction.
// A thunk's two instructions have no tables: there the list is empty, by design.
#include "step.h"
#include "walk.h"
#include <ftrace.h>
#include <stdarg.h>

const char *const walk_names[] = {"through", "copied", "only", "tailing", "target", "call", "outer", "main", NULL};
static int slow_entry, slow_exit;
#define LEAVE() (void)(slow_exit && (nophook_writer->limit = 0))

NOINLINE long through(long a) { return LEAVE(), a + 1; }
NOINLINE long copied(long a, long b, long c, long d, long e, long f, long g, long h) {
  return LEAVE(), a + b + c + d + e + f + g * h;
}
NOINLINE long only(long n, ...) {
  va_list list;
  va_start(list, n);
  n += va_arg(list, long);
  va_end(list);
  return n;
}
NOINLINE long target(long a) { return LEAVE(), a * 2; }
NOINLINE long tailing(long a) { __attribute__((musttail)) return target(a + 1); }
NOINLINE void noise(void) { KEEP(0); }

static struct {
  uintptr_t ip;
  List tables, frames;
} seen[4096];
static int seen_count, learning, graph;
static long noise_at, steps[2], noises, calls[2];
static const char *callers_frame;
static uintptr_t last;

UNTRACED static void compare(const char *what, uintptr_t ip, const List *is, const char *wanted) {
  if (strcmp(is->text, wanted) != 0 && failures++ < 10)
    fprintf(stderr, "%s at %#lx under %s: '%s', not '%s'\n", what, ip, learning ? "nop" : graph ? "graph" : "function", is->text, wanted);
}
UNTRACED static void visit(ucontext_t *context, long step) {
  uintptr_t ip = (uintptr_t)context->uc_mcontext.gregs[REG_RIP], rbp = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
  if (step == noise_at)
    noise(), noises++;
  const char *name = walk_name(ip);
  last = name ? ip : last;
  if (step < noise_at)
    return; // as in the run before
  List tables = walk_tables(context), frames = walk_frame_pointers(context);
  int i = 0; // the instruction, or the program's last one
  while (i < seen_count && seen[i].ip != last)
    i++;
  if (name) {
    if (learning && i == seen_count)
      seen[seen_count].ip = ip, seen[seen_count].tables = tables, seen[seen_count++].frames = frames;
    compare("tables", ip, &tables, i < seen_count ? seen[i].tables.text : "?");
    if (!graph || strcmp(frames.text, tables.text) != 0) // a frame of graph's may show the caller sooner
      compare("frames", ip, &frames, i < seen_count ? seen[i].frames.text : "?");
  } else {
    int thunk = *(unsigned char *)ip == 0x68 || memcmp((void *)ip, "\xff\x25", 2) == 0;
    steps[thunk]++;
    compare("tables", ip, &tables, thunk ? "" : graph ? "call outer main " : seen[i].tables.text);
    compare("frames", ip, &frames, rbp == (uintptr_t)callers_frame ? "outer main " : "call outer main ");
  }
}
typedef long Callee(long, long, long, long, long, long, long, long);
NOINLINE long call(Callee *callee) {
  if (slow_entry)
    nophook_writer->limit = 0;
  step_count = 0;
  callers_frame = __builtin_frame_address(0);
  STEP_BEGIN();
  long result = callee(1, 2, 3, 4, 5, 6, 7, 8);
  STEP_END();
  return result;
}
NOINLINE long outer(Callee *callee, long wanted) {
  EXPECT_EQ(call(callee), wanted);
  return step_count;
}

int main(void) {
  struct {
    Callee *callee;
    long wanted;
  } cases[] = {{(void *)through, 2}, {copied, 77}, {(void *)only, 3}, {(void *)tailing, 4}};
  step_with(visit);
  noise_at = -1;
  for (int i = 0; i < 4; i++) {
    learning = 1;
    for (slow_exit = 0; slow_exit < 2; slow_exit++)
      outer(cases[i].callee, cases[i].wanted);
    learning = slow_exit = 0;
    for (graph = 0; graph < 2; graph++)
      for (int slow = 0; slow < 4; slow++) {
        EXPECT_EQ(tracing_set_tracer(graph ? "function_graph" : "function"), 0);
        noise(), noises++; // the thread has a writer from here on
        slow_entry = slow & 1, slow_exit = slow >> 1;
        long length = 1;
        for (noise_at = -1; noise_at < (slow ? 0 : length); noise_at++, calls[i == 3]++)
          length = outer(cases[i].callee, cases[i].wanted);
        noise_at = -1, slow_entry = slow_exit = 0;
        tracing_set_tracer("nop");
      }
  }
  EXPECT(steps[0] > 10000 && steps[1] > 100);
  fprintf(stderr, "%ld steps in the runtime, %ld in thunks\n", steps[0], steps[1]);
  printf("tailing %ld\ntarget %ld\nnoise %ld\n", calls[1], calls[1], noises);
  return failures != 0;
}
