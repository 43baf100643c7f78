// Every register and all vector state is the same on both sides of a traced call and of its
// return: on fast and slow paths, and with a traced handler at each instruction of the way.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -n main -- %t > %t.out
// RUN: %show --expect %t.out %t.buf
#include "registers.h"
#include "step.h"
#include <ftrace.h>

static long noise_at = -1, noises, in_callee;
static int graph, slow_entry, slow_exit;
NOINLINE void noise(void) { KEEP(0); }
static long runtime_steps[1000], runtime_count;
// Notes which steps are the runtime's: the program's lie between these two.
void registers_text_begin(void), registers_text_end(void);
UNTRACED static void visit(ucontext_t *context, long step) {
  uintptr_t ip = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  if (noise_at < 0 && (ip < (uintptr_t)registers_text_begin || ip >= (uintptr_t)registers_text_end))
    runtime_steps[runtime_count++] = step;
  if (step == noise_at)
    noise(), noises++;
}
UNTRACED __attribute__((used)) void registers_in_callee(void) {
  in_callee++;
  if (slow_exit)
    nophook_writer->limit = 0;
}
REGISTERS_FUNCTION(through, 1, 0);
REGISTERS_FUNCTION(copied, 2, 136);
REGISTERS_FUNCTION(only, 0, 0);
// Enters `through` by a tail call, every register as it was.
void tailing(void);
__asm__("REGISTERS_SITE tailing, 1, 0\n"
        "        jmp through\n"
        "REGISTERS_END tailing\n"
        "registers_text_end:\n");

UNTRACED static long check(const char *name, void (*function)(void)) {
  registers_fill(&caller_set, (uint64_t)__builtin_frame_address(0));
  registers_fill(&callee_set, caller_set.rbp);
  registers_callee = (void *)function;
  step_count = 0;
  if (slow_entry)
    nophook_writer->limit = 0;
  run_registers();
  // function_graph's frame stands between: the body finds its rbp, which leads to the caller's.
  if (graph && function != only)
    callee_found.rbp = callee_set.rbp;
  registers_compare(name, &callee_found, &caller_set);
  registers_compare(name, &caller_found, &callee_set);
  EXPECT_EQ(caller_found.rsp, registers_before.rsp - 200);
  EXPECT_EQ(callee_found.rsp % 16, 8);
  return step_count;
}

int main(void) {
  static const struct {
    const char *name;
    void (*function)(void);
  } kCases[] = {{"through", through}, {"copied", copied}, {"only", only}, {"tailing", tailing}};
  long calls[4] = {0};
  registers_start();
  step_with(visit);
  for (graph = 0; graph < 2; graph++) {
    EXPECT_EQ(tracing_set_tracer(graph ? "function_graph" : "function"), 0);
    for (int i = 0; i < 4; i++) {
      check(kCases[i].name, kCases[i].function); // the thread's first event, the first time
      calls[i]++;
      for (int slow = 0; slow < 4; slow++, calls[i]++) {
        slow_entry = slow & 1, slow_exit = slow >> 1;
        check(kCases[i].name, kCases[i].function);
      }
      slow_entry = slow_exit = 0;
      registers_flags |= 0x100;
      runtime_count = 0;
      check(kCases[i].name, kCases[i].function), calls[i]++;
      EXPECT(runtime_count > 30);
      for (long k = 0; k < runtime_count; k++, calls[i]++) {
        noise_at = runtime_steps[k];
        check(kCases[i].name, kCases[i].function);
      }
      registers_flags &= ~0x100ul;
      noise_at = -1;
    }
  }
  tracing_set_tracer("nop");
  EXPECT_EQ(in_callee, calls[0] + calls[1] + calls[2] + calls[3]);
  printf("through %ld\ncopied %ld\nonly %ld\ntailing %ld\nnoise %ld\n", calls[0] + calls[3], calls[1], calls[2],
         calls[3], noises);
  return failures != 0;
}
