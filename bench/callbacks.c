// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a callback: a function in a loop, untraced and with ops of each kind. The same
// loop of calls through a pointer shows the least cost of a call. All kinds take
// turns in one process, as in events.c.
//
//      callbacks [ROUNDS]

#include "support.h"

#include <ftrace.h>

enum { kCalls = 300000 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}
NOINLINE void other(void) {
  __asm__ volatile("");
}

UNTRACED NOINLINE static void bare(void) {
  __asm__ volatile("");
}
static void (*volatile pointer)(void) = bare;

UNTRACED static void empty(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
                           struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
}
UNTRACED static int empty_entry(struct fprobe *probe, unsigned long ip, unsigned long parent_ip,
                                struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)parent_ip, (void)regs, (void)data;
  return 0;
}
UNTRACED static void empty_exit(struct fprobe *probe, unsigned long ip, unsigned long ret_ip,
                                struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret_ip, (void)regs, (void)data;
}

#define OWN (FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS)
static struct ftrace_ops own = {.func = empty, .flags = OWN};
static struct ftrace_ops second = {.func = empty, .flags = OWN};
static struct ftrace_ops misses[4] = {{.func = empty, .flags = OWN},
                                      {.func = empty, .flags = OWN},
                                      {.func = empty, .flags = OWN},
                                      {.func = empty, .flags = OWN}}; // ops of other()
static struct ftrace_ops regs = {.func = empty, .flags = OWN | FTRACE_OPS_FL_SAVE_REGS};
static struct ftrace_ops stopped = {.func = empty, .flags = FTRACE_OPS_FL_GENERAL_REGS};
static struct ftrace_ops moved = {.func = empty, .flags = OWN | FTRACE_OPS_FL_OWN_STACK};
static struct ftrace_ops plain = {.func = empty};
static struct fprobe probe = {
    .entry_handler = empty_entry, .exit_handler = empty_exit, .ops = {.flags = OWN}};

static void add(struct ftrace_ops *ops, const char *name) {
  int error = ftrace_set_filter(ops, (const unsigned char *)name, (int)strlen(name), 1);
  if (!error)
    error = register_ftrace_function(ops);
  if (error)
    give_up("register: %s", strerror(-error));
}

struct kind {
  struct ftrace_ops *ops[6]; // ops of leaf(), but for misses
  int probes;
  struct samples samples;
};
static struct kind kinds[] = {
    {{NULL}, 0, {.name = "pointer"}},
    {{NULL}, 0, {.name = "untraced"}},
    {{&own}, 0, {.name = "own"}},
    {{&regs}, 0, {.name = "regs"}},
    {{&stopped}, 0, {.name = "stopped"}},
    {{&plain}, 0, {.name = "plain"}},
    {{&moved}, 0, {.name = "moved"}},
    {{&own, &second}, 0, {.name = "two"}},
    {{&own, &second, &misses[0], &misses[1], &misses[2], &misses[3]}, 0, {.name = "misses"}},
    {{NULL}, 1, {.name = "probe"}},
};

UNTRACED static void measure(struct kind *kind) {
  for (int i = 0; i < 6 && kind->ops[i]; i++)
    add(kind->ops[i], i < 2 ? "leaf" : "other");
  if (kind->probes && register_fprobe(&probe, "leaf", NULL))
    give_up("the probe cannot be registered");
  int by_pointer = kind == &kinds[0];
  for (int warm = 1; warm >= 0; warm--) {
    double start = now_ns();
    for (int i = 0; i < kCalls; i++)
      if (by_pointer)
        pointer();
      else
        leaf();
    if (!warm)
      add_sample(&kind->samples, (now_ns() - start) / kCalls);
  }
  for (int i = 0; i < 6 && kind->ops[i]; i++)
    unregister_ftrace_function(kind->ops[i]);
  if (kind->probes)
    unregister_fprobe(&probe);
}

UNTRACED int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 31;
  const int count = sizeof kinds / sizeof kinds[0];
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < count; i++)
      measure(&kinds[i]);
  for (int i = 0; i < count; i++)
    print_samples(&kinds[i].samples);
  other();
  return 0;
}
