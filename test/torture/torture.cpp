// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ftrace-torture: everything that the runtime can do, at once, with every count checked against
// the truth. One closing line; the exit status is 0 only if all of it held.
//
//   callers      threads that call traced functions of every kind, one of them with every signal
//                blocked for good, all others interrupted by traced handlers
//   togglers     register and unregister ops, probes, direct calls and redirections, change
//                filters, switch tracers (under `nophook record`), fork
//   truth        one ops sees all functions from beginning to end: it must have been called as
//                often, in each thread, as bodies have run. An ops that is unregistered must never
//                be called again. Results are right, whatever is done to a function.

#include "functions.h"

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <pthread.h>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {

std::atomic<bool> over;
std::atomic<long> failures;
std::atomic<long> total_calls, total_changes, total_signals, total_forks;
std::atomic<const char *> doing[64];
uint64_t g_seed;

void fail(const std::string &what) {
  if (failures++ < 20)
    fmt::print("ftrace-torture: seed {}: {}\n", g_seed, what);
}

// The ops that is always there. Its callback runs in the thread that calls, handlers included.
thread_local long seen;
void see(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *) {
  seen++;
}

thread_local volatile long handled;
void on_alarm(int) {
  int error = errno;
  in_handler();
  handled = handled + 1;
  errno = error;
}

long expected(long wanted, long got, const char *what) {
  if (wanted != got)
    fail(fmt::format("{} is {}, not {}", what, got, wanted));
  return 0;
}

struct Fiber {
  ucontext_t main, own;
  char stack[64 << 10];
};
thread_local Fiber *fiber;
void run_fiber() {
  for (;;) {
    expected(3, leaf(2), "leaf in a fiber");
    swapcontext(&fiber->own, &fiber->main);
  }
}

void call_some(std::mt19937_64 &random) {
  switch (random() % 12) {
  case 0:
    expected(21, recursive(20), "recursive");
    break;
  case 1:
    expected(285, stack_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9), "stack_arguments");
    break;
  case 2:
    if (doubles(0.5, 0.25f, 2) != 2.75)
      fail("doubles is wrong");
    break;
  case 3:
    expected(10, variadic(4, 1L, 2L, 3L, 4L), "variadic");
    break;
  case 4:
    expected(7, tail_call(50), "tail_call");
    break;
  case 5:
    try {
      thrower(5);
      fail("nothing was thrown");
    } catch (const std::runtime_error &) {
    }
    break;
  case 6: {
    jmp_buf back;
    if (!setjmp(back))
      jumper(&back, 5);
    break;
  }
  case 7:
    swapcontext(&fiber->main, &fiber->own);
    break;
  case 8: {
    long got = redirected(1);
    if (got != 2 && got != 1001)
      fail(fmt::format("redirected is {}", got));
    break;
  }
  case 9: {
    long got = modified(1);
    if (got != 2 && got != 1001 && got != 77)
      fail(fmt::format("modified is {}", got));
    break;
  }
  case 10:
    expected(2, direct(1), "direct");
    break;
  default:
    for (long i = 0; i < 20; i++)
      expected(i + 1, leaf(i), "leaf");
  }
}

// Every signal; where int3 is asked for, all but its own: a thread that blocks that makes changes
// fail.
sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  const char *way = std::getenv("NOPHOOK_POKE");
  if (way && std::strcmp(way, "trap") == 0)
    sigdelset(&all, SIGTRAP);
  return all;
}

// A redirected or overridden function runs another body or none: those are counted as well.
thread_local long overridden;

void caller(unsigned number, uint64_t seed, bool blocks) {
  sigset_t all = all_signals();
  if (blocks)
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::mt19937_64 random(seed);
  fiber = new Fiber;
  getcontext(&fiber->own);
  fiber->own.uc_stack.ss_sp = fiber->stack;
  fiber->own.uc_stack.ss_size = sizeof fiber->stack;
  fiber->own.uc_link = nullptr;
  makecontext(&fiber->own, run_fiber, 0);
  doing[number] = "calls";
  while (!over)
    call_some(random);
  pthread_sigmask(SIG_SETMASK, &all, nullptr); // no handler between the two counts
  if (seen != bodies + overridden)
    fail(fmt::format("thread {}: {} calls were seen, {} bodies ran, {} were overridden", number,
                     seen, bodies, overridden));
  total_calls += bodies;
  total_signals += handled;
  delete fiber;
}

// ---- togglers

struct Victim {
  ftrace_ops ops;
  std::atomic<bool> alive;
  long calls;
};
void on_victim(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto *victim = reinterpret_cast<Victim *>(ops);
  if (!victim->alive)
    fail("an ops was called that is not registered");
  if (ops->flags & FTRACE_OPS_FL_SAVE_REGS && !ftrace_get_regs(regs))
    fail("no registers were saved");
  __atomic_fetch_add(&victim->calls, 1, __ATOMIC_RELAXED);
}

void must(int result, const char *what) {
  if (result)
    fail(fmt::format("{}: {}", what, std::strerror(-result)));
}

void set_filter(ftrace_ops *ops, const char *text) {
  must(ftrace_set_filter(ops, reinterpret_cast<const unsigned char *>(text), (int)strlen(text), 1),
       "ftrace_set_filter");
}

const char *const kFilters[] = {"leaf", "*a*", "re* tail*", "doubles variadic", "in_handler"};

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
  victim.ops.flags = flags[random() % std::size(flags)];
  if (random() % 4)
    set_filter(&victim.ops, kFilters[random() % std::size(kFilters)]);
  victim.alive = true;
  must(register_ftrace_function(&victim.ops), "register_ftrace_function");
  for (uint64_t i = random() % 4; i > 0; i--)
    set_filter(&victim.ops, kFilters[random() % std::size(kFilters)]);
  if (random() % 2)
    usleep(random() % 300);
  must(unregister_ftrace_function(&victim.ops), "unregister_ftrace_function");
  victim.alive = false;
  ftrace_free_filter(&victim.ops);
  std::memset(static_cast<void *>(&victim.ops), 0xa5, sizeof victim.ops);
}

struct Data {
  unsigned long ip;
  uint64_t magic;
};
constexpr uint64_t kMagic = 0x6e6f70686f6f6b21;
int on_entry(fprobe *, unsigned long ip, unsigned long, ftrace_regs *, void *data) {
  *static_cast<Data *>(data) = {ip, kMagic ^ ip};
  return 0;
}
std::atomic<bool> probe_is_alive;
void on_exit(fprobe *, unsigned long ip, unsigned long, ftrace_regs *, void *data) {
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

void to_replacement(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *regs) {
  ftrace_regs_set_instruction_pointer(regs, (unsigned long)replacement);
}
void to_77(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *regs) {
  ftrace_regs_set_return_value(regs, 77);
  ftrace_override_function_with_return(regs);
  overridden++;
}
void torture_modify(std::mt19937_64 &random) {
  ftrace_ops ops = {};
  ops.flags = FTRACE_OPS_FL_IPMODIFY;
  // replacement() is entered through its own site, and seen there a second time.
  ops.func = to_77;
  (void)to_replacement;
  set_filter(&ops, "modified");
  must(register_ftrace_function(&ops), "IPMODIFY");
  usleep(random() % 300);
  must(unregister_ftrace_function(&ops), "IPMODIFY, unregister");
  ftrace_free_filter(&ops);
}

extern "C" void torture_trampoline();
__asm__(".globl torture_trampoline\ntorture_trampoline: ret\n");
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
  const char *names[] = {"function", "function_graph", "nop"};
  int result = tracing_set_tracer(names[random() % 3]);
  if (result && result != -ENODEV && result != -EBUSY)
    fail(fmt::format("tracing_set_tracer: {}", std::strerror(-result)));
  usleep(random() % 500);
}

void torture_fork(std::mt19937_64 &) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    long before = failures;
    expected(3, leaf(2), "leaf in a child");
    expected(6, recursive(5), "recursive in a child");
    ftrace_ops ops = {};
    ops.func = see;
    must(register_ftrace_function(&ops), "register in a child");
    must(unregister_ftrace_function(&ops), "unregister in a child");
    _exit(failures != before);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status)
    fail(fmt::format("a child ended with {:#x}", status));
  total_forks++;
}

using Step = void (*)(std::mt19937_64 &);
struct Toggler {
  const char *name;
  Step step;
};
constexpr Toggler kTogglers[] = {
    {"ops", torture_ops},         {"ops", torture_ops},       {"probes", torture_probe},
    {"IPMODIFY", torture_modify}, {"direct", torture_direct}, {"redirect", torture_redirect},
    {"tracers", torture_tracer},  {"forks", torture_fork},
};

void toggler(unsigned number, uint64_t seed, const Toggler &what) {
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
  std::mt19937_64 random(seed);
  doing[number] = what.name;
  while (!over) {
    what.step(random);
    total_changes++;
  }
  doing[number] = "ended";
}

} // namespace

int main(int argc, char **argv) {
  unsigned seconds = 10, callers = 3;
  g_seed = std::random_device()();
  CLI::App app("Tortures the runtime and checks every count.", "ftrace-torture");
  app.add_option("--seconds", seconds, "how long (10)");
  app.add_option("--threads", callers, "threads that call (3)")->check(CLI::Range(1, 40));
  app.add_option("--seed", g_seed, "of all choices");
  CLI11_PARSE(app, argc, argv);

  ftrace_ops always = {};
  always.func = see;
  always.flags = FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE;
  must(register_ftrace_function(&always), "register");
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &timer, nullptr);

  std::vector<std::thread> threads;
  unsigned number = 0;
  for (; number < callers; number++)
    threads.emplace_back(caller, number, g_seed + number, number == 0);
  for (const Toggler &what : kTogglers) {
    threads.emplace_back(toggler, number, g_seed * 31 + number, what);
    number++;
  }
  sigset_t all = all_signals();
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  over = true;
  std::atomic<bool> joined = false;
  std::thread watchdog([&] {
    for (int i = 0; i < 300 && !joined; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (joined)
      return;
    fmt::print("ftrace-torture: seed {}: it hangs:", g_seed);
    for (unsigned i = 0; i < number; i++)
      fmt::print(" {}", doing[i].load());
    fmt::print("\n");
    std::fflush(stdout);
    std::abort();
  });
  for (std::thread &thread : threads)
    thread.join();
  joined = true;
  watchdog.join();
  timer = {};
  setitimer(ITIMER_REAL, &timer, nullptr);
  tracing_set_tracer("nop");
  must(unregister_ftrace_function(&always), "unregister");
  fmt::print(
      "ftrace-torture: seed {}: {} calls, {} in handlers, {} changes, {} forks, {} failures\n",
      g_seed, total_calls.load(), total_signals.load(), total_changes.load(), total_forks.load(),
      failures.load());
  return failures != 0;
}
