// A site behind a push, where older versions of recordmcount left those of gcc's nested functions: the caller is right in all tracers and callbacks, and the frame pointer, which is the caller's and may hold anything, is not followed. Where the code in front of a site shows no frame, nothing is followed either.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t > %t.out && %show --expect %t.out %t.buf
#include "text.h"
#include <ftrace.h>

// A function with its entries in the tables: `push`, the site, `pop`.
#define FUNCTION(name, push, pop)                                                                                          \
  __asm__(".text\n.globl " name "\n.type " name ", @function\n" name ": " push "\n"                                         \
          "1: .byte 0x0f, 0x1f, 0x44, 0, 0\n" pop "\n lea 1(%rdi), %rax\n ret\n.size " name ", . - " name "\n"               \
          ".pushsection __mcount_loc, \"awo\", @progbits, " name "\n.quad 1b\n.popsection\n"                                 \
          ".pushsection __ftrace_args, \"awo\", @progbits, " name "\n"                                                       \
          ".long " name " - ., 64, 0x20020, 0\n.popsection\n") /* entry only, behind the prologue */
FUNCTION("pushed", "push %r10", "pop %r10");
FUNCTION("unknown", "xchg %rax, %rax", "");
// Calls its second argument with a frame pointer that leads nowhere.
__asm__(".text\n.globl caller\n.type caller, @function\ncaller: push %rbp\n mov $8, %ebp\n mov $9, %r10d\n call *%rsi\n pop %rbp\n ret\n"
        "caller_end:\n.size caller, . - caller\n");
long pushed(long), unknown(long), caller(long, long (*)(long));
extern const char caller_end[];

static int hits;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ops, (void)regs;
  if (ip - (unsigned long)pushed < 16)
    EXPECT(parent_ip - (unsigned long)caller < (unsigned long)(caller_end - (const char *)caller));
  hits++;
}
UNTRACED static void leave(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
  hits += 100;
}
UNTRACED static void round_of(const char *tracer) {
  EXPECT_EQ(tracing_set_tracer(tracer), 0);
  EXPECT_EQ(caller(41, pushed), 42);
  EXPECT_EQ(caller(41, unknown), 42);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
}

UNTRACED int main(void) {
  static const char *const kTracers[] = {"function", "function_graph", "profile", "hits"};
  for (int i = 0; i < 4; i++)
    round_of(kTracers[i]);
  for (int i = 0; i < 2; i++) {
    struct ftrace_ops ops = {.func = look, .flags = i ? FTRACE_OPS_FL_SAVE_REGS : 0};
    EXPECT_EQ(register_ftrace_function(&ops), 0);
    hits = 0;
    round_of("nop");
    EXPECT_EQ(hits, 2);
    EXPECT_EQ(unregister_ftrace_function(&ops), 0);
  }
  struct fprobe probe = {.exit_handler = leave};
  EXPECT_EQ(register_fprobe(&probe, "pushed", NULL), 0);
  hits = 0;
  round_of("nop");
  EXPECT_EQ(hits, 0);
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  printf("pushed 2\nunknown 2\n");
  return failures;
}
