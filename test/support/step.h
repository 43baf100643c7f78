// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-stepping in the process itself: with the trap flag set, each instruction ends in a
// SIGTRAP, and its handler is a visitor that sees the registers, may unwind from there, and
// may call traced functions as any handler may.
//
// The slow path of an event blocks every signal, and a trap that is blocked kills. So the
// visitor sees its first instruction, then it runs unstepped up to its return.
//
// For programs linked with libnophook.a: they see the runtime's hidden names.

#pragma once

#include "program.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

// arch/fast_path.h, struct Writer: 0 in `limit` sends the next event to the slow path.
struct Writer {
  uint64_t pos, limit;
};
extern __thread struct Writer *nophook_writer __attribute__((tls_model("initial-exec")));
extern uint64_t nophook_event_slow(uint32_t, uint64_t, uint64_t, uint64_t);

typedef void StepVisitor(ucontext_t *context, long step);
static StepVisitor *step_visitor;
static long step_count;
void *step_resume_at;
void step_again(void);

__asm__("        .text\n"
        "step_again:\n"
        "        pushq   step_resume_at(%rip)\n"
        "        pushfq\n"
        "        orq     $0x100, (%rsp)\n"
        "        popfq\n"
        "        ret\n");

UNTRACED static void on_step(int number, siginfo_t *info, void *raw) {
  ucontext_t *context = (ucontext_t *)raw;
  (void)number, (void)info;
  step_visitor(context, step_count++);
  greg_t *registers = context->uc_mcontext.gregs;
  if (registers[REG_RIP] == (greg_t)nophook_event_slow) {
    void **slot = (void **)registers[REG_RSP];
    step_resume_at = *slot;
    *slot = (void *)step_again;
    registers[REG_EFL] &= ~0x100;
  }
}

UNTRACED static void step_with(StepVisitor *visitor) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGTRAP, &action, NULL);
  step_visitor = visitor;
}

// Begins the steps, in the function that calls the stepped code. Both macros jump over the red
// zone.
#define STEP_BEGIN()                                                                               \
  __asm__ volatile("lea -128(%%rsp), %%rsp\n"                                                      \
                   "pushfq\n"                                                                      \
                   "orq $0x100, (%%rsp)\n"                                                         \
                   "popfq\n"                                                                       \
                   "lea 128(%%rsp), %%rsp\n" ::                                                    \
                       : "memory", "cc")
#define STEP_END()                                                                                 \
  __asm__ volatile("lea -128(%%rsp), %%rsp\n"                                                      \
                   "pushfq\n"                                                                      \
                   "andq $~0x100, (%%rsp)\n"                                                       \
                   "popfq\n"                                                                       \
                   "lea 128(%%rsp), %%rsp\n" ::                                                    \
                       : "memory", "cc")
