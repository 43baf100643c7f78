// The tracers' own callbacks take less than 1 KiB of the traced stack, with every setting and trigger; so does the code around a program's callback.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p function -s trace_options=func-args,func_stack_trace,func-no-repeats -- %t 600
// RUN: %trace_linked -p function -s 'set_ftrace_filter=called:stacktrace set_ftrace_filter=called:traceon' -- %t 400
// RUN: %trace_linked -p function -s 'set_ftrace_filter=called:snapshot' -- %t 400 && %trace_linked -p function -s 'set_ftrace_filter=called:dump' -- %t 400
// RUN: %trace_linked -p function -s auto_notrace=1 -- %t 400
// RUN: %trace_linked -p function_graph -s 'trace_options=funcgraph-args,funcgraph-retval' -- %t 600
// RUN: %trace_linked -p function_graph -s 'trace_options=funcgraph-retval tracing_thresh=1 max_graph_depth=9' -- %t 600
// RUN: %trace_linked -p function_graph -s 'trace_options=funcgraph-args,funcgraph-retval perf_counters=page-faults,task-clock tracing_thresh=1' -- %t 600
// RUN: %trace_linked -p function_graph -k 1024 -s buffer_mode=overwrite -s 'trace_options=funcgraph-args,funcgraph-retval perf_counters=page-faults,task-clock tracing_thresh=1' -- %t 600 overwriting
// RUN: %trace_linked -p profile -s tracing_thresh=1 -- %t 64
// RUN: %trace_linked -p hits -- %t 48
// RUN: %trace_linked -p '' -- %t 600 callbacks
#include "ops.h"

// Paints 8 KiB below, makes a call that has arguments of all kinds, and returns how deep the paint has been hurt.
long depth_of_call(void);
__asm__("        .text\n"
        "depth_of_call:\n"
        "        mov     $0x5a5a5a5a5a5a5a5a, %rdx\n"
        "        mov     $-8192, %rax\n"
        "1:      mov     %rdx, (%rsp,%rax)\n"
        "        add     $8, %rax\n"
        "        js      1b\n"
        "        lea     depth_of_call(%rip), %rsi\n" // a text that can be read
        "        sub     $8, %rsp\n"
        "        call    called\n"
        "        mov     $0x5a5a5a5a5a5a5a5a, %rdx\n"
        "        mov     $-8184, %rax\n"
        "2:      add     $8, %rax\n"
        "        cmp     -8(%rsp,%rax), %rdx\n"
        "        je      2b\n"
        "        neg     %rax\n"
        "        add     $8, %rsp\n"
        "        ret\n");
NOINLINE long called(long a, const char *text, double x, long b, long c, long d) {
  KEEP(text);
  for (volatile int i = 0; i < 10000; i++) // longer than tracing_thresh
    ;
  return a + (long)x + b + c + d;
}
UNTRACED static int exits(struct fprobe *p, unsigned long ip, unsigned long back, struct ftrace_regs *r, void *data) { return (void)p, (void)ip, (void)back, (void)r, (void)data, 0; }
UNTRACED static void at_exit(struct fprobe *p, unsigned long ip, unsigned long back, struct ftrace_regs *r, void *data) { (void)exits(p, ip, back, r, data); }

int main(int argc, char **argv) {
  int has_callbacks = argc > 2 && !strcmp(argv[2], "callbacks");
  int calls = argc > 2 && !has_callbacks ? 50000 : 200; // the buffer is written over more than once
  long least = atol(argv[1]), first = 0;
  static struct Counted kinds[] = {COUNTED(0), COUNTED(FTRACE_OPS_FL_SAVE_REGS)};
  static struct fprobe probe = {.entry_data_size = 16, .entry_handler = exits, .exit_handler = at_exit};
  for (int kind = 0; has_callbacks && kind < 2; kind++)
    EXPECT(set_filter(&kinds[kind].ops, "called", 1) == 0 && register_ftrace_function(&kinds[kind].ops) == 0);
  EXPECT(!has_callbacks || register_fprobe(&probe, "called", NULL) == 0);
  for (int i = 0; i < calls; i++) {
    long depth = depth_of_call();
    first = depth > first ? depth : first;
  }
  fprintf(stderr, "%ld bytes\n", first);
  EXPECT(first >= least / 2 && first < 1024);
  return failures;
}
