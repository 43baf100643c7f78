// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time for which a running thread stands still while `nophook patch --stop-threads` looks at
// it, each of 1,000 times, and the time from the request until it is stopped, in microseconds. The
// latter includes the thread's wait for a processor. The thread is 30 calls deep. Its stack must be
// unwound each time.

#include "process/stop/stopped_thread.h"
#include "process/stop/unwound_stack.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nophook;

namespace {

constexpr int kDepth = 30;
volatile bool g_ends = false; // never set
volatile int g_turns = 0;

[[gnu::noinline]] int spin(int depth) {
  while (depth == 0 && !g_ends)
    g_turns = g_turns + 1;
  if (depth == 0)
    return 0;
  const int result = spin(depth - 1);
  asm volatile("" : : "r"(result) : "memory"); // no tail call
  return result + 1;
}

[[noreturn]] void give_up(pid_t child, const std::string &why) {
  ::kill(child, SIGKILL);
  fmt::print(stderr, "{}\n", why);
  std::exit(1);
}

} // namespace

int main(int count, char **arguments) {
  const int looks = count > 1 ? std::atoi(arguments[1]) : 1000;
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return spin(kDepth);
  }
  ::usleep(20'000);
  const ProcessMap map = ProcessMap::read(child);
  auto unwinder = StackUnwinder::prepare(child, map);
  if (!unwinder)
    give_up(child, unwinder.error().text());
  const std::string folder = fmt::format("/proc/{0}/task/{0}/", child);
  ThreadCopy copy;
  copy.make_room();
  std::string stood = "stood", took = "took";
  for (int i = 0; i < looks; i++) {
    const StopResult stop = look_at_thread(child, folder, [&](const ThreadRegisters &registers) {
      const MappedRange *range = map.find(registers.sp);
      copy.take(child, registers, range ? range->end : 0);
    });
    if (!stop.reason.empty() || stop.is_gone)
      give_up(child, stop.reason);
    const UnwoundStack stack = unwinder->unwind(
        copy.registers,
        [&](uint64_t address, void *to, size_t bytes) { return copy.read(address, to, bytes); },
        map, true);
    if (!stack.is_whole() || stack.frames.size() < (size_t)kDepth)
      give_up(child, unwinder->explain(stack));
    stood += fmt::format(" {:.1f}", (double)stop.stood.count() / 1000);
    took += fmt::format(" {:.1f}", (double)stop.took.count() / 1000);
    ::usleep(500);
  }
  fmt::print("{}\n{}\n", stood, took);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return 0;
}
