// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes while callers run: ops, probes, direct calls, redirections, tracers; and forks.
// An unregistered callback must never be called again.

#include "torture.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct Victim {
  ftrace_ops ops;
  unsigned long flags; // as it was registered
  std::atomic<bool> alive;
};
// ThreadSanitizer sees no grace period. The runtime describes it (ops/thread_sanitizer.h), but for
// callbacks that a trampoline calls without it.
#if __has_feature(thread_sanitizer)
extern "C" void __tsan_acquire(void *);
extern "C" void __tsan_release(void *);
#else
void __tsan_acquire(void *) {}
void __tsan_release(void *) {}
#endif
char grace;

// Words that a signal has left in a gap are taken for a call that has come in between (docs/limits.md).
#if __has_feature(address_sanitizer)
constexpr bool kStacksHaveGaps = true;
#else
constexpr bool kStacksHaveGaps = false;
#endif

__attribute__((noinline)) void spoil_vectors() {
  SPOIL_VECTORS;
}

thread_local const Victim *calling; // the victim whose callback has called leaf()
GENERAL_REGS void on_victim(unsigned long ip, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto *victim = reinterpret_cast<Victim *>(ops);
  if (victim == calling && ip == leaf_site) // signal handlers do not call it
    fail("a callback was entered by a function that it has called");
  if (!victim->alive)
    fail("an ops was called that is not registered");
  if (victim->flags & FTRACE_OPS_FL_SAVE_REGS && !ftrace_get_regs(regs))
    fail("no registers were saved");
  if (!(victim->flags & FTRACE_OPS_FL_GENERAL_REGS)) // the runtime has saved them
    spoil_vectors();
  bool calls_none = victim->flags & FTRACE_OPS_FL_RECURSION_SAFE || kStacksHaveGaps;
  __tsan_release(&grace);
  if (calls_none)
    return;
  const Victim *before = std::exchange(calling, victim);
  if (leaf(4) != 5)
    fail("leaf is wrong in a callback");
  calling = before;
}

const char *const kFilters[] = {"leaf",       "*a*",      "re* tail*", "doubles variadic",
                                "in_handler", "unwatched"};

// The memory of an ops is poisoned once it is unregistered: a late call is seen or crashes.
void torture_ops(std::mt19937_64 &random) {
  Victim victim = {};
  victim.ops.func = on_victim;
  const unsigned long flags[] = {0,
                                 FTRACE_OPS_FL_SAVE_REGS,
                                 FTRACE_OPS_FL_GENERAL_REGS,
                                 FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE,
                                 FTRACE_OPS_FL_RECURSION_SAFE,
                                 FTRACE_OPS_FL_RCU};
  victim.ops.flags = victim.flags = flags[random() % std::size(flags)];
  if (random() % 4)
    set_filter(&victim.ops, kFilters[random() % std::size(kFilters)]);
  victim.alive = true;
  must(register_ftrace_function(&victim.ops), "register_ftrace_function");
  for (uint64_t i = random() % 4; i > 0; i--)
    set_filter(&victim.ops, kFilters[random() % std::size(kFilters)]);
  if (random() % 2)
    usleep(random() % 300);
  Syncs since;
  must(unregister_ftrace_function(&victim.ops), "unregister_ftrace_function");
  __tsan_acquire(&grace);
  victim.alive = false;
  since.expect_grace_period();
  ftrace_free_filter(&victim.ops);
  std::memset(static_cast<void *>(&victim.ops), 0xa5, sizeof victim.ops);
}

struct Data {
  unsigned long ip;
  uint64_t magic;
};
constexpr uint64_t kMagic = 0x6e6f70686f6f6b21;
GENERAL_REGS int on_entry(fprobe *, unsigned long ip, unsigned long, ftrace_regs *, void *data) {
  *static_cast<Data *>(data) = {ip, kMagic ^ ip};
  return 0;
}
std::atomic<bool> probe_is_alive;
GENERAL_REGS void on_exit(fprobe *, unsigned long ip, unsigned long, ftrace_regs *, void *data) {
  auto *mine = static_cast<Data *>(data);
  if (mine->ip != ip || mine->magic != (kMagic ^ ip))
    fail("an exit handler got another call's data");
  if (!probe_is_alive)
    fail("an exit handler was called of a probe that is not registered");
}
void torture_probe(std::mt19937_64 &random) {
  fprobe probe = {};
  probe.entry_handler = on_entry;
  probe.exit_handler = on_exit;
  probe.entry_data_size = sizeof(Data);
  if (random() % 2)
    probe.ops.flags = FTRACE_OPS_FL_GENERAL_REGS;
  probe_is_alive = true;
  must(register_fprobe(&probe, kFilters[random() % std::size(kFilters)], nullptr), "fprobe");
  usleep(random() % 500);
  must(unregister_fprobe(&probe), "unregister_fprobe");
  probe_is_alive = false;
  ftrace_free_filter(&probe.ops);
}

GENERAL_REGS void to_77(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *regs) {
  ftrace_regs_set_return_value(regs, 77);
  ftrace_override_function_with_return(regs);
  COUNT(overridden);
}
void torture_modify(std::mt19937_64 &random) {
  ftrace_ops ops = {};
  ops.flags = FTRACE_OPS_FL_IPMODIFY;
  ops.func = to_77;
  set_filter(&ops, "modified");
  must(register_ftrace_function(&ops), "IPMODIFY");
  usleep(random() % 300);
  must(unregister_ftrace_function(&ops), "IPMODIFY, unregister");
  ftrace_free_filter(&ops);
}

extern "C" void torture_trampoline();
__asm__(".globl torture_trampoline\ntorture_trampoline:\n" DIRECT_TRAMPOLINE);
void torture_direct(std::mt19937_64 &random) {
  ftrace_ops ops = {};
  set_filter(&ops, "direct");
  must(register_ftrace_direct(&ops, (unsigned long)torture_trampoline), "register_ftrace_direct");
  usleep(random() % 300);
  must(unregister_ftrace_direct(&ops, (unsigned long)torture_trampoline, 1), "direct");
}

void torture_redirect(std::mt19937_64 &random) {
  must(register_ftrace_redirect((unsigned long)redirected, (unsigned long)replacement), "redirect");
  usleep(random() % 300);
  must(unregister_ftrace_redirect((unsigned long)redirected), "unregister redirect");
}

// Only under a recorder; else there is nowhere to write to.
void torture_tracer(std::mt19937_64 &random) {
  const char *names[] = {"function", "function_graph", "profile", "hits", "nop"};
  int result = tracing_set_tracer(names[random() % std::size(names)]);
  if (result && result != -ENODEV && result != -EBUSY && result != -EINVAL) // profile, on `mono`
    fail(fmt::format("tracing_set_tracer: {}", std::strerror(-result)));
  usleep(random() % 500);
}

void torture_fork(std::mt19937_64 &) {
  pid_t child = fork();
  if (child == 0) {
    begin_child();
    long before = failures;
    expected(3, leaf(2), "leaf in a child");
    expected(6, recursive(5), "recursive in a child");
    ftrace_ops ops = {};
    ops.func = see;
    must(register_ftrace_function(&ops), "register in a child");
    must(unregister_ftrace_function(&ops), "unregister in a child");
    _exit(failures != before);
  }
  expect_child(child, "a child");
}

// The signals by which `nophook attach` and updates end a system call, from another thread.
void torture_signals(std::mt19937_64 &random) {
  kill(getpid(), random() % 2 ? SIGWINCH : SIGURG);
  usleep(random() % 3000);
}

// In the calling thread, whose handlers are blocked.
void call_leaf(unsigned times) {
  long before = seen - bodies;
  for (unsigned i = 0; i < times; i++)
    expected(i + 1, leaf(i), "leaf in a thread");
  expected(before, seen - bodies, "calls that were seen and did not run");
}

// Threads that come and go: their places are taken by the next ones.
void torture_threads(std::mt19937_64 &random) {
  std::vector<std::thread> threads;
  for (unsigned i = random() % 4 + 1; i > 0; i--)
    threads.emplace_back(call_leaf, (unsigned)random() % 30 + 1);
  for (std::thread &thread : threads)
    thread.join();
}

// qemu-user forks instead. Its child has a copy of the locks that other threads of its parent hold,
// and waits for ever.
bool vfork_shares_memory() {
  static volatile bool is_shared = false;
  pid_t child = vfork();
  if (child == 0) {
    is_shared = true;
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  return is_shared;
}

// The first call of a thread may be in the child, whose number is not the thread's.
void torture_vfork(std::mt19937_64 &random) {
  static const bool can_try = vfork_shares_memory();
  if (!can_try)
    return torture_threads(random);
  unsigned times = (unsigned)random() % 30;
  std::thread([times] {
    pid_t child = vfork();
    if (child == 0) {
      call_leaf(times);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
      fail(fmt::format("a vfork child ended with {:#x}", status));
    call_leaf(times);
  }).join();
}

} // namespace

const Toggler kTogglers[] = {
    {"ops", torture_ops},
    {"ops", torture_ops},
    {"probes", torture_probe},
    {"IPMODIFY", torture_modify},
    {"direct", torture_direct},
    {"redirect", torture_redirect},
    {"tracers", torture_tracer},
    {"forks", torture_fork},
    {"forks", torture_fork},
    {"forks", torture_fork},
    {"workers", torture_prefork},
    {"sandboxes", torture_sandbox},
    {"sequences", torture_sequences},
    {"sequences", torture_sequences},
    {"signals", torture_signals},
    {"threads", torture_threads},
    {"vforks", torture_vfork},
    {"libraries", torture_library<0>},
    {"libraries", torture_library<1>},
    {"libraries", torture_library<2>},
    {"libraries", torture_library<3>},
    {"instances", torture_instance},
    {"instances", torture_instance},
    {"uprobes", torture_uprobe},
};
const unsigned kTogglerCount = std::size(kTogglers);

void toggler(unsigned number, uint64_t seed, const Toggler &what) {
  sigset_t alarms;
  sigemptyset(&alarms);
  for (int number : kHandled)
    sigaddset(&alarms, number);
  pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
  std::mt19937_64 random(seed);
  doing[number] = what.name;
  while (!over) {
    what.step(random);
    total_changes++;
  }
  doing[number] = "ended";
}
