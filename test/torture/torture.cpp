// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ftrace-torture: everything that the runtime can do, at once, with every count checked against
// the truth. One closing line; the exit status is 0 only if all of it held.
//
//   callers      threads that call traced functions of every kind, one of them with every signal
//                blocked for good, all others interrupted by traced handlers
//   togglers     register and unregister ops, probes, direct calls and redirections, change
//                filters, switch tracers and use instances (where there is a folder for buffers),
//                fork, also in open calls and in handlers that have interrupted the runtime, load
//                and unload a library, set uprobes behind sites, enter sandboxes, use restartable
//                sequences, send signals
//   truth        one ops sees all functions from beginning to end: it must have been called as
//                often, in each thread, as bodies have run. An ops that is unregistered must never
//                be called again. Results are right, whatever is done to a function.

#include "torture.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/time.h>
#include <thread>
#include <vector>

void fail(const std::string &what) {
  if (stops_at_failure)
    over = true;
  if (failures++ < 20)
    fmt::print("ftrace-torture: seed {}: {}\n", g_seed, what), std::fflush(stdout);
}

void expected(long wanted, long got, const char *what) {
  if (wanted != got)
    fail(fmt::format("{} is {}, not {}", what, got, wanted));
}

void must(int result, const char *what) {
  if (result)
    fail(fmt::format("{}: {}", what, std::strerror(-result)));
}

void set_filter(ftrace_ops *ops, const char *text) {
  must(ftrace_set_filter(ops, reinterpret_cast<const unsigned char *>(text), (int)strlen(text), 1),
       "ftrace_set_filter");
}

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  const char *way = std::getenv("NOPHOOK_POKE");
  if (way && std::strcmp(way, "trap") == 0)
    sigdelset(&all, SIGTRAP);
  return all;
}

// Returns the longest time in which this thread did not run although it wanted to, in seconds: its
// neighbours went on calling, or stood still as well.
static double wait_until_over(unsigned seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kNap = std::chrono::milliseconds(100);
  auto longest = Clock::duration::zero();
  auto before = Clock::now();
  for (const auto end = before + std::chrono::seconds(seconds); before < end && !over;) {
    std::this_thread::sleep_for(kNap);
    const auto now = Clock::now();
    longest = std::max(longest, now - before - kNap);
    before = now;
  }
  return std::chrono::duration<double>(longest).count();
}

int main(int argc, char **argv) {
  unsigned seconds = 10, callers = 3;
  g_seed = std::random_device()();
  CLI::App app("Tortures the runtime and checks every count.", "ftrace-torture");
  app.add_option("--seconds", seconds, "how long (10), or until SIGTERM");
  app.add_option("--threads", callers, "threads that call (3)")->check(CLI::Range(1, 40));
  app.add_option("--seed", g_seed, "of all choices");
  app.add_flag("--first", stops_at_failure, "end at the first failure");
  std::vector<std::string> only;
  app.add_option("--only", only, "these activities, by their names (all)")->delimiter(',');
  bool is_attached = false;
  app.add_flag("--attached", is_attached,
               "leaves tracers alone, and counts no syncs: attach refuses the filter that does");
  CLI11_PARSE(app, argc, argv);

  leaf_site = ftrace_location((unsigned long)leaf);
  unwatched_site = ftrace_location((unsigned long)unwatched);
  if (!is_attached)
    watch_syncs();
  ftrace_ops always = {};
  always.func = see;
  always.flags = FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE;
  must(ftrace_set_notrace(&always, reinterpret_cast<const unsigned char *>("unwatched"), 9, 1),
       "ftrace_set_notrace");
  must(register_ftrace_function(&always), "register");
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  action.sa_mask = all_signals();
  for (int number : kHandled)
    sigaction(number, &action, nullptr);
  action.sa_handler = [](int) { over = true; };
  sigaction(SIGTERM, &action, nullptr);
  itimerval timer = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &timer, nullptr);

  std::vector<std::thread> threads;
  unsigned number = 0;
  for (; number < callers; number++)
    threads.emplace_back(caller, number, g_seed + number, number == 0);
  // By skip a call is a NOP before it is a jump: the old body runs unseen.
  const char *way = std::getenv("NOPHOOK_POKE");
  bool skips = way && std::strcmp(way, "skip") == 0;
  for (unsigned i = 0; i < kTogglerCount; i++, number++)
    if (!(skips && std::strcmp(kTogglers[i].name, "redirect") == 0) &&
        !(is_attached && std::strcmp(kTogglers[i].name, "tracers") == 0) &&
        (only.empty() || std::count(only.begin(), only.end(), kTogglers[i].name)))
      threads.emplace_back(toggler, number, g_seed * 31 + number, kTogglers[i]);
  sigset_t all = all_signals();
  sigdelset(&all, SIGSYS); // it changes things in the end
  sigdelset(&all, SIGTERM);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  const double stood_still = wait_until_over(seconds);
  over = true;
  std::atomic<bool> joined = false;
  std::thread watchdog([&] {
    for (int i = 0; i < 3000 && !joined; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (joined)
      return;
    fmt::print("ftrace-torture: seed {}: it hangs:", g_seed);
    for (unsigned i = 0; i < number; i++)
      fmt::print(" {}", doing[i] ? doing[i].load() : "nothing");
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
  expect_sequences();
  tracing_set_tracer("nop");
  expect_records(true);
  must(unregister_ftrace_function(&always), "unregister");
  expect_records(false);
  if (stood_still > 2)
    fmt::print("ftrace-torture: the thread that ends the run waited {:.0f} s for a CPU: the counts "
               "are of a longer time\n",
               stood_still);
  fmt::print("ftrace-torture: seed {}: {} calls, {} in handlers, {} changes, {} forks, {} loads, "
             "{} uprobes, {} failures\n",
             g_seed, total_calls.load(), total_signals.load(), total_changes.load(),
             total_forks.load(), total_loads.load(), total_uprobes.load(), failures.load());
  return failures != 0;
}
